"""Who attacks what: line pieces by gathering their lines into table indices, the rest by table."""

from typing import TYPE_CHECKING

from plywise.core.bits import first, left, rest, right, wrap
from plywise.core.compiled import compiled
from plywise.games.chess.tables import (
    ANTIDIAGONAL,
    BISHOP_RAYS,
    DIAGONAL,
    FILE_A,
    GATHER_FILE,
    GATHER_SLOPE,
    KING,
    KNIGHT,
    ON_FILE,
    ON_RANK,
    ON_SLOPE,
    PAWN,
    ROOK_RAYS,
)

if TYPE_CHECKING:
    from plywise.games.chess.fen import PartialPosition
    from plywise.games.chess.rules import Chess


@compiled
def bishop_attacks(square: int, occupied: int) -> int:
    """What a bishop on the square sees; the first piece on each line included."""
    place = (square & 7) << 6
    rising, falling = DIAGONAL[square], ANTIDIAGONAL[square]
    up = right(wrap((occupied & rising) * GATHER_SLOPE), 58)
    down = right(wrap((occupied & falling) * GATHER_SLOPE), 58)
    return ON_SLOPE[place | up] & rising | ON_SLOPE[place | down] & falling


@compiled
def rook_attacks(square: int, occupied: int) -> int:
    """What a rook on the square sees; the first piece on each line included."""
    x, row = square & 7, square & 56
    across = right(occupied, row + 1) & 63
    along = right(wrap((right(occupied, x) & FILE_A) * GATHER_FILE), 58)
    return left(ON_RANK[x << 6 | across], row) | left(ON_FILE[row << 3 | along], x)


@compiled
def is_attacked(position: "Chess | PartialPosition", square: int, occupied: int) -> bool:
    """Whether a piece of the side not to move attacks the square."""
    other = position.other
    if (
        PAWN[(position.turn & 1) << 6 | square] & position.pawns
        | KNIGHT[square] & position.knights
        | KING[square] & position.kings
    ) & other != 0:
        return True
    lines = position.diagonals & other
    if BISHOP_RAYS[square] & lines != 0 and bishop_attacks(square, occupied) & lines != 0:
        return True
    lines = position.orthogonals & other
    return ROOK_RAYS[square] & lines != 0 and rook_attacks(square, occupied) & lines != 0


@compiled
def in_check(position: "Chess") -> bool:
    """Whether the king of the side to move is attacked (RULES 7)."""
    return is_attacked(position, first(position.kings & position.own), position.own | position.other)


@compiled
def attackers(position: "Chess", square: int, occupied: int) -> int:
    """The pieces of both sides that attack the square, lines cut by `occupied`."""
    return (
        (PAWN[64 | square] & position.pawns & white(position))
        | (PAWN[square] & position.pawns & black(position))
        | (KNIGHT[square] & position.knights)
        | (KING[square] & position.kings)
        | (bishop_attacks(square, occupied) & position.diagonals)
        | (rook_attacks(square, occupied) & position.orthogonals)
    )


@compiled
def white(position: "Chess") -> int:
    """White's pieces."""
    return position.other if position.turn != 0 else position.own


@compiled
def black(position: "Chess") -> int:
    """Black's pieces."""
    return position.own if position.turn != 0 else position.other


@compiled
def kind_at(position: "Chess", square: int) -> int:
    """The kind of piece on the square; 0 if it is empty."""
    return (
        right(position.pawns, square) & 1
        | (right(position.knights, square) & 1) << 1
        | (right(position.diagonals, square) & 1) << 2
        | (right(position.orthogonals, square) & 1) << 3
        | (right(position.kings, square) & 1) << 4
    )


@compiled
def en_passant_is_legal(position: "Chess", square: int) -> bool:
    """Whether the pawn on the square may capture in passing: its king must be safe after (RULES 5)."""
    king = first(position.kings & position.own)
    to = first(position.passant)
    victim = left(1, to + 8 if position.turn != 0 else to - 8)
    enemies = position.other & ~victim
    after = (position.own | position.other) & ~victim & ~left(1, square) | position.passant
    leapers = PAWN[(position.turn & 1) << 6 | king] & position.pawns | KNIGHT[king] & position.knights
    return (
        leapers & enemies == 0
        and bishop_attacks(king, after) & position.diagonals & enemies == 0
        and rook_attacks(king, after) & position.orthogonals & enemies == 0
    )


@compiled
def can_en_passant(position: "Chess") -> bool:
    """Whether a capture in passing is legal; only then does the square matter (RULES 5, 8)."""
    if position.passant == 0:
        return False
    square = first(position.passant)
    pawns = PAWN[(1 - position.turn & 1) << 6 | square] & position.pawns & position.own
    while pawns != 0:
        if en_passant_is_legal(position, first(pawns)):
            return True
        pawns = rest(pawns)
    return False
