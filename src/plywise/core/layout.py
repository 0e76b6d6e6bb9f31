"""Records in memory that compiled code reads and writes by address: weights, tables, databases.

Interpreted, the data is a list of records or an array; compiled, it is an address (`native/bits.py`).
"""

from math import prod
from typing import Any


class Layout:
    """The fields of a record: (name, type) or (name, type, shape), as NumPy has them."""

    def __init__(self, *fields: tuple[Any, ...]) -> None:
        self.fields = fields

    def __repr__(self) -> str:
        return f"Layout{self.fields!r}"

    @property
    def bytes(self) -> int:
        """How long the record is; a type ends with its own length."""
        return sum(int(kind[1:]) * prod(shape[0] if shape else ()) for _, kind, *shape in self.fields)

    def __add__(self, other: "Layout") -> "Layout":
        return Layout(*self.fields, *other.fields)


def at(data: Any, layout: Layout, i: int) -> Any:
    """Record i of the data."""
    return data[i]


def fetch(data: Any, layout: Layout, i: int) -> None:
    """Prefetch record i, which will be read soon. Does nothing where it is not compiled."""


def byte(data: Any, i: int) -> int:
    """Byte i of the data."""
    return int(data[i])
