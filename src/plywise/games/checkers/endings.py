"""A number for every position of few pieces, and back: the index of the endgame databases.

Positions are seen by the side to move, as if it were Black: with White to move the board is turned
around. A slice holds all positions with the same numbers of men and kings; its own men stand on 28
squares, since none stands on its king row (RULES 4), and so do the other side's.
"""

import math
from typing import Any

from plywise.core.bits import Table, popcount, rest, right, swap
from plywise.core.compiled import compiled
from plywise.core.endgame_index import (
    PIECES_OFFSET,
    EndgameDatabase,
    Group,
    Index,
    Slice,
    value_at,
    value_score,
)
from plywise.core.layout import byte
from plywise.core.scores import UNKNOWN
from plywise.games.checkers.squares import SQUARES

MOST = 5  # pieces on the board
BASE = 5  # a slice's number has the four counts as its digits: none is above MOST - 1
CHOOSE = Table(math.comb(n, k) for k in range(MOST + 1) for n in range(33))
MEN_SQUARES = 28


def piece_counts(number: int) -> tuple[int, int, int, int]:
    """Own men, own kings, the other side's men, its kings."""
    return number // BASE**3, number // BASE**2 % BASE, number // BASE % BASE, number % BASE


def _size(number: int) -> int:
    men, kings, other_men, other_kings = piece_counts(number)
    free = 32 - men - other_men
    placed = math.comb(MEN_SQUARES, men) * math.comb(MEN_SQUARES, other_men)
    return placed * math.comb(free, kings) * math.comb(free - kings, other_kings)


def _name(number: int) -> str:
    men, kings, other_men, other_kings = piece_counts(number)
    return f"{kings}K{men}M-{other_kings}K{other_men}M"


def _other_side(number: int) -> int:
    """The slice of the same pieces with the other side to move."""
    men, kings, other_men, other_kings = piece_counts(number)
    return ((other_men * BASE + other_kings) * BASE + men) * BASE + kings


def _groups() -> tuple[Group, ...]:
    """A slice and its turned twin lead to one another; captures and crownings lead to earlier ones."""
    numbers = [n for n in range(BASE**4) if sum(piece_counts(n)[:2]) and sum(piece_counts(n)[2:])]
    numbers = [n for n in numbers if sum(piece_counts(n)) <= MOST and _other_side(n) <= n]
    numbers.sort(key=lambda n: (sum(piece_counts(n)), piece_counts(n)[0] + piece_counts(n)[2], -n))
    result: list[Group] = []
    start = 0
    for number in numbers:
        slices = []
        for one in dict.fromkeys((number, _other_side(number))):
            # With five pieces only the weaker side's turn is kept: the stronger's is one move away.
            men, kings, other_men, other_kings = piece_counts(one)
            kept = sum(piece_counts(one)) < MOST or men + kings < other_men + other_kings
            slices.append(Slice(one, _name(one), start, _size(one), kept))
            start += _size(one)
        pieces = sum(piece_counts(number))
        needs = [group.slices[0].number for group in result if group.pieces < pieces]
        men, _, other_men, _ = piece_counts(number)
        fewer = men + other_men - 1
        needs += [
            group.slices[0].number
            for group in result
            if group.pieces == pieces and sum(piece_counts(group.slices[0].number)[::2]) == fewer
        ]
        result.append(Group(pieces, tuple(slices), frozenset(needs)))
    return tuple(result)


GROUPS = _groups()
_SLICES = {one.number: one for group in GROUPS for one in group.slices}
FIRST = Table(_SLICES[n].first if n in _SLICES else -1 for n in range(BASE**4))
SIZE = Table(_SLICES[n].size if n in _SLICES else 0 for n in range(BASE**4))


# --- boards of 32 bits ----------------------------------------------------------------------------
@compiled
def pack_squares(board: int) -> int:
    """A board without its spare bits: square n is bit n - 1."""
    return board & 0xFF | board >> 1 & 0xFF00 | board >> 2 & 0xFF0000 | board >> 3 & 0xFF000000


@compiled
def unpack_squares(board: int) -> int:
    """The other way round."""
    return board & 0xFF | (board & 0xFF00) << 1 | (board & 0xFF0000) << 2 | (board & 0xFF000000) << 3


@compiled
def reverse(board: int) -> int:
    """A dense board turned around."""
    board = right(swap(board), 32)
    board = board >> 4 & 0x0F0F0F0F | (board & 0x0F0F0F0F) << 4
    board = board >> 2 & 0x33333333 | (board & 0x33333333) << 2
    return board >> 1 & 0x55555555 | (board & 0x55555555) << 1


# --- sets of squares as numbers -------------------------------------------------------------------
@compiled
def rank(squares: int, free: int) -> int:
    """The number of a set of squares among all sets of its size within the free ones."""
    result, count = 0, 0
    while squares != 0:
        count += 33
        result += CHOOSE[count + popcount(free & (squares & -squares) - 1)]
        squares = rest(squares)
    return result


