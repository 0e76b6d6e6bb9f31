"""The numbers of the search, each with its reason. None of them knows a game."""

import math

from plywise.core.words import Table

# A pass is searched this much less deep than a move: three turns, and one more for every six.
NULL_LESS, NULL_PER = 3, 6
NULL_FROM = 3  # below this depth a pass costs more than it saves

# Late moves are searched less deep first: log-shaped in depth and place, as engines of many
# games have found; a quiet first few moves are worth their full depth.
REDUCE_FROM = 3  # depth
REDUCE_AFTER = 3  # moves
REDUCE_SCALE = 2.25  # larger: smaller reductions (useful range 1.5 .. 3)
REDUCTIONS = Table(
    int(0.5 + math.log(max(1, depth)) * math.log(max(1, place)) / REDUCE_SCALE)
    for depth in range(64)
    for place in range(64)
)

# History scores fade towards this bound, so that old successes make room for new ones.
HISTORY_MOST = 1 << 14
HISTORY_BONUS_MOST = 1 << 11

# The first window around the last iteration's score, in hundredths of a pawn-like unit; it doubles
# on each failure.
ASPIRATION = 30
ASPIRATION_FROM = 5  # depth; shallow iterations swing too much

# A table entry says nothing about a draw counter: close to the limit it is not believed.
CLOCK_GUARD = 10

# Order of moves: the table's, then gains, killers, quiet moves by history, unsound noisy ones last.
FIRST, GAIN, KILLER, UNSOUND = 1 << 40, 1 << 30, 1 << 29, -(1 << 30)

POLL = 1024  # nodes between two looks at the stop flag
