"""Evaluations from textbooks and plans, by name: `shannon`, `control`, `material` and `material_mate`.

The unit of all of them is a hundredth of a pawn, so a formula's 0.1 counts 10. They are for the
side to move: its own minus the other's.
"""

from plywise.core.bits import Table, left, popcount, right
from plywise.core.compiled import compiled
from plywise.core.define import evaluation
from plywise.games.chess.attacks import attackers, in_check
from plywise.games.chess.counting import count_moves
from plywise.games.chess.rules import Chess
from plywise.games.chess.tables import FILE_A

KINGS = 20000  # two kings stand on every board, so this cancels out; the formulas have it
PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS = 100, 300, 300, 500, 900
MATE = 20000  # of a side that is mated on the last ply: as much as an evaluation can say
CENTRE = Table([27, 28, 35, 36])  # d4 e4 d5 e5


@compiled
def material_of(position: Chess, side: int) -> int:
    """The worth of a side's pieces: 1 3 3 5 9, and 200 for the king."""
    queens = position.diagonals & position.orthogonals
    return (
        KINGS * popcount(position.kings & side)
        + QUEENS * popcount(queens & side)
        + ROOKS * popcount(position.orthogonals & ~queens & side)
        + BISHOPS * popcount(position.diagonals & ~queens & side)
        + KNIGHTS * popcount(position.knights & side)
        + PAWNS * popcount(position.pawns & side)
    )


@compiled
def moves_of_both(position: Chess) -> int:
    """Legal moves of the side to move minus those of the other as if it were its turn.

    Captures in passing are left out on both sides, so that the two are counted alike.
    """
    other = position.skip()
    return count_moves(other.skip()) - count_moves(other)


@compiled
def doubled_pawns(pawns: int) -> int:
    """Pawns beyond the first on a file."""
    total = 0
    for file in range(8):
        total += max(0, popcount(pawns & left(FILE_A, file)) - 1)
    return total


@compiled
def blocked_pawns(pawns: int, occupied: int, black: int) -> int:
    """Pawns with any piece, of either side, directly in front."""
    return popcount((right(occupied, 8) if black == 0 else left(occupied, 8)) & pawns)


@compiled
def isolated_pawns(pawns: int) -> int:
    """Pawns without an own pawn on a neighbour file."""
    total = 0
    for file in range(8):
        beside = 0
        if file > 0:
            beside |= left(FILE_A, file - 1)
        if file < 7:
            beside |= left(FILE_A, file + 1)
        if pawns & beside == 0:
            total += popcount(pawns & left(FILE_A, file))
    return total


@compiled
def weak_pawns(pawns: int, occupied: int, black: int) -> int:
    """Doubled, blocked and isolated pawns of one side; a pawn counts once for each fault."""
    return doubled_pawns(pawns) + blocked_pawns(pawns, occupied, black) + isolated_pawns(pawns)


@compiled
def centre_squares(position: Chess, side: int) -> int:
    """How many of d4 e4 d5 e5 a side occupies or attacks."""
    occupied = position.own | position.other
    total = 0
    for square in CENTRE:
        if (attackers(position, square, occupied) | left(1, square) & occupied) & side != 0:
            total += 1
    return total


def material_terms(position: Chess) -> dict[str, float]:
    """The one term of `material`."""
    return {"material": material(position)}


def material_mate_terms(position: Chess) -> dict[str, float]:
    """Material, and what makes the whole a mate or a stalemate."""
    pieces = material(position)
    return {"material": pieces, "mate or stalemate": material_mate(position) - pieces}


def shannon_terms(position: Chess) -> dict[str, float]:
    """The five terms of `shannon`."""
    own, other = position.pawns & position.own, position.pawns & position.other
    occupied, turn = position.own | position.other, position.turn
    blocked = blocked_pawns(own, occupied, turn) - blocked_pawns(other, occupied, 1 - turn)
    return {
        "material": material(position),
        "doubled pawns": -50 * (doubled_pawns(own) - doubled_pawns(other)),
        "blocked pawns": -50 * blocked,
        "isolated pawns": -50 * (isolated_pawns(own) - isolated_pawns(other)),
        "mobility": 10 * moves_of_both(position),
    }


def control_terms(position: Chess) -> dict[str, float]:
    """The four terms of `control`."""
    centre = centre_squares(position, position.own) - centre_squares(position, position.other)
    return {
        "material": material(position),
        "check": -500 if in_check(position) else 0,
        "centre": 200 * centre,
        "mobility": 50 * moves_of_both(position),
    }


@evaluation(Chess, terms=material_terms)
def material(position: Chess) -> int:
    """The value of both sides' pieces compared."""
    return material_of(position, position.own) - material_of(position, position.other)


@evaluation(Chess, terms=material_mate_terms)
def material_mate(position: Chess) -> int:
    """Material, but a mate is worth 200 pawns and a stalemate nothing, also on the last ply of a search."""
    if count_moves(position) == 0:
        return -MATE if in_check(position) else 0
    return material_of(position, position.own) - material_of(position, position.other)


@evaluation(Chess, terms=shannon_terms)
def shannon(position: Chess) -> int:
    """Material, weak pawns at half a pawn each, and a tenth of a pawn for each legal move."""
    occupied = position.own | position.other
    weak = weak_pawns(position.pawns & position.own, occupied, position.turn)
    weak -= weak_pawns(position.pawns & position.other, occupied, 1 - position.turn)
    pieces = material_of(position, position.own) - material_of(position, position.other)
    return pieces - 50 * weak + 10 * moves_of_both(position)


@evaluation(Chess, terms=control_terms)
def control(position: Chess) -> int:
    """Material, 5 for check, 2 for each centre square held, half a pawn for each legal move."""
    pieces = material_of(position, position.own) - material_of(position, position.other)
    centre = centre_squares(position, position.own) - centre_squares(position, position.other)
    check = 500 if in_check(position) else 0  # only the side to move can stand in check
    return pieces - check + 200 * centre + 50 * moves_of_both(position)
