"""Chess in Polyglot's opening books: the key of a position, and the numbers of its moves there.

The key is the exclusive or of numbers that the format publishes, one for each piece on its square,
castling right, file of a capture in passing, and White's turn; they stand in `polyglot_keys.txt`, in
that order.
"""

from functools import cache
from pathlib import Path
from typing import Any

from plywise.core.bits import bits
from plywise.games.chess.fen import KINDS, pieces_of
from plywise.games.chess.generate import BECOMES, TO

CASTLING, PASSING, WHITE = 768, 772, 780  # where these keys begin
PIECES = {KINDS[letter]: place for place, letter in enumerate("pnbrqk")}
PROMOTIONS = {0: 0, **{KINDS[letter]: place for place, letter in enumerate("nbrq", 1)}}


@cache
def keys() -> tuple[int, ...]:
    """The 781 numbers of the format."""
    text = Path(__file__).with_name("polyglot_keys.txt").read_text(encoding="ascii")
    return tuple(int(word, 16) for line in text.splitlines() if line[:1] != "#" for word in line.split())


def key(position: Any) -> int:
    """The position's key in Polyglot books."""
    numbers, pieces, result = keys(), pieces_of(position), 0
    kings = {}
    for square, (side, kind) in pieces.items():
        result ^= numbers[64 * (2 * PIECES[kind] + 1 - side) + square]
        if kind == KINDS["k"]:
            kings[side] = square
    for rook in bits(position.castling):
        side = int(rook >= 8)
        result ^= numbers[CASTLING + 2 * side + int(rook < kings[side])]
    if position.passant:
        # It counts if a pawn stands beside, even if it is pinned.
        passed = bits(position.passant)[0]
        row = passed - 8 if position.turn == 0 else passed + 8
        for square in (row - 1, row + 1):
            if square >> 3 == row >> 3 and pieces.get(square) == (position.turn, KINDS["p"]):
                result ^= numbers[PASSING + (passed & 7)]
                break
    if position.turn == 0:
        result ^= numbers[WHITE]
    return result


def number(move: int) -> int:
    """The move in Polyglot books: castling is the king onto its rook there, as here."""
    return PROMOTIONS[move >> BECOMES & 31] << 12 | (move & 63) << 6 | move >> TO & 63
