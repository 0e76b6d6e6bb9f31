"""Counting move paths: the specification of the rules in one number.

Won and lost positions have no moves; draws do not stop the count.
"""

from typing import Any

from plywise.core.outcome import LOST, WON
from plywise.core.words import compiled


@compiled
def perft(position: Any, depth: int, buffer: Any, n: int, most: int) -> int:
    """The number of paths of `depth` moves; the last ply is counted, not played.

    -1 if some position has more than `most` moves: the buffer must have room for depth * most.
    """
    outcome = position.outcome()
    if outcome == WON or outcome == LOST:
        return 0
    end = position.moves(buffer, n)
    if end - n > most:
        return -1
    if depth <= 1:
        return end - n
    total = 0
    for i in range(n, end):
        below = perft(position.play(buffer[i]), depth - 1, buffer, end, most)
        if below < 0:
            return -1
        total += below
    return total
