"""Positions with sets of cells among their fields: which fields those are, their key and their words."""

from collections.abc import Sequence
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
    """The rule `key` for such positions."""
    return _link_fields(cls, "key", _key, end_key, "mix", MIXERS)


def words_rule(cls: type) -> FunctionType:
    """The rule `boards` for such positions: all their words."""
    rule = _link_fields(cls, "boards", _boards, end_words, "spread", SPREADERS)
    rule.of_words = True  # type: ignore[attr-defined] # not what an author calls his boards
    return rule


Templates = dict[type | None, FunctionType]  # by the class of a field; None is a word


def _link_fields(cls: type, name: str, rule: Any, end: Any, verb: str, templates: Templates) -> FunctionType:
    """A rule that calls a function for each field, one linked to the next; `end` is the last of them."""
    wide, rest = wide_fields(cls), end
    for place, field in reversed(list(enumerate(cls._fields))):  # type: ignore[attr-defined]
        template = templates[wide.get(field)]
        space = {**globals(), "PLACE": place, "REST": rest}
        rest = compiled(FunctionType(template.__code__, space, f"{verb}_{field}"))
    return FunctionType(rule.__code__, {**globals(), "FIRST": rest}, name)


def word_names(cls: type) -> list[str]:
    """The field that each word of a position belongs to: a set of cells has several words."""
    wide = wide_fields(cls)
    return [name for name in cls._fields for _ in range(_size(wide.get(name)))]  # type: ignore[attr-defined]


def from_words(cls: type, words: Sequence[int]) -> Any:
    """The position with these words, which are those of its fields one after the other."""
    wide, fields, i = wide_fields(cls), list[Any](), 0
    for name in cls._fields:  # type: ignore[attr-defined]
        size = _size(wide.get(name))
        part = words[i : i + size]
        fields.append(wide[name](*part) if name in wide else part[0])
        i += size
    return cls(*fields)


def _size(kind: Any) -> int:
    return 1 if kind is None else len(kind._fields)


# --- the key: each field is mixed into it ---------------------------------------------------------------
def _key(self: Any) -> int:
    return FIRST(self, 0)  # type: ignore[name-defined] # noqa: F821


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


MIXERS: Templates = {None: _mix_word, Cells128: _mix_128, Cells256: _mix_256}  # type: ignore[dict-item]


# --- the words: each field adds its own --------------------------------------------------------------------
def _boards(self: Any) -> Any:
    return FIRST(self)  # type: ignore[name-defined] # noqa: F821


@compiled
def end_words(position: Any) -> Any:
    return ()


def _spread_word(position: Any) -> Any:
    return (position[PLACE],) + REST(position)  # type: ignore[name-defined] # noqa: F821, RUF005


def _spread_128(position: Any) -> Any:
    cells = position[PLACE]  # type: ignore[name-defined] # noqa: F821
    return (cells.a, cells.b) + REST(position)  # type: ignore[name-defined] # noqa: F821, RUF005


def _spread_256(position: Any) -> Any:
    cells = position[PLACE]  # type: ignore[name-defined] # noqa: F821
    return (cells.a, cells.b, cells.c, cells.d) + REST(position)  # type: ignore[name-defined] # noqa: F821, RUF005


SPREADERS: Templates = {None: _spread_word, Cells128: _spread_128, Cells256: _spread_256}  # type: ignore[dict-item]
