"""Tables of the board, filled when the game is imported. Square a1 is 0, h1 is 7, h8 is 63."""

from collections.abc import Iterable

from plywise.core.bits import Table, keys, wrap

FILE_A = 0x0101010101010101
FILE_H = wrap(FILE_A << 7)
NOT_A, NOT_H = ~FILE_A, ~FILE_H
RANK_1, RANK_8 = 0xFF, wrap(0xFF << 56)
RANK_2, RANK_7 = 0xFF << 8, 0xFF << 48
RANK_3, RANK_6 = 0xFF << 16, 0xFF << 40
LIGHT = 0x55AA55AA55AA55AA

# A kind of piece says in which sets of the position it stands: a queen is in two of them.
PAWN_KIND, KNIGHT_KIND, BISHOP_KIND, ROOK_KIND, QUEEN_KIND, KING_KIND = 1, 2, 4, 8, 12, 16

_ROOK = ((1, 0), (0, 1), (-1, 0), (0, -1))
_BISHOP = ((1, 1), (-1, 1), (-1, -1), (1, -1))
_KNIGHT = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))


def _walk(square: int, dx: int, dy: int, most: int = 7) -> list[int]:
    """The squares from here in one direction, nearest first."""
    x, y, path = square & 7, square >> 3, []
    for _ in range(most):
        x, y = x + dx, y + dy
        if not (0 <= x < 8 and 0 <= y < 8):
            break
        path.append(x + 8 * y)
    return path


def _mask(squares: Iterable[int]) -> int:
    return sum(1 << square for square in set(squares))


def _reach(directions: Iterable[tuple[int, int]], most: int = 7) -> list[int]:
    """For each square, those reached from it on an empty board."""
    steps = list(directions)
    return [_mask(to for dx, dy in steps for to in _walk(at, dx, dy, most)) for at in range(64)]


KNIGHT = Table(_reach(_KNIGHT, 1))
KING = Table(_reach(_ROOK + _BISHOP, 1))
PAWN = Table(_reach(((-1, 1), (1, 1)), 1) + _reach(((-1, -1), (1, -1)), 1))  # captures, by colour
ROOK_RAYS = Table(_reach(_ROOK))
BISHOP_RAYS = Table(_reach(_BISHOP))
DIAGONAL = Table(_reach(((1, 1), (-1, -1))))
ANTIDIAGONAL = Table(_reach(((1, -1), (-1, 1))))


def _along(place: int, inner: int) -> list[int]:
    """Places of a line of eight that are seen from one of them; `inner` are the middle six, taken."""
    seen = []
    for step in (1, -1):
        at = place + step
        while 0 <= at < 8:
            seen.append(at)
            if inner << 1 >> at & 1:
                break
            at += step
    return seen


def _lines(rank: int, file: int) -> Table:
    """Attacks by place and middle six: `rank` squares a place along, repeated on every eighth."""
    return Table(
        sum(1 << rank * at + file * copy for at in _along(place, inner) for copy in range(8 if file else 1))
        for place in range(8)
        for inner in range(64)
    )


# What a line piece sees, by its place on the line and the occupied ones of the line's middle six.
ON_RANK = _lines(1, 0)  # on the first rank
ON_FILE = _lines(8, 0)  # on the a-file
ON_SLOPE = _lines(1, 8)  # by files, on all ranks: cut to a diagonal by its mask

# Multiplying gathers one bit of each file (or rank) of a line in the top byte.
GATHER_SLOPE = 0x0202020202020202
GATHER_FILE = sum(1 << 57 - 7 * y for y in range(1, 7))


def _between() -> list[int]:
    result = [0] * 4096
    for start in range(64):
        for dx, dy in _ROOK + _BISHOP:
            path = _walk(start, dx, dy)
            for i, to in enumerate(path):
                result[start * 64 + to] = _mask(path[:i])
    return result


BETWEEN = Table(_between())  # the squares strictly between two squares on a line, else none

# One word for each piece (side, kind, square); the first of the other table is the side to move's.
PIECE_KEYS = keys(1, 2 * 17 * 64)
STATE_KEYS = keys(2, 1 + 8)  # black to move; the file of a capture in passing
