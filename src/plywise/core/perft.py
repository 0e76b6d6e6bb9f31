"""Counting move paths: the specification of the rules in one number.

Won and lost positions have no moves; draws do not stop the count.
"""

from typing import Any

from plywise.core.compiled import compiled
from plywise.core.outcome import LOST, WON


@compiled
def perft(position: Any, memory: Any, depth: int, n: int, most: int) -> int:
    """The number of paths of `depth` moves; the last ply is counted, not played.

    Moves are written to memory.moves from n on. -1: a position has more than `most` moves.
    """
    outcome = position.outcome()
    if outcome == WON or outcome == LOST:
        return 0
    end = position.moves(memory.moves, n)
    if end - n > most:
        return -1
    if depth <= 1:
        return end - n
    total = 0
    for i in range(n, end):
        below = perft(position.play(memory.moves[i]), memory, depth - 1, end, most)
        if below < 0:
            return -1
        total += below
    return total
