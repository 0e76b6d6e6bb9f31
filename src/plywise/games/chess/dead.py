"""Dead positions: no series of legal moves leads to mate, so the game is drawn (RULES 8)."""

from typing import TYPE_CHECKING

from plywise.core.bits import first, left, rest, right
from plywise.core.compiled import compiled
from plywise.games.chess.attacks import black, in_check, white
from plywise.games.chess.tables import KING, LIGHT, NOT_A, NOT_H

if TYPE_CHECKING:
    from plywise.games.chess.rules import Chess


@compiled
def is_dead(position: "Chess") -> bool:
    """Whether neither side can ever mate: too few pieces, or pawns that lock the board."""
    if position.orthogonals != 0:
        return False
    knights, bishops = position.knights, position.diagonals
    if position.pawns != 0:
        return knights | bishops == 0 and is_locked(position)
    if knights == 0:
        # Bishops of one colour of squares leave their king's neighbours on the other colour alone.
        return bishops & LIGHT == 0 or bishops & ~LIGHT == 0
    return bishops == 0 and rest(knights) == 0


@compiled
def is_locked(position: "Chess") -> bool:
    """Kings and pawns only: no pawn can ever move or take, and no king ever reach one to take it."""
    ours, theirs = white(position) & position.pawns, black(position) & position.pawns
    if left(ours, 8) & ~theirs != 0 or right(theirs, 8) & ~ours != 0:
        return False
    guarded_by_white = left(ours & NOT_A, 7) | left(ours & NOT_H, 9)
    guarded_by_black = right(theirs & NOT_H, 7) | right(theirs & NOT_A, 9)
    if guarded_by_white & theirs != 0 or guarded_by_black & ours != 0 or in_check(position):
        return False
    if position.passant & (guarded_by_white | guarded_by_black) != 0:
        return False
    return not (
        reaches(white(position) & position.kings, ours | guarded_by_black, theirs)
        or reaches(black(position) & position.kings, theirs | guarded_by_white, ours)
    )


@compiled
def reaches(king: int, walls: int, prey: int) -> bool:
    """Whether a king that may not step on the walls can come to the prey, the enemy king put aside."""
    seen, edge = king, king
    while edge != 0:
        steps = 0
        while edge != 0:
            steps |= KING[first(edge)]
            edge = rest(edge)
        edge = steps & ~walls & ~seen
        seen |= edge
        if edge & prey != 0:
            return True
    return False
