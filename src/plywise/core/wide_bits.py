"""Sets of up to 128 or 256 cells: two or four words that behave as one, in a field of a position.

A set is an immutable value with the operators of a word: `&`, `|`, `^`, `~`, `<<`, `>>`, `==`; what is
shifted beyond the set is dropped. One source serves both forms: compiled code calls these very methods.

>>> cells = Cells256.of([3, 64, 200])
>>> cells.has(64), cells.size(), cells.first(), cells.rest().first()
(True, 3, 3, 64)
>>> cells << 16 == Cells256.of([19, 80, 216])
True
"""

import traceback
from collections.abc import Callable, Iterable
from typing import NamedTuple, NoReturn

from plywise.core.bits import first, left, popcount, rest, right, wrap

NO_TRUTH = "a set of cells is neither true nor false: ask is_empty()"


class Cells128(NamedTuple):
    """A set of cells 0 to 127."""

    a: int = 0
    b: int = 0

    @classmethod
    def of(cls, cells: Iterable[int]) -> "Cells128":
        """The set of these cells; for constants and text, not for compiled rules."""
        return cls(*_words(cells, 2))

    def cells(self) -> list[int]:
        """The cells in order; for text and tests, not for compiled rules."""
        return [i for i in range(128) if self.has(i)]

    def __bool__(self) -> bool:
        raise TypeError(NO_TRUTH)

    def __and__(self, other: "Cells128") -> "Cells128":
        return Cells128(self.a & other.a, self.b & other.b)

    def __or__(self, other: "Cells128") -> "Cells128":
        return Cells128(self.a | other.a, self.b | other.b)

    def __xor__(self, other: "Cells128") -> "Cells128":
        return Cells128(self.a ^ other.a, self.b ^ other.b)

    def __invert__(self) -> "Cells128":
        return Cells128(~self.a, ~self.b)

    def __lshift__(self, n: int) -> "Cells128":
        a, b = self.a, self.b
        if n >= 64:
            a, b, n = 0, a, n - 64
        if n == 0:
            return Cells128(a, b)
        return Cells128(left(a, n), left(b, n) | right(a, 64 - n))

    def __rshift__(self, n: int) -> "Cells128":
        a, b = self.a, self.b
        if n >= 64:
            a, b, n = b, 0, n - 64
        if n == 0:
            return Cells128(a, b)
        return Cells128(right(a, n) | left(b, 64 - n), right(b, n))

    def is_empty(self) -> bool:
        """No cell is in the set."""
        return self.a | self.b == 0

    def size(self) -> int:
        """How many cells are in the set."""
        return popcount(self.a) + popcount(self.b)

    def first(self) -> int:
        """The lowest cell; the set must not be empty."""
        if self.a != 0:
            return first(self.a)
        return 64 + first(self.b)

    def rest(self) -> "Cells128":
        """The set without its lowest cell."""
        if self.a != 0:
            return Cells128(rest(self.a), self.b)
        return Cells128(0, rest(self.b))

    def has(self, cell: int) -> bool:
        """Whether the cell is in the set."""
        return right(self.a if cell < 64 else self.b, cell & 63) & 1 != 0

    def add(self, cell: int) -> "Cells128":
        """The set with the cell."""
        bit = left(1, cell & 63)
        return Cells128(self.a | bit, self.b) if cell < 64 else Cells128(self.a, self.b | bit)

    def remove(self, cell: int) -> "Cells128":
        """The set without the cell."""
        mask = ~left(1, cell & 63)
        return Cells128(self.a & mask, self.b) if cell < 64 else Cells128(self.a, self.b & mask)


