"""The default evaluation: what a position is worth to the side to move, in hundredths of a pawn.

Every term has a value for the middlegame (mg) and one for the endgame (eg); the pieces left on the
board say how far the game is from one to the other. The board is turned so that the side in question
always plays upwards: each term is written once. Values come from weights.json; all terms are linear in
them, so that they can be named one by one (`core/evaluation.py`) and tuned.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plywise.core.bits import first, left, popcount, rest, right, swap
from plywise.core.compiled import compiled
from plywise.core.define import evaluation
from plywise.core.layout import Layout
from plywise.core.resources import Weights
from plywise.games.chess.attacks import bishop_attacks, rook_attacks
from plywise.games.chess.rules import Chess
from plywise.games.chess.structure import (
    endgame_scale,
    evaluate_passed_pawns,
    evaluate_pawns,
    evaluate_shelter,
    fill_down,
)
from plywise.games.chess.tables import FILE_A, KING, KNIGHT, LIGHT, NOT_A, NOT_H

LAYOUT = Layout(
    ("worth_mg", "i8", (6,)),  # pawn, knight, bishop, rook, queen, king
    ("worth_eg", "i8", (6,)),
    ("squares_mg", "i8", (384,)),  # by piece and square, the side playing upwards
    ("squares_eg", "i8", (384,)),
    ("mobility_mg", "i8", (128,)),  # knight, bishop, rook, queen: 32 each, by squares in reach
    ("mobility_eg", "i8", (128,)),
    ("connected_mg", "i8", (8,)),  # pawns beside or guarded by pawns, by rank
    ("connected_eg", "i8", (8,)),
    ("weak_mg", "i8", (3,)),  # isolated, doubled, backward pawns
    ("weak_eg", "i8", (3,)),
    ("passed_mg", "i8", (8,)),  # by rank
    ("passed_eg", "i8", (8,)),
    ("runner_mg", "i8", (4,)),  # passed pawns: blocked, guarded, way not attacked, way empty; by rank
    ("runner_eg", "i8", (4,)),
    ("escort_eg", "i8", (2,)),  # passed pawns: distance of own and of the other king, by rank
    ("pieces_mg", "i8", (6,)),  # bishop pair, outposts of knight and bishop, open, half-open file, bad bishop
    ("pieces_eg", "i8", (6,)),
    ("threats_mg", "i8", (8,)),  # see evaluate_threats
    ("threats_eg", "i8", (8,)),
    ("shield_mg", "i8", (8,)),  # nearest own pawn before the king, by rank, on each of three files
    ("storm_mg", "i8", (8,)),  # nearest enemy pawn there
    ("open_king_mg", "i8", (2,)),  # no own pawn, no pawn at all on a file beside the king
    ("danger_mg", "i8", (64,)),  # by units of pressure on the king
    ("danger_eg", "i8", (64,)),
    ("tempo_mg", "i8", (1,)),
    ("tempo_eg", "i8", (1,)),
)
WEIGHTS = Weights(LAYOUT, Path(__file__).with_name("weights.json"))
# What players call it, for each group of weights.
WORDS: dict[str, str | Sequence[str]] = {
    f"{field}_{phase}": words
    for phase in ("mg", "eg")
    for field, words in {
        "worth": "material",
        "squares": "placement",
        "mobility": "mobility",
        "connected": "connected pawns",
        "weak": ("isolated pawns", "doubled pawns", "backward pawns"),
        "passed": "passed pawns",
        "runner": "passed pawns",
        "escort": "passed pawns",
        "pieces": ("bishop pair", "outposts", "outposts", "open files", "open files", "bad bishops"),
        "threats": "threats",
        "shield": "king safety",
        "storm": "king safety",
        "open_king": "king safety",
        "danger": "king safety",
        "tempo": "tempo",
    }.items()
    if any(f"{field}_{phase}" == name for name, *_ in LAYOUT.fields)
}
WHOLE = 24  # phase of all pieces: minor 1, rook 2, queen 4
OUTPOSTS = 0x00007E7E7E000000  # ranks 4 to 6, files b to g


@compiled
def pawn_attacks_up(pawns: int) -> int:
    """What pawns that play upwards attack."""
    return left(pawns & NOT_A, 7) | left(pawns & NOT_H, 9)


@compiled
def pawn_attacks_down(pawns: int) -> int:
    """What pawns that play downwards attack."""
    return right(pawns & NOT_A, 9) | right(pawns & NOT_H, 7)


@compiled
def evaluate_pieces(
    weights: Any, pawns: int, knights: int, diagonals: int, orthogonals: int, kings: int, own: int, other: int
) -> tuple[int, int, int, int, int, int, int, int, int]:
    """One side's pieces: their squares, their reach, and their pressure on the other king.

    Returns mg, eg, the squares attacked by knights, bishops, rooks, queens, by anything, twice or
    more, and the pressure in units (see king_danger_units).
    """
    occupied, mine, theirs = own | other, pawns & own, pawns & other
    guard, their_guard = pawn_attacks_up(mine), pawn_attacks_down(theirs)
    target = KING[first(kings & other)]
    area = ~(own & (pawns | kings) | their_guard)
    king = first(kings & own)
    every = guard | KING[king]
    twice = left(mine & NOT_A, 7) & left(mine & NOT_H, 9) | guard & KING[king]
    safe = OUTPOSTS & guard & ~fill_down(their_guard)
    by_knights, by_bishops, by_rooks, by_queens = 0, 0, 0, 0
    pressure, attackers = 0, 0
    mg = weights.squares_mg[320 + king] + weights.worth_mg[5]
    eg = weights.squares_eg[320 + king] + weights.worth_eg[5]

    some = knights & own
    while some != 0:
        square = first(some)
        some = rest(some)
        reach = KNIGHT[square]
        twice |= every & reach
        every |= reach
        by_knights |= reach
        n = 0 + popcount(reach & area)
        mg += weights.worth_mg[1] + weights.squares_mg[64 + square] + weights.mobility_mg[n]
        eg += weights.worth_eg[1] + weights.squares_eg[64 + square] + weights.mobility_eg[n]
        if right(safe, square) & 1 != 0:
            mg += weights.pieces_mg[1]
            eg += weights.pieces_eg[1]
        if reach & target != 0:
            attackers += 1
            pressure += 3 + popcount(reach & target)

    queens = diagonals & orthogonals & own
    some = diagonals & own & ~queens
    if some != 0 and rest(some) != 0:
        mg += weights.pieces_mg[0]
        eg += weights.pieces_eg[0]
    while some != 0:
        square = first(some)
        some = rest(some)
        reach = bishop_attacks(square, occupied & ~queens)
        twice |= every & reach
        every |= reach
        by_bishops |= reach
        n = 32 + popcount(reach & area)
        mg += weights.worth_mg[2] + weights.squares_mg[128 + square] + weights.mobility_mg[n]
        eg += weights.worth_eg[2] + weights.squares_eg[128 + square] + weights.mobility_eg[n]
        if right(safe, square) & 1 != 0:
            mg += weights.pieces_mg[2]
            eg += weights.pieces_eg[2]
        colour = LIGHT if right(LIGHT, square) & 1 != 0 else ~LIGHT
        same = popcount(mine & colour)
        mg += weights.pieces_mg[5] * same
        eg += weights.pieces_eg[5] * same
        if reach & target != 0:
            attackers += 1
            pressure += 2 + popcount(reach & target)

    some = orthogonals & own & ~queens
    while some != 0:
        square = first(some)
        some = rest(some)
        reach = rook_attacks(square, occupied & ~(orthogonals & own))
        twice |= every & reach
        every |= reach
        by_rooks |= reach
        n = 64 + popcount(reach & area)
        mg += weights.worth_mg[3] + weights.squares_mg[192 + square] + weights.mobility_mg[n]
        eg += weights.worth_eg[3] + weights.squares_eg[192 + square] + weights.mobility_eg[n]
        file = left(FILE_A, square & 7)
        if file & mine == 0:
            open_file = 3 if file & theirs == 0 else 4
            mg += weights.pieces_mg[open_file]
            eg += weights.pieces_eg[open_file]
        if reach & target != 0:
            attackers += 1
            pressure += 3 + popcount(reach & target)

    some = queens
    while some != 0:
        square = first(some)
        some = rest(some)
        reach = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        twice |= every & reach
        every |= reach
        by_queens |= reach
        n = 96 + popcount(reach & area)
        mg += weights.worth_mg[4] + weights.squares_mg[256 + square] + weights.mobility_mg[n]
        eg += weights.worth_eg[4] + weights.squares_eg[256 + square] + weights.mobility_eg[n]
        if reach & target != 0:
            attackers += 1
            pressure += 4 + popcount(reach & target)
    if attackers < 2:
        pressure //= 2
    return mg, eg, by_knights, by_bishops, by_rooks, by_queens, every, twice, pressure


@compiled
def evaluate_threats(
    weights: Any, guard: int, minors: int, rooks: int, every: int, held: int, prey: int,
    minor_prey: int, rook_prey: int, queen_prey: int, pawn_prey: int, king_reach: int,
) -> tuple[int, int]:  # fmt: skip
    """Attacks on pieces of more worth, and on pieces that nobody holds."""
    pawn_on_minor = popcount(guard & minor_prey)
    pawn_on_major = popcount(guard & (rook_prey | queen_prey))
    minor_on_rook = popcount(minors & rook_prey)
    piece_on_queen = popcount((minors | rooks) & queen_prey)
    minor_on_minor = popcount(minors & minor_prey)
    loose = popcount(prey & every & ~held)
    loose_pawns = popcount(pawn_prey & every & ~held)
    by_king = popcount(king_reach & (prey | pawn_prey) & ~held)
    mg = (
        weights.threats_mg[0] * pawn_on_minor
        + weights.threats_mg[1] * pawn_on_major
        + weights.threats_mg[2] * minor_on_rook
        + weights.threats_mg[3] * piece_on_queen
        + weights.threats_mg[4] * minor_on_minor
        + weights.threats_mg[5] * loose
        + weights.threats_mg[6] * loose_pawns
        + weights.threats_mg[7] * by_king
    )
    eg = (
        weights.threats_eg[0] * pawn_on_minor
        + weights.threats_eg[1] * pawn_on_major
        + weights.threats_eg[2] * minor_on_rook
        + weights.threats_eg[3] * piece_on_queen
        + weights.threats_eg[4] * minor_on_minor
        + weights.threats_eg[5] * loose
        + weights.threats_eg[6] * loose_pawns
        + weights.threats_eg[7] * by_king
    )
    return mg, eg


@compiled
def king_danger_units(
    king: int, occupied: int, pressure: int, queen_there: int,
    knights: int, bishops: int, rooks: int, queens: int, every: int, twice: int, mine: int, mine_twice: int,
) -> int:  # fmt: skip
    """Units of danger to a king: attackers and squares beside it, weak squares, safe checks.

    `knights` to `twice` are what the other side attacks, `mine` what the king's side does.
    """
    ring = KING[king]
    weak = every & ~mine | twice & ~mine_twice & every
    open_to = ~mine | twice & ~mine_twice
    slanted, straight = bishop_attacks(king, occupied), rook_attacks(king, occupied)
    units = pressure + 2 * popcount(ring & weak)
    if KNIGHT[king] & knights & open_to != 0:
        units += 6
    if slanted & bishops & open_to != 0:
        units += 4
    if straight & rooks & open_to != 0:
        units += 7
    if (slanted | straight) & queens & open_to & ~ring != 0:
        units += 5
    if queen_there == 0:
        units = units // 2
    return min(63, units)


@compiled
def evaluate_position(position: Chess, weights: Any) -> int:
    """All terms of both sides, between middlegame and endgame."""
    pawns, knights, diagonals = position.pawns, position.knights, position.diagonals
    orthogonals, kings, own, other = position.orthogonals, position.kings, position.own, position.other
    if position.turn != 0:
        pawns, knights, diagonals, orthogonals = (
            swap(pawns),
            swap(knights),
            swap(diagonals),
            swap(orthogonals),
        )
        kings, own, other = swap(kings), swap(own), swap(other)
    occupied = own | other
    queens = diagonals & orthogonals
    minors = knights | diagonals & ~queens
    rooks = orthogonals & ~queens
    mine, theirs = pawns & own, pawns & other

    # 1. Pieces, each side seen from its own end.
    mg, eg, n1, b1, r1, q1, all1, two1, pressure1 = evaluate_pieces(
        weights, pawns, knights, diagonals, orthogonals, kings, own, other
    )
    flipped = evaluate_pieces(
        weights,
        swap(pawns),
        swap(knights),
        swap(diagonals),
        swap(orthogonals),
        swap(kings),
        swap(other),
        swap(own),
    )
    mg -= flipped[0]
    eg -= flipped[1]
    n2, b2, r2, q2 = swap(flipped[2]), swap(flipped[3]), swap(flipped[4]), swap(flipped[5])
    all2, two2, pressure2 = swap(flipped[6]), swap(flipped[7]), flipped[8]

    # 2. Pawns and the way of those that are passed.
    m, e, passed = evaluate_pawns(weights, mine, theirs)
    mg += m
    eg += e
    m, e, their_passed = evaluate_pawns(weights, swap(theirs), swap(mine))
    mg -= m
    eg -= e
    if passed != 0:
        m, e = evaluate_passed_pawns(weights, passed, kings & own, kings & other, occupied, all1, all2)
        mg += m
        eg += e
    if their_passed != 0:
        m, e = evaluate_passed_pawns(
            weights,
            their_passed,
            swap(kings & other),
            swap(kings & own),
            swap(occupied),
            swap(all2),
            swap(all1),
        )
        mg -= m
        eg -= e

    # 3. Threats.
    guard, their_guard = pawn_attacks_up(mine), pawn_attacks_down(theirs)
    m, e = evaluate_threats(
        weights, guard, n1 | b1, r1, all1, all2, other & (minors | rooks | queens), minors & other,
        rooks & other, queens & other, theirs, KING[first(kings & own)],
    )  # fmt: skip
    mg += m
    eg += e
    m, e = evaluate_threats(
        weights, their_guard, n2 | b2, r2, all2, all1, own & (minors | rooks | queens), minors & own,
        rooks & own, queens & own, mine, KING[first(kings & other)],
    )  # fmt: skip
    mg -= m
    eg -= e

    # 4. The kings' shelter and danger.
    king, enemy = first(kings & own), first(kings & other)
    mg += evaluate_shelter(weights, king, mine, theirs)
    mg -= evaluate_shelter(weights, enemy ^ 56, swap(theirs), swap(mine))
    units = king_danger_units(
        king, occupied, pressure2, queens & other, n2, b2, r2, q2, all2, two2, all1, two1
    )
    mg -= weights.danger_mg[units]
    eg -= weights.danger_eg[units]
    units = king_danger_units(
        enemy, occupied, pressure1, queens & own, n1, b1, r1, q1, all1, two1, all2, two2
    )
    mg += weights.danger_mg[units]
    eg += weights.danger_eg[units]

    # 5. Between middlegame and endgame; and less where the stronger side can hardly win.
    mg += weights.tempo_mg[0]
    eg += weights.tempo_eg[0]
    phase = min(WHOLE, popcount(minors) + 2 * popcount(rooks) + 4 * popcount(queens))
    eg = eg * endgame_scale(position, eg > 0) // 64
    return (mg * phase + eg * (WHOLE - phase)) // WHOLE


@evaluation(Chess, "default", weights=WEIGHTS, terms=WORDS)
def default(position: Chess, weights: Any) -> int:
    """Material, squares, mobility, pawns, threats and the safety of the kings, from weights.json."""
    return evaluate_position(position, weights)
