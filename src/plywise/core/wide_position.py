"""Positions with sets of cells among their fields: which fields those are, and the key by default."""

from types import FunctionType
from typing import Any, get_type_hints

from plywise.core.bits import mix
from plywise.core.compiled import compiled
from plywise.core.wide_bits import WIDE, Cells128, Cells256


def wide_fields(cls: type) -> dict[str, type]:
    """The fields of a class of positions that are sets of cells, each with its class."""
    try:
        kinds = get_type_hints(cls)
    except NameError:  # an annotation that only a type checker can read
        kinds = {}
    fields: tuple[str, ...] = getattr(cls, "_fields", ())
    defaults: dict[str, Any] = getattr(cls, "_field_defaults", {})
    found = {name: kinds.get(name, type(defaults.get(name))) for name in fields}
    return {name: kind for name, kind in found.items() if kind in WIDE}


def key_rule(cls: type) -> FunctionType:
    """The rule `key` for such positions: a function a field, each linked to the next."""
    wide, rest = wide_fields(cls), end_key
    for place, name in reversed(list(enumerate(cls._fields))):  # type: ignore[attr-defined]
        template = MIXERS.get(wide.get(name), _mix_word)
        space = {**globals(), "PLACE": place, "REST": rest}
        rest = compiled(FunctionType(template.__code__, space, f"mix_{name}"))
    return FunctionType(_key.__code__, {**globals(), "FIRST": rest}, "key")


@compiled
def end_key(position: Any, key: int) -> int:
    return key


def _mix_word(position: Any, key: int) -> int:
    return REST(position, mix(key, position[PLACE]))  # type: ignore[name-defined] # noqa: F821


def _mix_128(position: Any, key: int) -> int:
    cells = position[PLACE]  # type: ignore[name-defined] # noqa: F821
    return REST(position, mix(mix(key, cells.a), cells.b))  # type: ignore[name-defined] # noqa: F821


def _mix_256(position: Any, key: int) -> int:
    cells = position[PLACE]  # type: ignore[name-defined] # noqa: F821
    low = mix(mix(key, cells.a), cells.b)
    return REST(position, mix(mix(low, cells.c), cells.d))  # type: ignore[name-defined] # noqa: F821


MIXERS: dict[type | None, FunctionType] = {Cells128: _mix_128, Cells256: _mix_256}  # type: ignore[dict-item]


def _key(self: Any) -> int:
    return FIRST(self, 0)  # type: ignore[name-defined] # noqa: F821
