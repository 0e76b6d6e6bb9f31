"""How many legal moves a side has, counted by sets without writing them down."""

from typing import TYPE_CHECKING

from plywise.core.bits import first, left, popcount, rest
from plywise.core.compiled import compiled
from plywise.games.chess.attacks import bishop_attacks, en_passant_is_legal, is_attacked, rook_attacks
from plywise.games.chess.generate import rotate_left
from plywise.games.chess.tables import (
    BETWEEN,
    BISHOP_RAYS,
    KING,
    KNIGHT,
    NOT_A,
    NOT_H,
    PAWN,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    ROOK_RAYS,
)

if TYPE_CHECKING:
    from plywise.games.chess.rules import Chess


@compiled
def count_moves(position: "Chess") -> int:
    """The number of legal moves of the side to move; a king is never taken."""
    own, occupied = position.own, position.own | position.other
    king = first(position.kings & own)
    takes, steps = position.other & ~position.kings, ~occupied
    total = 0
    targets = KING[king] & (takes | steps)
    while targets != 0:
        if not is_attacked(position, first(targets), occupied & ~left(1, king)):
            total += 1
        targets = rest(targets)
    checkers = checkers_of(position, king)
    if checkers != 0:
        if rest(checkers) != 0:
            return total
        takes &= checkers
        steps &= BETWEEN[king << 6 | first(checkers)]
    else:
        total += count_castling(position, king)
    pinned = 0
    snipers = position.other & (
        ROOK_RAYS[king] & position.orthogonals | BISHOP_RAYS[king] & position.diagonals
    )
    while snipers != 0:
        sniper = first(snipers)
        line = BETWEEN[king << 6 | sniper]
        blockers = line & occupied
        if blockers != 0 and rest(blockers) == 0 and blockers & own != 0:
            pinned |= blockers
            line |= left(1, sniper)
            total += count_pieces(position, blockers, takes & line, steps & line)
        snipers = rest(snipers)
    total += count_pieces(position, own & ~pinned, takes, steps)
    if position.passant != 0:
        pawns = PAWN[(1 - position.turn & 1) << 6 | first(position.passant)] & position.pawns & own
        while pawns != 0:
            if en_passant_is_legal(position, first(pawns)):
                total += 1
            pawns = rest(pawns)
    return total


@compiled
def checkers_of(position: "Chess", king: int) -> int:
    """The enemy's pieces that attack the king's square."""
    occupied = position.own | position.other
    return position.other & (
        PAWN[(position.turn & 1) << 6 | king] & position.pawns
        | KNIGHT[king] & position.knights
        | bishop_attacks(king, occupied) & position.diagonals
        | rook_attacks(king, occupied) & position.orthogonals
    )


@compiled
def count_castling(position: "Chess", king: int) -> int:
    """The castlings that are legal now (RULES 6); the king is not in check."""
    total, row, occupied = 0, king & 56, position.own | position.other
    rooks = position.castling & (RANK_8 if position.turn != 0 else RANK_1)
    while rooks != 0:
        rook = first(rooks)
        rooks = rest(rooks)
        to, beside = (row + 6, row + 5) if rook > king else (row + 2, row + 3)
        others = occupied & ~left(1, king) & ~left(1, rook)
        way = BETWEEN[king << 6 | to] | left(1, to)
        room = way | BETWEEN[rook << 6 | beside] | left(1, beside) | BETWEEN[king << 6 | rook]
        safe = room & others == 0
        while way != 0 and safe:
            safe = not is_attacked(position, first(way), others)
            way = rest(way)
        if safe:
            total += 1
    return total


@compiled
def count_pieces(position: "Chess", pieces: int, takes: int, steps: int) -> int:
    """Moves of these pieces, king and captures in passing apart, to the squares allowed."""
    targets = takes | steps
    occupied = position.own | position.other
    total = 0
    some = position.knights & pieces
    while some != 0:
        total += popcount(KNIGHT[first(some)] & targets)
        some = rest(some)
    some = position.diagonals & pieces
    while some != 0:
        total += popcount(bishop_attacks(first(some), occupied) & targets)
        some = rest(some)
    some = position.orthogonals & pieces
    while some != 0:
        total += popcount(rook_attacks(first(some), occupied) & targets)
        some = rest(some)
    pawns, up = position.pawns & pieces, 56 if position.turn != 0 else 8
    west, east = rotate_left(pawns & NOT_A, up - 1) & takes, rotate_left(pawns & NOT_H, up + 1) & takes
    single = rotate_left(pawns, up) & ~occupied
    double = rotate_left(single & (RANK_6 if position.turn != 0 else RANK_3), up) & ~occupied & steps
    single &= steps
    last = RANK_1 | RANK_8
    promoted = popcount(west & last) + popcount(east & last) + popcount(single & last)
    return total + popcount(west) + popcount(east) + popcount(single) + popcount(double) + 3 * promoted
