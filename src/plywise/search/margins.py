"""The numbers of the search, each with its reason. None of them knows a game."""

import math

from plywise.core.bits import Table

# The prunings below trust the static evaluation, so they are for calm positions only: those
# in which the game says that passing would prove something (no zugzwang, nothing urgent).

# Reverse futility: so far above beta that this much a turn will not be lost again (useful range 60 .. 100).
REVERSE_FUTILITY_MAX_DEPTH, REVERSE_FUTILITY_MARGIN = 3, 85  # depth, hundredths a turn
# Futility: so far below alpha that a quiet move will not make up for it.
# The depth is what a late move would be reduced to.
FUTILITY_MAX_DEPTH, FUTILITY_BASE, FUTILITY_MARGIN = 3, 100, 90
# Delta: a noisy move must bring the score to alpha, less this much for what else may change.
DELTA_MARGIN = 300
# Late move pruning: no quiet move after (base + depth squared) moves, half as many if the evaluation is
# not improving.
LATE_MOVE_MAX_DEPTH, LATE_MOVE_BASE = 8, 4
# Static exchange evaluation: moves that lose by the exchange are left out up to these depths, quiet ones
# that lose more than this much times the depth squared, noisy ones that lose more than this much a turn.
SEE_QUIET_MAX_DEPTH, SEE_QUIET_MARGIN = 6, 20
SEE_NOISY_MAX_DEPTH, SEE_NOISY_MARGIN = 5, 90
# Singular extension: the table's move is searched a turn deeper if all others, searched half as deep, are
# worse by this much a turn; two turns if by more. The table's entry must be almost as deep.
SINGULAR_MIN_DEPTH, SINGULAR_DEPTH_MARGIN, SINGULAR_MARGIN, DOUBLE_EXTENSION_MARGIN = 8, 3, 3, 1000
# Internal iterative reduction: without a move from the table a node is searched a turn less deep.
INTERNAL_REDUCTION_MIN_DEPTH = 4
# History, of HISTORY_MAX at best, that is worth a turn of reduction.
HISTORY_PER_REDUCTION = 8000

# Null move: a pass is searched this much less deep than a move: three turns, one more for every four of
# depth, and up to three more the better the position looks.
NULL_MOVE_REDUCTION, NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_EVAL_DIVISOR, NULL_MOVE_EVAL_MAX = 3, 4, 200, 3
NULL_MOVE_MIN_DEPTH = 3  # below this depth a pass costs more than it saves

# Late move reductions: log-shaped in depth and place, as engines of many games have found; the first
# few moves are worth their full depth.
REDUCTION_MIN_DEPTH = 3  # depth
REDUCTION_MIN_MOVES = 3  # moves
REDUCTION_MIN_PLY = 3  # plies from the root: a sacrifice and what follows it get their full depth
REDUCTION_DIVISOR = 2.25  # larger: smaller reductions (useful range 1.5 .. 3)
BASE_REDUCTION = Table(
    int(0.5 + math.log(max(1, depth)) * math.log(max(1, place)) / REDUCTION_DIVISOR)
    for depth in range(64)
    for place in range(64)
)

# History scores fade towards this bound, so that old successes make room for new ones.
HISTORY_MAX = 1 << 14
HISTORY_BONUS_MAX = 1 << 11
HISTORY_BONUS = 16  # times the depth squared

# The first window around the last iteration's score, in hundredths of a pawn-like unit. It becomes four
# times as wide on each failure, and the whole range after the second.
ASPIRATION_WINDOW = 30
ASPIRATION_MIN_DEPTH = 5  # depth; shallow iterations swing too much

# A table entry does not know the draw counter: close to the limit it is not believed.
DRAW_PLIES_GUARD = 10

# Order of moves: the table's, captures, killers, quiet moves by history, losing captures last.
ORDER_TABLE_MOVE, ORDER_CAPTURE, ORDER_KILLER, ORDER_LOSING_CAPTURE = 1 << 40, 1 << 30, 1 << 29, -(1 << 30)
ORDER_QUIET_MIN = -(1 << 29)  # the order value of a quiet move is above this
SELECTION_SORT_MOVES = 3  # moves sought one at a time before the rest are sorted (useful range 2 .. 6)

POLL = 1024  # nodes between two looks at the stop flag