@compiled
def unrank(number: int, count: int, free: int) -> int:
    """The set of that number; the highest square is found first."""
    result, place = 0, 32
    while count > 0:
        place -= 1
        while CHOOSE[count * 33 + place] > number:
            place -= 1
        number -= CHOOSE[count * 33 + place]
        count -= 1
        squares = free
        for _ in range(place):
            squares = rest(squares)
        result |= squares & -squares
    return result


# --- positions as numbers -------------------------------------------------------------------------
@compiled
def slice_of(own: int, other: int, kings: int) -> int:
    """The slice that a position belongs to; only for positions of few pieces."""
    men, other_men = popcount(own & ~kings), popcount(other & ~kings)
    return ((men * BASE + popcount(own & kings)) * BASE + other_men) * BASE + popcount(other & kings)


@compiled
def index(position: Any) -> int:
    """The number of a position among all of few pieces; -1 if it is none of them."""
    return number_of(position.own, position.other, position.kings, position.turn)


@compiled
def number_of(own: int, other: int, kings: int, turn: int) -> int:
    """The number of a position among all of few pieces; -1 if it is none of them."""
    if own == 0 or other == 0 or popcount(own | other) > MOST:
        return -1
    own, other, kings = pack_squares(own), pack_squares(other), pack_squares(kings)
    if turn != 0:
        own, other, kings = reverse(own), reverse(other), reverse(kings)
    men, other_men = own & ~kings, other & ~kings
    own &= kings
    other &= kings
    free = 0xFFFFFFFF & ~(men | other_men)
    count, other_count = popcount(own), popcount(other)
    squares = popcount(free)
    result = rank(men, 0xFFFFFFFF)
    result = result * CHOOSE[popcount(other_men) * 33 + MEN_SQUARES] + rank(other_men, 0xFFFFFFF0)
    result = result * CHOOSE[count * 33 + squares] + rank(own, free)
    result = result * CHOOSE[other_count * 33 + squares - count] + rank(other, free & ~own)
    number = ((popcount(men) * BASE + count) * BASE + popcount(other_men)) * BASE + other_count
    return FIRST[number] + result


@compiled
def place(number: int, i: int) -> tuple[int, int, int, int]:
    """The position (with Black to move) of number i in a slice; an empty board where there is none."""
    men, kings = number // 125, number // 25 % BASE
    other_men, other_kings = number // BASE % BASE, number % BASE
    squares = 32 - men - other_men
    ways = CHOOSE[other_kings * 33 + squares - kings]
    i, last = i // ways, i % ways
    ways = CHOOSE[kings * 33 + squares]
    i, third = i // ways, i % ways
    ways = CHOOSE[other_men * 33 + MEN_SQUARES]
    own = unrank(i // ways, men, 0xFFFFFFFF)
    other = unrank(i % ways, other_men, 0xFFFFFFF0)
    if own & other != 0:
        return 0, 0, 0, 0
    free = 0xFFFFFFFF & ~(own | other)
    crowned = unrank(third, kings, free)
    other_crowned = unrank(last, other_kings, free & ~crowned)
    return (
        unpack_squares(own | crowned),
        unpack_squares(other | other_crowned),
        unpack_squares(crowned | other_crowned),
        0,
    )


@compiled
def before(position: Any, buffer: Any, n: int) -> int:
    """Write the numbers of the positions of the same group that one move turns into this one.

    The side not to move has stepped here: each of its pieces is moved back to an empty square.
    """
    own, other, kings, turn = position.own, position.other, position.kings, position.turn
    empty = SQUARES & ~(own | other)
    # A man of the side that stepped came from behind: Black's from below, White's from above.
    from_below = other if turn == 1 else other & kings
    from_above = other & kings if turn == 1 else other
    for way in range(4):
        step = 4 + (way & 1)
        if way < 2:
            sources = from_below >> step & empty
        else:
            sources = from_above << step & empty
        while sources != 0:
            source = sources & -sources
            sources = rest(sources)
            piece = source << step if way < 2 else source >> step
            earlier = kings & ~piece | source if kings & piece != 0 else kings
            buffer[n] = number_of(other & ~piece | source, own, earlier, 1 - turn)
            n += 1
    return n


@compiled
def probe_score(data: Any, own: int, other: int, kings: int, turn: int) -> int:
    """The score that the database proves for a position in which nobody can capture, or UNKNOWN."""
    if popcount(own | other) > byte(data, PIECES_OFFSET) or own == 0 or other == 0:
        return UNKNOWN
    number = slice_of(own, other, kings)
    i = number_of(own, other, kings, turn) - FIRST[number]
    value = value_at(data, number, SIZE[number], i)
    return UNKNOWN if value < 0 else value_score(value)


INDEX = Index(GROUPS, index, place, before)
ENDGAMES = EndgameDatabase("endgames", "checkers", INDEX)
