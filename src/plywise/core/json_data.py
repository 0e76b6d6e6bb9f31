"""Dataclasses from JSON: each value has the type that its field names, or the whole is refused.

What comes from a file may hold anything; what is made here does not, so nobody behind it has to ask.
"""

import types
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from plywise.core.untrusted import MAX_NUMBER, shorten

T = TypeVar("T")


def from_json(cls: type[T], data: Any) -> T:
    """The dataclass that an object of JSON describes; ValueError names the first field that does not fit.

    Fields with a default may be left out. Whole numbers have room in 64 bits.
    """
    kinds: dict[str, Any] = _kinds(cls)  # type: ignore[arg-type]
    if not isinstance(data, dict):
        raise ValueError(f"{cls.__name__} wants an object, not {shorten(repr(data), 40)}")
    for name in data:
        if name not in kinds:
            raise ValueError(f"{cls.__name__} has no field {shorten(repr(name), 40)}")
    try:
        return cls(**{name: _value(kinds[name], one, name) for name, one in data.items()})
    except TypeError as error:  # a field without a default is missing
        raise ValueError(str(error).replace("__init__()", "")) from None


@cache
def _kinds(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _value(kind: Any, value: Any, name: str) -> Any:
    """A value as its field wants it."""
    for choice in get_args(kind) if get_origin(kind) in (types.UnionType, Union) else (kind,):
        try:
            return _fit(choice, value, name)
        except _Misfit:
            continue
    raise ValueError(f"{name} cannot be {shorten(repr(value), 40)}")


class _Misfit(Exception):
    """A value of another type."""


def _fit(kind: Any, value: Any, name: str) -> Any:
    origin = get_origin(kind) or kind
    if kind is Any or (kind is type(None) and value is None):
        return value
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, dict):
        return from_json(kind, value)
    if kind is int and type(value) is int and abs(value) <= MAX_NUMBER:
        return value
    if kind is float and type(value) in (int, float):
        return float(value)
    if kind in (bool, str) and type(value) is kind:
        return value
    if isinstance(kind, type) and issubclass(kind, Enum) and isinstance(value, str):
        return kind(value)
    if origin is dict and isinstance(value, dict):
        kinds = get_args(kind)
        return {key: _value(kinds[1], one, key) for key, one in value.items()} if kinds else value
    if origin in (list, tuple) and isinstance(value, list | tuple):
        kinds = get_args(kind)
        if origin is list or kinds[-1] is ...:
            return origin(_value(kinds[0], one, name) for one in value)
        if len(kinds) == len(value):
            return tuple(_value(one, own, name) for one, own in zip(kinds, value, strict=True))
    raise _Misfit