class Cells256(NamedTuple):
    """A set of cells 0 to 255."""

    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0

    @classmethod
    def of(cls, cells: Iterable[int]) -> "Cells256":
        """The set of these cells; for constants and text, not for compiled rules."""
        return cls(*_words(cells, 4))

    def cells(self) -> list[int]:
        """The cells in order; for text and tests, not for compiled rules."""
        return [i for i in range(256) if self.has(i)]

    def __bool__(self) -> bool:
        raise TypeError(NO_TRUTH)

    def __and__(self, other: "Cells256") -> "Cells256":
        return Cells256(self.a & other.a, self.b & other.b, self.c & other.c, self.d & other.d)

    def __or__(self, other: "Cells256") -> "Cells256":
        return Cells256(self.a | other.a, self.b | other.b, self.c | other.c, self.d | other.d)

    def __xor__(self, other: "Cells256") -> "Cells256":
        return Cells256(self.a ^ other.a, self.b ^ other.b, self.c ^ other.c, self.d ^ other.d)

    def __invert__(self) -> "Cells256":
        return Cells256(~self.a, ~self.b, ~self.c, ~self.d)

    def __lshift__(self, n: int) -> "Cells256":
        a, b, c, d = self.a, self.b, self.c, self.d
        if n >= 128:
            a, b, c, d, n = 0, 0, a, b, n - 128
        if n >= 64:
            a, b, c, d, n = 0, a, b, c, n - 64
        if n == 0:
            return Cells256(a, b, c, d)
        m = 64 - n
        return Cells256(
            left(a, n), left(b, n) | right(a, m), left(c, n) | right(b, m), left(d, n) | right(c, m)
        )

    def __rshift__(self, n: int) -> "Cells256":
        a, b, c, d = self.a, self.b, self.c, self.d
        if n >= 128:
            a, b, c, d, n = c, d, 0, 0, n - 128
        if n >= 64:
            a, b, c, d, n = b, c, d, 0, n - 64
        if n == 0:
            return Cells256(a, b, c, d)
        m = 64 - n
        return Cells256(
            right(a, n) | left(b, m), right(b, n) | left(c, m), right(c, n) | left(d, m), right(d, n)
        )

    def is_empty(self) -> bool:
        """No cell is in the set."""
        return self.a | self.b | self.c | self.d == 0

    def size(self) -> int:
        """How many cells are in the set."""
        return popcount(self.a) + popcount(self.b) + popcount(self.c) + popcount(self.d)

    def first(self) -> int:
        """The lowest cell; the set must not be empty."""
        if self.a != 0:
            return first(self.a)
        if self.b != 0:
            return 64 + first(self.b)
        if self.c != 0:
            return 128 + first(self.c)
        return 192 + first(self.d)

    def rest(self) -> "Cells256":
        """The set without its lowest cell."""
        if self.a != 0:
            return Cells256(rest(self.a), self.b, self.c, self.d)
        if self.b != 0:
            return Cells256(0, rest(self.b), self.c, self.d)
        if self.c != 0:
            return Cells256(0, 0, rest(self.c), self.d)
        return Cells256(0, 0, 0, rest(self.d))

    def has(self, cell: int) -> bool:
        """Whether the cell is in the set."""
        low = self.a if cell < 64 else self.b
        high = self.c if cell < 192 else self.d
        return right(low if cell < 128 else high, cell & 63) & 1 != 0

    def add(self, cell: int) -> "Cells256":
        """The set with the cell."""
        bit, word = left(1, cell & 63), cell >> 6
        return Cells256(
            self.a | (bit if word == 0 else 0),
            self.b | (bit if word == 1 else 0),
            self.c | (bit if word == 2 else 0),
            self.d | (bit if word == 3 else 0),
        )

    def remove(self, cell: int) -> "Cells256":
        """The set without the cell."""
        mask, word = ~left(1, cell & 63), cell >> 6
        return Cells256(
            self.a & (mask if word == 0 else -1),
            self.b & (mask if word == 1 else -1),
            self.c & (mask if word == 2 else -1),
            self.d & (mask if word == 3 else -1),
        )


WIDE = (Cells128, Cells256)
# What a tuple would do with these operators is something else than an author means.
REFUSED = {
    "__contains__": "a set of cells has no `in`: ask has(cell)",
    "__add__": "sets of cells are not added: `a | b` has the cells of both, add(cell) one more",
    "__sub__": "sets of cells are not subtracted: `a & ~b` leaves cells out, remove(cell) one",
    "__mul__": "a set of cells is not multiplied: `<<` and `>>` move its cells",
}


def _refuse(sentence: str) -> Callable[[object, object], NoReturn]:
    """An operator that is none of a set's."""

    def operator(self: object, other: object) -> NoReturn:
        raise TypeError(sentence)

    return operator


for _kind in WIDE:
    for _name, _sentence in REFUSED.items():
        setattr(_kind, _name, _refuse(_sentence))


def _words(cells: Iterable[int], count: int) -> list[int]:
    """The cells as words, the lowest 64 first."""
    whole = 0
    for cell in cells:
        if not 0 <= cell < 64 * count:
            raise ValueError(f"cell {cell} is not in a set of {64 * count} cells")
        whole |= 1 << cell
    return [wrap(whole >> 64 * i) for i in range(count)]


def explain_mixing(error: BaseException) -> str:
    """In words, if an error is that of a set of cells with an operand that is none; else "".

    Seen from the error, since compiled code runs the same methods and can ask no operand for its class.
    """
    if not isinstance(error, AttributeError) or error.name not in Cells256._fields:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or frames[-1].filename != __file__:
        return ""
    kind = type(error.obj).__name__
    return f"a set of cells goes with a set of the same size, not with {kind}; its of([...]) makes one"
