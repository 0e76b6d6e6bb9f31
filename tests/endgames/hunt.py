"""A tiny game for the generator: two hunters on a line, each to step onto the other.

Both step one cell; the second may also leap from one end of the line to the other, so that some
hunts go on for ever. The values of all positions are found here the slow way, too.
"""

from typing import Any, NamedTuple

from plywise.core.compiled import compiled
from plywise.core.define import game
from plywise.core.endgame_index import EndgameDatabase, Group, Index, Slice
from plywise.core.outcome import LOST, OPEN

CELLS = 8


@compiled
def reach(cell: int, step: int, turn: int) -> int:
    """The cell behind a step (-1 or 1), or -1."""
    to = cell + step
    if 0 <= to < CELLS:
        return to
    return to % CELLS if turn == 1 else -1


@compiled
def index(position: Any) -> int:
    if position.own == position.other:
        return -1
    return (position.own * CELLS + position.other) * 2 + position.turn


@compiled
def place(number: int, i: int) -> tuple[int, int, int]:
    return i // 2 // CELLS, i // 2 % CELLS, i % 2


@compiled
def before(position: Any, buffer: Any, n: int) -> int:
    mover = 1 - position.turn
    for step in (-1, 1):
        source = reach(position.other, step, mover)  # steps can be taken back
        if source >= 0 and source != position.own:
            buffer[n] = (source * CELLS + position.own) * 2 + mover
            n += 1
    return n


INDEX = Index((Group(2, (Slice(0, "hunt", 0, 2 * CELLS * CELLS),), frozenset()),), index, place, before)
HUNTED = EndgameDatabase("hunted", "hunt", INDEX)


@game("hunt", most_moves=2, lends=(HUNTED,))
class Hunt(NamedTuple):
    own: int = 0
    other: int = CELLS - 1
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        for step in (-1, 1):
            if reach(self.own, step, self.turn) >= 0:
                buffer[n] = step + 1
                n += 1
        return n

    def play(self, move: int) -> "Hunt":
        return Hunt(self.other, reach(self.own, move - 1, self.turn), 1 - self.turn)

    def outcome(self) -> int:
        return LOST if self.own == self.other else OPEN


def slow_values(start: dict[Any, list[Any]]) -> dict[Any, int]:
    """The value of every position of a graph, by looking at all of them until nothing changes.

    A position without successors is lost.
    """
    values = {position: 1 for position, after in start.items() if not after}
    level = quiet = 0
    while quiet < 2:  # wins and losses come at every other level
        level, before = level + 1, len(values)
        for position, after in start.items():
            if position in values:
                continue
            told = [values.get(one, 0) for one in after]
            told = [value if value <= level else 0 for value in told]
            if any(value % 2 == 1 for value in told) or all(value != 0 for value in told):
                values[position] = level + 1
        quiet = quiet + 1 if len(values) == before else 0
    return {position: values.get(position, 0) for position in start}
