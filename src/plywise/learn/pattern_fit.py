"""Fit the tables of the form `patterns`: logistic regression of what the windows show, entry by entry.

A position names one entry of each window. Its error goes to those entries at once, each with a step of its
own that gets smaller the more it has learned (Adagrad), so that rare entries learn as well as common ones.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.core import learned
from plywise.core.bits import first, rest
from plywise.core.net_file import Shape
from plywise.learn.epochs import EPOCHS, Epoch, fit_epochs
from plywise.learn.fit import Positions, array_compiler, count_cells, second_columns
from plywise.learn.windows import Window, window_values

RATE = 0.03  # of learning, along a cosine
PARTS = 16  # of an epoch, each with its own rate
FLOOR = 1.0  # of the sum of squares that a step is divided by: an entry seen once is not trusted
MAX_ENTRY = 32000  # fits into 16 bits
CELLS = learned.CELLS


@dataclass
class TableNet:
    """The tables in floating point."""

    shape: Shape
    windows: tuple[Window, ...]
    tables: Any  # float32 (stages * entries,)

    def quantise(self) -> "TableNet":
        """The same tables in the steps of whole numbers that a file has."""
        one = learned.TABLE_ONE
        steps = np.clip(np.round(self.tables * one), -MAX_ENTRY, MAX_ENTRY)
        return TableNet(self.shape, self.windows, (steps / one).astype(np.float32))

    def values(self, stages: list[int], scale: int) -> dict[str, Any]:
        """The whole numbers of the file."""
        exact = self.quantise()
        return {
            **window_values(self.shape, self.windows),
            "net_tables": np.round(exact.tables * learned.TABLE_ONE).astype(int).tolist(),
            "net_output_bias": [0] * self.shape.stages,
            "net_stages": list(stages),
            "net_scale": scale,
        }


# --- the loops ------------------------------------------------------------------------------------
def find_entries(
    boards: Any, turns: Any, stages: Any, second: Any, columns: Any, offsets: Any, entries: int, found: Any
) -> None:
    """Write the entry of each window that the side to move sees."""
    windows, hidden = found.shape[1], columns.shape[1]
    for i in range(found.shape[0]):
        view = turns[i]
        for k in range(windows):
            found[i, k] = stages[i] * entries + offsets[view * hidden + k]
        for b in range(boards.shape[1]):
            word = int(boards[i, b])
            while word != 0:
                column = b * CELLS + first(word)
                word = rest(word)
                if view != 0:
                    column = second[column]
                for k in range(windows):
                    found[i, k] += columns[column, k]


def learn_entries(
    found: Any,
    targets: Any,
    chosen: Any,
    tables: Any,
    squares: Any,
    rate: float,
    floor: float,
    learning: bool,
) -> float:
    """The loss over the chosen positions; with `learning`, the tables are changed after each of them."""
    loss, windows = 0.0, found.shape[1]
    for n in range(chosen.shape[0]):
        i = chosen[n]
        value = 0.0
        for k in range(windows):
            value += tables[found[i, k]]
        chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))
        target = targets[i]
        safe = max(1e-7, min(1 - 1e-7, chance))
        loss -= target * math.log(safe) + (1 - target) * math.log(1 - safe)
        if not learning:
            continue
        error = chance - target
        for k in range(windows):
            entry = found[i, k]
            squares[entry] += error * error
            tables[entry] -= rate * error / math.sqrt(floor + squares[entry])
    return loss


# --- the fit --------------------------------------------------------------------------------------
class PatternTrainer:
    """Fits tables of one shape, by machine code or, `compiled=False`, by the same source in Python."""

    def __init__(self, shape: Shape, windows: tuple[Window, ...], compiled: bool = True) -> None:
        self.shape, self.windows = shape, windows
        self.second = second_columns(shape)
        run = array_compiler(compiled)
        self._find_entries, self.learn_entries = run(find_entries), run(learn_entries)
        self._count_cells = run(count_cells)
        values = window_values(shape, windows)
        self._columns = np.array(values["net_columns"], np.int64).reshape(shape.inputs, shape.hidden)
        self._offsets = np.array(values["net_offsets"], np.int64)

    def start(self, seed: int) -> TableNet:
        """Tables that say nothing yet."""
        return TableNet(
            self.shape, self.windows, np.zeros(self.shape.stages * self.shape.entries, np.float32)
        )

    def counts(self, boards: Any) -> Any:
        """How many cells are set in each position."""
        result = np.zeros(len(boards), np.int64)
        self._count_cells(boards, result)
        return result

    def entries(self, data: Positions) -> Any:
        """The entries of all positions."""
        found = np.zeros((len(data), len(self.windows)), np.int32)
        where = (data.boards, data.turns, data.stages, self.second, self._columns, self._offsets)
        self._find_entries(*where, self.shape.entries, found)
        return found

    def loss(self, net: TableNet, data: Positions) -> float:
        """The mean loss of tables."""
        return self.loss_of_entries(net, self.entries(data), data.targets)

    def loss_of_entries(self, net: TableNet, found: Any, targets: Any) -> float:
        """The mean loss of tables where the entries are known."""
        everything = np.arange(len(found))
        total = self.learn_entries(found, targets, everything, net.tables, net.tables, 0.0, FLOOR, False)
        return float(total) / max(1, len(found))

    def fit(
        self, net: TableNet, data: Positions, held_out: Positions, seed: int, epochs: int = EPOCHS
    ) -> Iterator[tuple[Epoch, TableNet]]:
        """The epochs of a fit, each with the best rounded tables so far; it ends when it gets no better."""
        return fit_epochs(_TableLearner(self, net.tables.copy(), data, held_out), seed, epochs)


class _TableLearner:
    """Tables that learn by Adagrad, a position at a time."""

    first_rate, last_rate = RATE, 0.0

    def __init__(self, trainer: PatternTrainer, tables: Any, data: Positions, held_out: Positions) -> None:
        self.trainer, self.tables, self.squares = trainer, tables, np.zeros_like(tables)
        self.targets, self.held_out_targets = data.targets, held_out.targets
        self.found, self.held_out_found = trainer.entries(data), trainer.entries(held_out)

    def __len__(self) -> int:
        return len(self.found) if len(self.held_out_found) else 0

    def split(self, order: Any) -> list[Any]:
        return np.array_split(order, PARTS)

    def learn(self, chosen: Any, rate: float) -> float:
        arrays = self.found, self.targets, chosen, self.tables, self.squares
        loss: float = self.trainer.learn_entries(*arrays, rate, FLOOR, True)
        return loss

    def round_net(self) -> TableNet:
        return TableNet(self.trainer.shape, self.trainer.windows, self.tables).quantise()

    def held_out_loss(self, net: TableNet) -> float:
        return self.trainer.loss_of_entries(net, self.held_out_found, self.held_out_targets)
