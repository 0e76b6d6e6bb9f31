"""Scores: whole numbers for the side to move, in named bands.

    WIN - n                          won in n plies by force (n from the root; 1: this move wins)
    DATABASE_WIN +- 3000             won by a database that knows no distance
    -MAX_EVALUATION..MAX_EVALUATION  an evaluation
    and the same below zero for losses

An evaluation is cut to its band, so that no opinion looks like a result.
"""

from enum import StrEnum

from plywise.core.compiled import compiled

WIN = 32000
MAX_WIN_PLIES = 1000  # no forced win is counted beyond this distance
DECISIVE = WIN - MAX_WIN_PLIES  # from here on a score says how far the win is
DATABASE_WIN = 27000
MAX_EVALUATION = 20000
SURE = DATABASE_WIN - 3000  # from here on a score is a win, with or without a distance
INFINITE = 32500
UNKNOWN = 1 << 20  # a database has no answer


class Kind(StrEnum):
    """How far a score can be trusted."""

    PROVEN = "proven"  # true whatever lies beyond the depth
    EXACT = "exact"  # the minimax value of its depth
    BOUND = "bound"  # at least (or at most) this much
    ESTIMATE = "estimate"  # the search's best judgement


@compiled
def win_in(plies: int) -> int:
    """The score of a win in this many plies."""
    return WIN - plies


@compiled
def loss_in(plies: int) -> int:
    """The score of a loss in this many plies."""
    return plies - WIN


@compiled
def is_decisive(score: int) -> bool:
    """The score is a win or a loss whose distance is known."""
    return score > DECISIVE or score < -DECISIVE


@compiled
def is_sure(score: int) -> bool:
    """The score is a win or a loss, by distance or by a database."""
    return score > SURE or score < -SURE


def add_plies(score: int, plies: int) -> int:
    """A score as seen from this number of plies before: wins and losses are as much further away."""
    if not is_decisive(score):
        return score
    return score - plies if score > 0 else score + plies


def distance(score: int) -> int | None:
    """How many plies away a decisive score's win or loss is; None for any other score."""
    return WIN - abs(score) if is_decisive(score) else None
