"""The gradient of the default evaluation of chess: how much each weight counts in a position, compiled.

All terms are linear in the weights, so the share of a weight is found by adding a little to it.
`benchmarks/chess_tune.py` fits with it; `plywise.core.evaluation.WeightTerms` is its slow twin.
"""

from typing import Any

import numpy as np

import plywise
from plywise.core.layout import Layout, at
from plywise.games.chess.evaluation import LAYOUT, WEIGHTS, evaluate_position
from plywise.search.specialisation import Specialisation
from plywise.search.thread_state import weights_record

COUNT = sum(size for _, _, (size,) in LAYOUT.fields)
FLAT = Layout(("value", "i8", (COUNT,)))
WHOLE = 24 * 64  # with weights in this unit, no division of the evaluation loses anything


def gradient(position: Any, memory: Any, count: int, unit: int, spare: int) -> int:
    """Write each weight's share of the evaluation, in `unit` of the whole, to the log; return their sum."""
    weights, flat, shares = (
        at(memory.weights, LAYOUT, 0),
        at(memory.weights, FLAT, 0),
        at(memory.log, FLAT, 0),
    )
    base = evaluate_position(position, weights)
    for i in range(count):
        flat.value[i] += unit
        shares.value[i] = evaluate_position(position, weights) - base
        flat.value[i] -= unit
    return base


class Gradient:
    """A function from a position to the shares of all weights, a float each."""

    def __init__(self) -> None:
        game = plywise.load("chess")
        self.specialisation = Specialisation(gradient, game, game.evaluation("default"))
        self.memory = self.specialisation.new_thread()
        values = {name: [WHOLE * v for v in row] for name, row in WEIGHTS.values().items()}
        self.weights = weights_record(LAYOUT, values, True)
        self.shares = np.zeros(COUNT, np.int64)
        self.memory.bind("weights", self.weights)
        self.memory.bind("log", self.shares)

    def __call__(self, position: Any) -> tuple[float, Any]:
        """The evaluation for the side to move, and the shares (until the next call)."""
        base = self.specialisation(position, self.memory, COUNT, WHOLE, 0)
        return base / WHOLE, self.shares / WHOLE
