"""Counting move paths: the specification of the rules in one number.

Won and lost positions have no moves; draws do not stop the count.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from plywise.core.compiled import compiled
from plywise.core.outcome import LOST, WON

if TYPE_CHECKING:
    from plywise.core.game import Game


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


def divide(
    game: "Game",
    position: Any,
    depth: int,
    count: Callable[[Any, int], int],
    begin: Callable[[int], None] | None = None,
) -> Iterator[tuple[int, int]]:
    """Each legal move with the number of paths of `depth` moves that begin with it.

    `count` counts the paths from a position; `begin` is called with each move before it is counted.
    """
    for move in game.moves(position):
        if begin is not None:
            begin(move)
        yield move, count(position.play(move), depth - 1)
