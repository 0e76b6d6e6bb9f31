"""Marks of moves: how much of its side's chance a move gave away, in the words of annotated games.

Chances and accuracies follow lichess' published formulas.
"""

import math

# Lichess judges on a scale from -1 to 1, which is twice a chance from 0 to 1.
MARKS = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))


def move_mark(before: float, after: float) -> str | None:
    """The mark of a move that took its side's chance from `before` to `after`.

    >>> move_mark(0.5, 0.49), move_mark(0.5, 0.42), move_mark(0.5, 0.38), move_mark(0.9, 0.5)
    (None, 'inaccuracy', 'mistake', 'blunder')
    """
    return next((mark for drop, mark in MARKS if before - after >= drop), None)


def accuracy(before: float, after: float) -> float:
    """How good a move was, from 0 to 100.

    >>> round(accuracy(0.5, 0.6), 1), round(accuracy(0.5, 0.4), 1), round(accuracy(1.0, 0.0), 1)
    (100.0, 63.6, 0.0)
    """
    drop = max(0.0, (before - after) * 100)
    return max(0.0, min(100.0, 103.1668 * math.exp(-0.04354 * drop) - 3.1669))
