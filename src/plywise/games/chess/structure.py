"""Pawns, the shelter they give, and endings that are hard to win; the side in question plays upwards."""

from typing import TYPE_CHECKING, Any

from plywise.core.bits import first, left, popcount, rest, right
from plywise.core.compiled import compiled
from plywise.games.chess.tables import FILE_A, LIGHT, NOT_A, NOT_H

if TYPE_CHECKING:
    from plywise.games.chess.rules import Chess


@compiled
def fill_up(x: int) -> int:
    """The squares and all above them."""
    x |= left(x, 8)
    x |= left(x, 16)
    return x | left(x, 32)


@compiled
def fill_down(x: int) -> int:
    """The squares and all below them."""
    x |= right(x, 8)
    x |= right(x, 16)
    return x | right(x, 32)


@compiled
def adjacent(x: int) -> int:
    """The squares left and right of some squares."""
    return left(x & NOT_H, 1) | right(x & NOT_A, 1)


@compiled
def evaluate_pawns(weights: Any, mine: int, theirs: int) -> tuple[int, int, int]:
    """Pawns by square, together and alone: mg, eg, and which of them are passed."""
    guard = left(mine & NOT_A, 7) | left(mine & NOT_H, 9)
    their_guard = right(theirs & NOT_A, 9) | right(theirs & NOT_H, 7)
    files = fill_up(fill_down(mine))
    isolated = mine & ~adjacent(files)
    doubled = mine & fill_down(right(mine, 8))  # an own pawn is in front
    # Its way is guarded by a pawn, and no pawn beside or behind it can ever help.
    stops = left(mine, 8) & their_guard & ~fill_up(guard)
    backward = right(stops, 8) & ~isolated
    # No enemy pawn before it on three files, and no own pawn on its way.
    passed = mine & ~fill_down(right(theirs | adjacent(theirs), 8)) & ~doubled
    connected = mine & (guard | adjacent(mine))
    mg = (
        weights.weak_mg[0] * popcount(isolated)
        + weights.weak_mg[1] * popcount(doubled)
        + weights.weak_mg[2] * popcount(backward)
    )
    eg = (
        weights.weak_eg[0] * popcount(isolated)
        + weights.weak_eg[1] * popcount(doubled)
        + weights.weak_eg[2] * popcount(backward)
    )
    some = mine
    while some != 0:
        square = first(some)
        some = rest(some)
        mg += weights.worth_mg[0] + weights.squares_mg[square]
        eg += weights.worth_eg[0] + weights.squares_eg[square]
    some = connected
    while some != 0:
        rank = first(some) >> 3
        some = rest(some)
        mg += weights.connected_mg[rank]
        eg += weights.connected_eg[rank]
    return mg, eg, passed


@compiled
def steps_between(a: int, b: int) -> int:
    """A king's moves from one square to another on an empty board."""
    return max(abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3)))


@compiled
def evaluate_passed_pawns(
    weights: Any, passed: int, own_king: int, other_king: int, occupied: int, held: int, attacked: int
) -> tuple[int, int]:
    """Passed pawns: how far they are, who stands in their way, and which king is near."""
    mg, eg = 0, 0
    mine, theirs = first(own_king), first(other_king)
    while passed != 0:
        square = first(passed)
        passed = rest(passed)
        rank = square >> 3
        far = max(0, rank - 2)  # what happens before the fourth rank hardly matters
        stop = square + 8
        way = fill_up(left(1, stop))
        mg += weights.passed_mg[rank]
        eg += weights.passed_eg[rank]
        near = min(5, steps_between(mine, stop)) * far
        away = min(5, steps_between(theirs, stop)) * far
        eg += weights.escort_eg[0] * near + weights.escort_eg[1] * away
        if right(occupied, stop) & 1 != 0:
            mg += weights.runner_mg[0] * far
            eg += weights.runner_eg[0] * far
        if right(held, stop) & 1 != 0:
            mg += weights.runner_mg[1] * far
            eg += weights.runner_eg[1] * far
        if way & attacked == 0:
            mg += weights.runner_mg[2] * far
            eg += weights.runner_eg[2] * far
        if way & occupied == 0:
            mg += weights.runner_mg[3] * far
            eg += weights.runner_eg[3] * far
    return mg, eg


@compiled
def evaluate_shelter(weights: Any, king: int, mine: int, theirs: int) -> int:
    """Pawns before the king on its file and the two beside it; only the middlegame cares."""
    middle = max(1, min(6, king & 7))
    before = fill_up(left(1, king & 56) * 255)  # the king's rank and all above
    mg = weights.open_king_mg[0] * 0
    for file in range(middle - 1, middle + 2):
        line = left(FILE_A, file)
        own, other = line & before & mine, line & before & theirs
        shield = first(own) >> 3 if own != 0 else 0
        storm = first(other) >> 3 if other != 0 else 0
        mg += weights.shield_mg[shield] + weights.storm_mg[storm]
        if line & mine == 0:
            mg += weights.open_king_mg[0]
            if line & theirs == 0:
                mg += weights.open_king_mg[1]
    return mg


@compiled
def endgame_scale(position: "Chess", better: bool) -> int:
    """How much of an endgame advantage counts, of 64: less where the stronger side can hardly win."""
    strong = position.own if better else position.other
    weak = position.other if better else position.own
    pieces = position.knights | position.diagonals | position.orthogonals
    queens = position.diagonals & position.orthogonals
    bishops = position.diagonals & ~queens
    if position.pawns & strong == 0:
        # Without pawns it takes a rook more: a minor piece more does not win.
        if piece_points(position, strong) - piece_points(position, weak) <= 3:
            return 8
    elif pieces == bishops and popcount(bishops & strong) == 1 and popcount(bishops & weak) == 1:
        if (bishops & LIGHT) != 0 and (bishops & ~LIGHT) != 0:
            return 32  # bishops of opposite colours
    elif popcount(position.pawns & strong) == 1 and piece_points(position, strong) <= piece_points(
        position, weak
    ):
        return 48
    return 64


@compiled
def piece_points(position: "Chess", side: int) -> int:
    """A side's pieces without pawns: minor 3, rook 5, queen 9."""
    queens = position.diagonals & position.orthogonals
    return (
        3 * popcount((position.knights | position.diagonals & ~queens) & side)
        + 5 * popcount(position.orthogonals & ~queens & side)
        + 9 * popcount(queens & side)
    )
