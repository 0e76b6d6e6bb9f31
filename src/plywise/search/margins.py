"""The numbers of the search, each with its reason. None of them knows a game."""

import math

from plywise.core.words import Table

# The prunings below trust a first look at the position, so they are for calm positions only: those
# in which the game says that passing would prove something (no zugzwang, nothing urgent).

# Standing: so far above beta that this much a turn will not be lost again (useful range 60 .. 100).
STANDING_TO, STANDING_MARGIN = 3, 85  # depth, hundredths a turn
# Futility: so far below alpha that a quiet move will not make up for it.
# The depth is what a late move would be reduced to.
FUTILITY_TO, FUTILITY_BASE, FUTILITY_MARGIN = 3, 100, 90
# Delta: a noisy move must bring what lacks to alpha, less this much for what else may change.
DELTA_MARGIN = 300
# Late quiet moves: after (base + depth squared) moves, half as many if things are not improving.
LATE_TO, LATE_BASE = 8, 4
# Moves that lose by the exchange are left out up to these depths: quiet ones that lose more than this
# much times the depth squared, noisy ones that lose more than this much a turn.
EXCHANGE_TO, EXCHANGE_MARGIN = 6, 20
NOISY_TO, NOISY_MARGIN = 5, 90
# Singular: the table's move is searched a turn deeper if all others, looked at half as deep, are worse
# by this much a turn; two turns if by more. The table must know it almost as deep.
SINGULAR_FROM, SINGULAR_NEAR, SINGULAR_MARGIN, SINGULAR_TWICE = 8, 3, 3, 1000
# Without a move from the table the order is poor: such nodes are searched a turn less deep.
INTERNAL_FROM = 4
# History, of HISTORY_MOST at best, that is worth a turn of reduction.
HISTORY_TURN = 8000

# A pass is searched this much less deep than a move: three turns, one more for every four of depth,
# and up to three more the better the position looks.
NULL_LESS, NULL_PER, NULL_MARGIN, NULL_MORE = 3, 4, 200, 3
NULL_FROM = 3  # below this depth a pass costs more than it saves

# Late moves are searched less deep first: log-shaped in depth and place, as engines of many
# games have found; a quiet first few moves are worth their full depth.
REDUCE_FROM = 3  # depth
REDUCE_AFTER = 3  # moves
REDUCE_BEYOND = 3  # plies from the root: a sacrifice and what follows it must not be seen dimly
REDUCE_SCALE = 2.25  # larger: smaller reductions (useful range 1.5 .. 3)
REDUCTIONS = Table(
    int(0.5 + math.log(max(1, depth)) * math.log(max(1, place)) / REDUCE_SCALE)
    for depth in range(64)
    for place in range(64)
)

# History scores fade towards this bound, so that old successes make room for new ones.
HISTORY_MOST = 1 << 14
HISTORY_BONUS_MOST = 1 << 11
HISTORY_BONUS = 16  # times the depth squared

# The first window around the last iteration's score, in hundredths of a pawn-like unit; it doubles
# on each failure.
ASPIRATION = 30
ASPIRATION_FROM = 5  # depth; shallow iterations swing too much

# A table entry says nothing about a draw counter: close to the limit it is not believed.
CLOCK_GUARD = 10

# Order of moves: the table's, then gains, killers, quiet moves by history, unsound noisy ones last.
FIRST, GAIN, KILLER, UNSOUND = 1 << 40, 1 << 30, 1 << 29, -(1 << 30)
NOISY_BELOW = -(1 << 29)  # the order value of a quiet move is above this
PICKED = 3  # moves sought one at a time before the rest are sorted (useful range 2 .. 6)

POLL = 1024  # nodes between two looks at the stop flag
