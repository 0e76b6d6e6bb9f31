"""What an exchange on one square wins or loses, every capture made by the least valuable piece."""

from typing import TYPE_CHECKING

from plywise.core.bits import Table, first, left, right
from plywise.core.compiled import compiled
from plywise.games.chess.attacks import attackers, bishop_attacks, kind_at, rook_attacks
from plywise.games.chess.generate import BECOMES, KIND, TO
from plywise.games.chess.tables import KING_KIND, PAWN_KIND

if TYPE_CHECKING:
    from plywise.games.chess.rules import Chess

# Rounded worths for ordering and exchanges only, by kind; what a piece is really worth depends on
# the position and is the evaluation's business.
WORTH = Table([0, 100, 320, 0, 330, 0, 0, 0, 500, 0, 0, 0, 950, 0, 0, 0, 10000])


@compiled
def see_at_least(position: "Chess", move: int, least: int) -> bool:
    """Whether the exchange that the move begins brings its side at least `least`."""
    start, to, kind = move & 63, move >> TO & 63, move >> KIND & 31
    if right(position.own, to) & 1 != 0:
        return least <= 0  # castling takes nothing
    becomes = move >> BECOMES & 15
    balance = WORTH[kind_at(position, to)] - least
    occupied = (position.own | position.other) & ~left(1, start) | left(1, to)
    if becomes != 0:
        balance += WORTH[becomes] - WORTH[PAWN_KIND]
        kind = becomes
    elif kind == PAWN_KIND and left(1, to) == position.passant:
        balance += WORTH[PAWN_KIND]
        occupied &= ~left(1, to + 8 if position.turn != 0 else to - 8)
    if balance < 0:
        return False
    balance -= WORTH[kind]  # what is left if the piece is taken for nothing
    if balance >= 0:
        return True
    sides = attackers(position, to, occupied) & occupied
    mine = False  # whose turn it is to take: the other side begins
    diagonals, orthogonals = position.diagonals, position.orthogonals
    while True:
        takers = sides & (position.own if mine else position.other)
        if takers == 0:
            return not mine
        bit, kind = least_valuable(position, takers)
        if kind == KING_KIND:
            # A king takes only what is no longer guarded.
            guarded = sides & (position.other if mine else position.own) != 0
            return mine != guarded
        balance = -balance - 1 - WORTH[kind]
        occupied ^= bit
        mine = not mine
        if balance >= 0:
            return not mine
        if bit & (position.pawns | diagonals) != 0:
            sides |= bishop_attacks(to, occupied) & diagonals
        if bit & orthogonals != 0:
            sides |= rook_attacks(to, occupied) & orthogonals
        sides &= occupied


@compiled
def least_valuable(position: "Chess", takers: int) -> tuple[int, int]:
    """One of the least valuable of some pieces, and its kind."""
    queens = position.diagonals & position.orthogonals
    pieces, kind = takers & position.pawns, 1
    if pieces == 0:
        pieces, kind = takers & position.knights, 2
    if pieces == 0:
        pieces, kind = takers & position.diagonals & ~queens, 4
    if pieces == 0:
        pieces, kind = takers & position.orthogonals & ~queens, 8
    if pieces == 0:
        pieces, kind = takers & queens, 12
    if pieces == 0:
        pieces, kind = takers & position.kings, 16
    return left(1, first(pieces)), kind
