"""Solving groups of positions: the compiled sweep for one game, and the memory it works in."""

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.solved import Group, Slice, Solved
from plywise.core.words import Layout
from plywise.endgames import sweep
from plywise.native import compile
from plywise.search.memory import SPARE, Memory

CHUNK = 1 << 18  # positions between two looks at whether to stop: about a tenth of a second


class Stopped(Exception):
    """The work was asked to end."""


def endings(game: Game) -> Solved:
    """What a game lends of solved positions; a game without an index has none."""
    for one in game.lends:
        if isinstance(one, Solved):
            return one
    raise PlywiseError(f"{game.name} numbers no endings, so there is nothing to solve")


class Solver:
    """Finds the value of every position of a game's groups."""

    def __init__(self, game: Game) -> None:
        self.game, self.index = game, endings(game).index
        supplied = {
            "POSITION": game.position,
            **{n: getattr(self.index, n) for n in ("index", "place", "before")},
        }
        self.changes = {name: (getattr(sweep, name), value) for name, value in supplied.items()}
        self.fields = Layout(("moves", "i8", (game.most_moves + SPARE,))) + sweep.FIELDS
        self.advance = self.compiled(sweep.advance)
        self.start = game.start()

    def compiled(self, function: Callable[..., int]) -> Any:
        assert isinstance(function, FunctionType)
        return compile(function, self.game.position, self.fields, self.changes)

    def table(self, pieces: int) -> Any:
        """Room for the values of all positions of up to so many pieces."""
        return np.zeros(sum(group.size for group in self.index.upto(pieces)), np.uint8)

    def solve(self, group: Group, values: Any, tell: Callable[[int], bool] = lambda done: True) -> None:
        """Write the values of a group, those of all groups that it needs being there.

        `tell` hears how many positions were looked at, and ends the work by returning False.
        """
        values[group.first : group.first + group.size] = 0
        memory = Memory(self.fields, True)
        memory.lend("values", values)
        memory.lend("left", np.zeros(group.size, np.uint8))
        memory.lend("loss", np.zeros(group.size, np.uint8))
        record = memory.record
        record.base, record.limit = group.first, group.first + group.size
        record.pending, record.level = 0, -1
        while record.level < 0 or record.pending > 0:
            for one in group.slices:
                self.pass_over(one, memory, tell)
            record.level += 1
            if record.level > sweep.FARTHEST:
                raise PlywiseError(f"{self.game.name}: a win takes longer than {sweep.FARTHEST} plies")

    def pass_over(self, one: Slice, memory: Memory, tell: Callable[[int], bool]) -> None:
        """One sweep over a slice, in chunks."""
        memory.record.slice_first = one.first
        for low in range(0, one.size, CHUNK):
            high = min(low + CHUNK, one.size)
            self.advance(self.start, memory, one.number, low, high)
            if not tell(high - low if memory.record.level < 0 else 0):
                raise Stopped

    def asked(self, one: Slice, values: Any) -> Any:
        """The values of a slice, with HOLE wherever the file is never asked (see `Index`)."""
        memory = Memory(self.fields, True)
        result = values[one.first : one.first + one.size].copy()
        memory.lend("values", values)
        memory.lend("left", result)
        memory.record.base, memory.record.level = one.first, sweep.MASK
        self.pass_over(one, memory, lambda done: True)
        return result


def counts(values: Any) -> tuple[int, int, int]:
    """Won, lost and drawn positions among the values."""
    each = np.bincount(values, minlength=256)
    return int(each[2:255:2].sum()), int(each[1:255:2].sum()), int(each[0])
