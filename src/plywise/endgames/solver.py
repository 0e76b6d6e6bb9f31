"""Solving groups of positions: the compiled sweep for one game, and the thread state it works in."""

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from plywise.core.endgame_index import EndgameDatabase, Group, Slice, find_database
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.layout import Layout
from plywise.endgames import sweep
from plywise.native import compile
from plywise.search.thread_state import SPARE_MOVES, ThreadState

CHUNK = 1 << 18  # positions between two looks at whether to stop: about a tenth of a second


class Stopped(Exception):
    """The work was asked to end."""


def endgame_database(game: Game) -> EndgameDatabase:
    """The resource of a game that holds its solved positions; a game without an index has none."""
    database = find_database(game)
    if database is None:
        raise PlywiseError(f"{game.name} numbers no endings, so there is nothing to solve")
    return database


class Solver:
    """Finds the value of every position of a game's groups."""

    def __init__(self, game: Game) -> None:
        self.game, self.index = game, endgame_database(game).index
        supplied = {
            "POSITION": game.position,
            **{n: getattr(self.index, n) for n in ("index", "place", "before")},
        }
        self.changes = {name: (getattr(sweep, name), value) for name, value in supplied.items()}
        self.fields = Layout(("moves", "i8", (game.most_moves + SPARE_MOVES,))) + sweep.FIELDS
        self.advance = self.compile_for_game(sweep.advance)
        self.start = game.start()

    def compile_for_game(self, function: Callable[..., int]) -> Any:
        assert isinstance(function, FunctionType)
        return compile(function, self.game.position, self.fields, self.changes)

    def new_values(self, pieces: int) -> Any:
        """Room for the values of all positions of up to this many pieces."""
        return np.zeros(sum(group.size for group in self.index.up_to(pieces)), np.uint8)

    def solve(self, group: Group, values: Any, progress: Callable[[int], bool] = lambda done: True) -> None:
        """Write the values of a group; those of all groups that it needs are there already.

        `progress` is called with the number of positions done, and ends the work by returning False.
        """
        values[group.first : group.first + group.size] = 0
        memory = ThreadState(self.fields, True)
        memory.bind("values", values)
        memory.bind("left", np.zeros(group.size, np.uint8))
        memory.bind("loss", np.zeros(group.size, np.uint8))
        record = memory.record
        record.base, record.limit = group.first, group.first + group.size
        record.pending, record.level = 0, -1
        while record.level < 0 or record.pending > 0:
            for one in group.slices:
                self.sweep_slice(one, memory, progress)
            record.level += 1
            if record.level > sweep.MAX_DISTANCE:
                raise PlywiseError(f"{self.game.name}: a win takes longer than {sweep.MAX_DISTANCE} plies")

    def sweep_slice(self, one: Slice, memory: ThreadState, progress: Callable[[int], bool]) -> None:
        """One sweep over a slice, in chunks."""
        memory.record.slice_first = one.first
        for low in range(0, one.size, CHUNK):
            high = min(low + CHUNK, one.size)
            self.advance(self.start, memory, one.number, low, high)
            if not progress(high - low if memory.record.level < 0 else 0):
                raise Stopped

    def probed_values(self, one: Slice, values: Any) -> Any:
        """The values of a slice, with HOLE for those that are never probed (see core/endgame_index.py)."""
        memory = ThreadState(self.fields, True)
        result = values[one.first : one.first + one.size].copy()
        memory.bind("values", values)
        memory.bind("left", result)
        memory.record.base, memory.record.level = one.first, sweep.UNPROBED_LEVEL
        self.sweep_slice(one, memory, lambda done: True)
        return result


def count_verdicts(values: Any) -> tuple[int, int, int]:
    """Won, lost and drawn positions among the values."""
    each = np.bincount(values, minlength=256)
    return int(each[2:255:2].sum()), int(each[1:255:2].sum()), int(each[0])
