"""The 32 squares as bits: rows of four with a spare bit after every second row.

Square n is bit (n - 1) + (n - 1) // 8, so the four diagonal steps are +4, +5, -4 and -5 from every
square, and a step over the edge ends on a spare bit. Black begins on the low squares and moves up.
"""

from collections.abc import Iterable


def bit_of(square: int) -> int:
    """The bit of a square, 1 to 32."""
    return square - 1 + (square - 1) // 8


def square_of(bit: int) -> int:
    """The square of a bit."""
    return bit + 1 - bit // 9


def board_of(squares: Iterable[int]) -> int:
    """The squares as one word."""
    return sum(1 << bit_of(square) for square in squares)


def squares_of(board: int) -> list[int]:
    """The squares of a word, in their order."""
    return [square for square in range(1, 33) if board >> bit_of(square) & 1]


SQUARES = board_of(range(1, 33))
ROWS = tuple(board_of(range(4 * row + 1, 4 * row + 5)) for row in range(8))
BLACK_CROWNS, WHITE_CROWNS = ROWS[7], ROWS[0]
STEPS = (4, 5, -4, -5)  # by number of direction: the first two are forward for Black
