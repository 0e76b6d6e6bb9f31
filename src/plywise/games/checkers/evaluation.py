"""What a position is worth: `ring`, the first plan's own idea, and the default with trained weights.

Everything is seen by both sides alike: turning the board around and changing the colours changes
the sign and nothing else.
"""

from pathlib import Path
from typing import Any

from plywise.core.bits import Table, first, popcount, rest
from plywise.core.compiled import compiled
from plywise.core.define import evaluation
from plywise.core.layout import Layout
from plywise.core.resources import Weights
from plywise.games.checkers.rules import BLACK, WHITE, Checkers, jumpers
from plywise.games.checkers.squares import ROWS, SQUARES, board_of

# --- ring: men count by how near the rim they stand --------------------------------------------
RINGS = Table(
    board_of(
        n
        for n in range(1, 33)
        if max(abs(2 * ((n - 1) % 4) + (1 - (n - 1) // 4 % 2) - 3.5), abs((n - 1) // 4 - 3.5)) + 0.5 >= ring
    )
    for ring in (1, 2, 3, 4)
)
RING_KING = 5
NO_PIECE_LEFT = 1337  # of a side without pieces, on the last ply too: the plan's own number


@compiled
def ring_value(men: int, kings: int) -> int:
    """A man counts 4 on the rim down to 1 in the middle, a king 5 anywhere."""
    return (
        RING_KING * popcount(kings)
        + popcount(men & RINGS[0])
        + popcount(men & RINGS[1])
        + popcount(men & RINGS[2])
        + popcount(men & RINGS[3])
    )


def ring_terms(position: Any) -> dict[str, float]:
    """Men and kings of `ring`, or that a side has none."""
    own, other, kings = position.own, position.other, position.kings
    if own == 0 or other == 0:
        return {"no piece left": ring(position)}
    return {
        "men": ring_value(own & ~kings, 0) - ring_value(other & ~kings, 0),
        "kings": ring_value(0, own & kings) - ring_value(0, other & kings),
    }


@evaluation(Checkers, terms=ring_terms, unit=1)
def ring(position: Any) -> int:
    """The historical level: it holds the rim, and would give a king for two men on it."""
    own, other, kings = position.own, position.other, position.kings
    if other == 0:
        return NO_PIECE_LEFT
    if own == 0:
        return -NO_PIECE_LEFT
    return ring_value(own & ~kings, own & kings) - ring_value(other & ~kings, other & kings)


# --- default: patterns of men, and a few words about kings ----------------------------------------
MEN = 24  # the phase goes from all men on the board to none
CASES = 3**8  # eight squares, each empty, black or white
PAIRS = 4  # pairs of neighbouring rows 1-2, 2-3, 3-4 and 4-5; the others are these, turned around
TERNARY = Table(sum(3**i for i in range(8) if x >> i & 1) for x in range(256))
TURNED = Table(sum(3 ** (7 - i) for i in range(8) if x >> i & 1) for x in range(256))
BLACK_SYSTEM = ROWS[0] | ROWS[2] | ROWS[4] | ROWS[6]  # who has the move is told by counting these
FEW = 10  # the move matters with this number of pieces or fewer
OPENED = 18  # with more pieces on the board no man has a free way

LAYOUT = Layout(
    ("man", "i8"),
    ("king", "i8"),
    ("pairs", "i2", (2 * PAIRS * CASES,)),  # for each pair of rows, each case: many men, few men
    ("king_on", "i8", (35,)),  # by the bit of its square, as Black sees it
    ("king_alone", "i8"),  # only one side has kings
    ("king_steps", "i8"),  # for each step that kings have
    ("king_stuck", "i8"),  # a king without any
    ("free", "i8", (8,)),  # a man whom no enemy stands before, by rows to go
    ("man_steps", "i8"),  # for each step that men have
    ("turn", "i8"),  # being to move
    ("threat", "i8"),  # being to move while the other side could capture, if it were its turn
    ("move", "i8"),  # having the move, with few pieces and equal numbers
    ("trade", "i8"),  # a piece ahead counts more the fewer are left; by the full board
)


@compiled
def rows(board: int, pair: int) -> int:
    """The eight squares of rows `pair` and `pair + 1`."""
    low = board >> (4 * pair + pair // 2)
    return low & 255 if pair % 2 == 0 else low & 15 | low >> 1 & 240


@compiled
def men_patterns_value(black: int, white: int, weights: Any, phase: int) -> int:
    """The patterns of men in all pairs of neighbouring rows, for Black."""
    many = few = 0
    for pair in range(PAIRS):
        case = TERNARY[rows(black, pair)] + 2 * TERNARY[rows(white, pair)]
        i = 2 * (pair * CASES + case)
        many += weights.pairs[i]
        few += weights.pairs[i + 1]
        back = 6 - pair  # the same rows as White sees them
        case = TURNED[rows(white, back)] + 2 * TURNED[rows(black, back)]
        i = 2 * (pair * CASES + case)
        many -= weights.pairs[i]
        few -= weights.pairs[i + 1]
    return many * phase + few * (MEN - phase)


@compiled
def fill_below(board: int) -> int:
    """All squares that a man moving up could come from to meet one of these."""
    for _ in range(7):
        board |= (board >> 4 | board >> 5) & SQUARES
    return board


@compiled
def fill_above(board: int) -> int:
    """All squares that a man moving down could come from to meet one of these."""
    for _ in range(7):
        board |= (board << 4 | board << 5) & SQUARES
    return board


@compiled
def kings_value(kings: int, empty: int, weights: Any, turned: int) -> int:
    """What kings are worth by where they stand and how they can step."""
    score = 0
    while kings != 0:
        at = first(kings)
        kings = rest(kings)
        here = 1 << at
        around = here << 4 | here << 5 | here >> 4 | here >> 5
        steps = popcount(around & empty)
        score += weights.king + weights.king_on[34 - at if turned != 0 else at]
        score += weights.king_steps * steps
        if steps == 0:
            score += weights.king_stuck
    return score


@compiled
def evaluate_black(black: int, white: int, kings: int, turn: int, weights: Any) -> int:
    """The evaluation for Black."""
    black_men, white_men = black & ~kings, white & ~kings
    black_kings, white_kings = black & kings, white & kings
    empty = SQUARES & ~(black | white)
    men = popcount(black_men | white_men)
    score: int = weights.man * (popcount(black_men) - popcount(white_men))
    score += kings_value(black_kings, empty, weights, 0) - kings_value(white_kings, empty, weights, 1)
    if black_kings != 0 and white_kings == 0:
        score += weights.king_alone
    if white_kings != 0 and black_kings == 0:
        score -= weights.king_alone
    pieces = popcount(black | white)
    if pieces <= OPENED:
        free = black_men & ~fill_below(white)
        while free != 0:
            score += weights.free[7 - row_of(first(free))]
            free = rest(free)
        free = white_men & ~fill_above(black)
        while free != 0:
            score -= weights.free[row_of(first(free))]
            free = rest(free)
    ahead = popcount(black) - popcount(white)
    if ahead == 0 and pieces <= FEW:
        # The side to move has the move if the pieces on its system's rows are odd in number.
        system = BLACK_SYSTEM if turn == BLACK else SQUARES & ~BLACK_SYSTEM
        has = popcount((black | white) & system) & 1
        score += weights.move if (has == 1) == (turn == BLACK) else -weights.move
    steps = popcount(black_men << 4 & empty) + popcount(black_men << 5 & empty)
    steps -= popcount(white_men >> 4 & empty) + popcount(white_men >> 5 & empty)
    score += weights.man_steps * steps
    if turn == BLACK:
        score += weights.turn
        if jumpers(white, black, kings, WHITE) != 0:
            score += weights.threat
    else:
        score -= weights.turn
        if jumpers(black, white, kings, BLACK) != 0:
            score -= weights.threat
    fine: int = men_patterns_value(black_men, white_men, weights, men) + weights.trade * ahead * (
        MEN - pieces
    )
    # Rounded towards zero, so that both sides are rounded alike.
    return score + fine // MEN if fine >= 0 else score - -fine // MEN


@compiled
def row_of(bit: int) -> int:
    """The row of a square, 0 to 7 from Black's side."""
    return (bit - bit // 9) >> 2


@evaluation(
    Checkers,
    "default",
    weights=Weights(LAYOUT, Path(__file__).with_name("weights.json")),
    terms={
        "man": "material",
        "king": "material",
        "pairs": "formation",
        "king_on": "kings' places",
        "king_alone": "the only king",
        "king_steps": "kings' freedom",
        "king_stuck": "kings' freedom",
        "free": "runaway men",
        "man_steps": "men's freedom",
        "turn": "tempo",
        "threat": "threats",
        "move": "the move",
        "trade": "trades",
    },
)
def trained(position: Any, weights: Any) -> int:
    """Material, patterns of men, kings' places and freedom, runaway men, the move; weights in a file."""
    own, other, kings = position.own, position.other, position.kings
    if position.turn == BLACK:
        return evaluate_black(own, other, kings, position.turn, weights)
    return -evaluate_black(other, own, kings, position.turn, weights)
