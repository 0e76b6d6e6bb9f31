"""The board of Polis as words: square 8 * rank + file is a bit, a1 the lowest, h8 the highest."""

from plywise.core.bits import Table, left, right, swap, wrap
from plywise.core.compiled import compiled

NAMES = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
STEPS = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0))
AXES = ((1, 0), (-1, 1), (0, 1), (1, 1))

BOTTOM = 0xFF  # rank 1
TOP = wrap(0xFF << 56)  # rank 8
INNER = wrap(0x7E7E7E7E7E7E7E7E)  # files b to g: squares with a neighbour on either side
WEST = wrap(0x0101010101010101)  # file a
EAST = wrap(0x8080808080808080)  # file h
NIBBLES, PAIRWISE, SINGLES = 0x0F0F0F0F0F0F0F0F, 0x3333333333333333, 0x5555555555555555
# The four axes as shifts, and the squares from which a step forth (up the bits) or back is on the board.
SHIFTS = Table([1, 7, 8, 9])
FORTH = Table([~EAST, ~WEST, -1, ~EAST])
BACK = Table([~WEST, ~EAST, -1, ~WEST])
DELTAS = 19  # neighbours of a square are -9 .. 9 away from it


def _bit(x: int, y: int) -> int:
    """The square as a word; 0 if it is off the board."""
    return 1 << 8 * y + x if 0 <= x < 8 and 0 <= y < 8 else 0


def _near(square: int, reach: int) -> int:
    """All squares at most this number of king's steps away."""
    y, x = divmod(square, 8)
    span = range(-reach, reach + 1)
    return sum(_bit(x + dx, y + dy) for dx in span for dy in span)


def _turning(square: int) -> int:
    """Neighbours from which a piece could hop over this square and still be on the board."""
    y, x = divmod(square, 8)
    return sum(_bit(x + dx, y + dy) for dx, dy in STEPS if _bit(x - dx, y - dy))


def _pair(square: int, axis: int) -> int:
    """Both neighbours on an axis; all squares, which nobody can hold, if one is off the board."""
    y, x = divmod(square, 8)
    dx, dy = AXES[axis]
    before, after = _bit(x - dx, y - dy), _bit(x + dx, y + dy)
    return before | after if before and after else -1


def _behind(square: int, delta: int) -> int:
    """The square behind the neighbour `delta` away, seen from this square."""
    y, x = divmod(square, 8)
    return sum(_bit(x + 2 * dx, y + 2 * dy) for dx, dy in STEPS if 8 * dy + dx == delta)


BIT = Table(1 << square for square in range(64))
RING = Table(_near(square, 1) & ~(1 << square) for square in range(64))
NEAR = Table(_near(square, 2) for square in range(64))
TURNING = Table(_turning(square) for square in range(64))
PAIRS = Table(_pair(square, axis) for square in range(64) for axis in range(4))
BEHIND = Table(_behind(square, delta - 9) for square in range(64) for delta in range(DELTAS))


@compiled
def between(pieces: int) -> int:
    """The squares that have these pieces on both sides of them on some axis (RULES 4)."""
    return (right(pieces, 8) & left(pieces, 8)) | INNER & (
        (right(pieces, 1) & left(pieces, 1))
        | (right(pieces, 7) & left(pieces, 7))
        | (right(pieces, 9) & left(pieces, 9))
    )


@compiled
def rotate_board(board: int) -> int:
    """The board turned by half a turn: what was on square s is on 63 - s."""
    board = swap(board)
    board = right(board, 4) & NIBBLES | left(board & NIBBLES, 4)
    board = right(board, 2) & PAIRWISE | left(board & PAIRWISE, 2)
    return right(board, 1) & SINGLES | left(board & SINGLES, 1)


@compiled
def opposite(turned_board: int, square: int) -> int:
    """For the neighbours of a square: what stands on its other side, from the board turned."""
    by = 2 * square - 63
    return right(left(turned_board, max(by, 0)), max(-by, 0))


@compiled
def capture_targets(own: int, other: int, dogs: int) -> int:
    """The empty squares where a piece of `own` may well take one of the enemy's dogs (RULES 3, 4).

    It may close a pair around a dog that cannot hop, make a dog hop between two, or make a friend
    hop to where it closes a pair. The square that the piece leaves is not thought of: an opinion.
    """
    empty = ~(own | other)
    closing = direct = 0
    for i in range(4):
        by, forth, back = SHIFTS[i], FORTH[i], BACK[i]
        caught = left(dogs & left(own & forth, by) & forth, by)
        closing |= caught
        direct |= caught & ~right(empty & back, by)
        caught = right(dogs & right(own & back, by) & back, by)
        closing |= caught
        direct |= caught & ~left(empty & forth, by)
    pits = between(own)
    for i in range(4):
        by, forth, back = SHIFTS[i], FORTH[i], BACK[i]
        ahead, behind = left(own & forth, by), right(own & back, by)
        direct |= left(empty & (pits | ahead) & forth, by) & right(dogs & back, by)
        direct |= right(empty & (pits | behind) & back, by) & left(dogs & forth, by)
        direct |= left(empty & closing & forth, by) & behind
        direct |= right(empty & closing & back, by) & ahead
    return direct & empty


@compiled
def around(pieces: int) -> int:
    """The squares next to any of these pieces."""
    sides = right(pieces & ~WEST, 1) | left(pieces & ~EAST, 1)
    row = pieces | sides
    return sides | right(row, 8) | left(row, 8)
