"""Fit a net to positions: logistic regression of what was seen, by Adam, on one core.

The loops are written for machine code (`native/arrays.py`) and run by Python just as well. A view of a
position is the sum of the columns of its set cells; the score is made from both views as in
`core/learned.py`, in floating point.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any, cast

import numpy as np

from plywise.core import learned
from plywise.core.bits import first, popcount, rest
from plywise.core.net_file import Shape
from plywise.core.specialise import Specialiser
from plywise.learn.epochs import EPOCHS, Epoch, fit_epochs

FIRST_RATE, LAST_RATE = 4e-3, 1e-4  # of learning, along a cosine
BATCH, LARGE_BATCH, MANY = 4096, 16384, 5_000_000  # positions a step; the large one for data of MANY
MEAN_DECAY, SQUARE_DECAY, TINY = 0.9, 0.999, 1e-8  # Adam's usual numbers
MAX_WEIGHT = learned.MAX_OUTPUT / learned.OUTPUT_ONE  # 1.98: what an output weight can be in the file
CELLS = learned.CELLS
I16 = 32767


@dataclass
class Positions:
    """What a net is fitted to: boards, the side to move, the stage, and the share of the points wanted."""

    boards: Any  # int64 (n, boards)
    turns: Any  # int64 (n,)
    stages: Any  # int64 (n,)
    targets: Any  # float32 (n,): for the side to move
    base: Any  # float32 (n,): what is added to the output before it is a chance

    def __len__(self) -> int:
        return len(self.turns)

    def arrays(self) -> tuple[Any, ...]:
        return self.boards, self.turns, self.stages, self.targets, self.base


@dataclass
class FloatNet:
    """A net in floating point."""

    shape: Shape
    columns: Any  # (inputs, hidden)
    bias: Any  # (hidden,)
    outputs: Any  # (stages, 2 * hidden)
    output_bias: Any  # (stages,)

    @classmethod
    def random(cls, shape: Shape, seed: int) -> "FloatNet":
        """A net that says nothing yet: small columns, outputs of 0 for a correction."""
        dice = np.random.default_rng(seed)
        columns = dice.normal(0, 0.1, (shape.inputs, shape.hidden)).astype(np.float32)
        outputs = dice.normal(0, 0.1, (shape.stages, 2 * shape.hidden)).astype(np.float32)
        outputs[:, shape.hidden :] = -outputs[:, : shape.hidden]  # what is good for one is bad for the other
        if shape.form == "correction":
            outputs[:] = 0
        bias = np.full(shape.hidden, 0.25, np.float32)
        return cls(shape, columns, bias, outputs, np.zeros(shape.stages, np.float32))

    @property
    def parts(self) -> tuple[Any, ...]:
        return self.columns, self.bias, self.outputs, self.output_bias

    def copy(self) -> "FloatNet":
        return FloatNet(self.shape, *(part.copy() for part in self.parts))

    def quantise(self) -> "FloatNet":
        """The same net in the steps of whole numbers that a file has."""
        one, top = learned.OUTPUT_ONE, learned.TOP
        columns, bias = (np.round(part * top) / top for part in (self.columns, self.bias))
        outputs = np.clip(np.round(self.outputs * one), -learned.MAX_OUTPUT, learned.MAX_OUTPUT) / one
        output_bias = np.round(self.output_bias * top * one) / (top * one)
        return FloatNet(
            self.shape, *(part.astype(np.float32) for part in (columns, bias, outputs, output_bias))
        )

    def values(self, stages: list[int], scale: int) -> dict[str, Any]:
        """The whole numbers of the file."""
        one, top = learned.OUTPUT_ONE, learned.TOP
        exact = self.quantise()
        return {
            "net_columns": np.round(exact.columns.ravel() * top).astype(int).tolist(),
            "net_bias": np.round(exact.bias * top).astype(int).tolist(),
            "net_outputs": np.round(exact.outputs.ravel() * one).astype(int).tolist(),
            "net_output_bias": np.round(exact.output_bias * (top * one)).astype(int).tolist(),
            "net_stages": list(stages),
            "net_scale": scale,
        }


# --- the loops ------------------------------------------------------------------------------------
def add_gradients(
    boards: Any,
    turns: Any,
    stages: Any,
    targets: Any,
    base: Any,
    chosen: Any,
    second: Any,
    columns: Any,
    bias: Any,
    outputs: Any,
    output_bias: Any,
    columns_gradient: Any,
    bias_gradient: Any,
    outputs_gradient: Any,
    output_bias_gradient: Any,
    learning: bool,
) -> float:
    """The loss over the chosen positions; with `learning`, its gradients are added to the arrays."""
    hidden = bias.shape[0]
    sums = np.zeros((2, hidden), np.float32)
    deltas = np.zeros((2, hidden), np.float32)
    active = np.zeros((2, CELLS * boards.shape[1]), np.int64)
    loss = 0.0
    for n in range(chosen.shape[0]):
        i = chosen[n]
        # 1. The sums of both views.
        for k in range(hidden):
            sums[0, k] = bias[k]
            sums[1, k] = bias[k]
        count = 0
        for b in range(boards.shape[1]):
            word = int(boards[i, b])
            while word != 0:
                column = b * CELLS + first(word)
                word = rest(word)
                other = second[column]
                active[0, count] = column
                active[1, count] = other
                count += 1
                for k in range(hidden):
                    sums[0, k] += columns[column, k]
                for k in range(hidden):
                    sums[1, k] += columns[other, k]
        # 2. The output, as a chance to win, and the error.
        turn, stage = turns[i], stages[i]
        value = base[i] + output_bias[stage]
        for v in range(2):
            view = turn if v == 0 else 1 - turn
            for k in range(hidden):
                cut = max(np.float32(0), min(np.float32(1), sums[view, k]))
                value += cut * cut * outputs[stage, v * hidden + k]
        chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))
        target = targets[i]
        safe = max(1e-7, min(1 - 1e-7, chance))
        loss -= target * math.log(safe) + (1 - target) * math.log(1 - safe)
        if not learning:
            continue
        # 3. The gradients.
        error = np.float32(chance - target)
        output_bias_gradient[stage] += error
        for v in range(2):
            view = turn if v == 0 else 1 - turn
            for k in range(hidden):
                total = sums[view, k]
                cut = max(np.float32(0), min(np.float32(1), total))
                inside = np.float32(2) if cut == total else np.float32(0)
                weight = outputs[stage, v * hidden + k]
                outputs_gradient[stage, v * hidden + k] += error * cut * cut
                deltas[view, k] = error * weight * inside * cut
        for k in range(hidden):
            bias_gradient[k] += deltas[0, k] + deltas[1, k]
        for a in range(count):
            column, other = active[0, a], active[1, a]
            for k in range(hidden):
                columns_gradient[column, k] += deltas[0, k]
            for k in range(hidden):
                columns_gradient[other, k] += deltas[1, k]
    return loss


def adam_step(
    weights: Any, gradient: Any, mean: Any, square: Any, share: float, rate: float, step: int, limit: float
) -> None:
    """One step of Adam with weights cut to +-limit; the gradient, times `share`, is used up."""
    mean_part = 1 / (1 - MEAN_DECAY**step)
    square_part = 1 / (1 - SQUARE_DECAY**step)
    for i in range(weights.shape[0]):
        slope = gradient[i] * share
        gradient[i] = 0
        mean[i] += (1 - MEAN_DECAY) * (slope - mean[i])
        square[i] += (1 - SQUARE_DECAY) * (slope * slope - square[i])
        change = rate * mean[i] * mean_part / (math.sqrt(square[i] * square_part) + TINY)
        weights[i] = max(-limit, min(limit, weights[i] - change))


def count_cells(boards: Any, counts: Any) -> None:
    """How many cells are set in each row."""
    for i in range(boards.shape[0]):
        total = 0
        for b in range(boards.shape[1]):
            total += popcount(int(boards[i, b]))
        counts[i] = total


# --- the fit --------------------------------------------------------------------------------------
def array_compiler(compiled: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What makes machine code of a function of arrays; without `compiled`, the function stays as it is."""
    if not compiled:
        return lambda function: function
    from plywise.native.arrays import compile_arrays

    return compile_arrays


class Trainer:
    """Fits nets of one shape, by machine code or, `compiled=False`, by the same source in Python."""

    def __init__(self, shape: Shape, compiled: bool = True) -> None:
        self.shape = shape
        self.second = second_columns(shape)
        run = array_compiler(compiled)
        self.add_gradients, self.adam_step = run(add_gradients), run(adam_step)
        self._count_cells = run(count_cells)

    def start(self, seed: int) -> FloatNet:
        """A net that says nothing yet."""
        return FloatNet.random(self.shape, seed)

    def counts(self, boards: Any) -> Any:
        """How many cells are set in each position."""
        result = np.zeros(len(boards), np.int64)
        self._count_cells(boards, result)
        return result

    def loss(self, net: FloatNet, data: Positions) -> float:
        """The mean loss of a net."""
        empty = [np.zeros_like(part) for part in net.parts]
        everything = np.arange(len(data))
        total = self.add_gradients(*data.arrays(), everything, self.second, *net.parts, *empty, False)
        return float(total) / max(1, len(data))

    def fit(
        self, net: FloatNet, data: Positions, held_out: Positions, seed: int, epochs: int = EPOCHS
    ) -> Iterator[tuple[Epoch, FloatNet]]:
        """The epochs of a fit, each with the best rounded net so far; it ends when it gets no better."""
        return fit_epochs(_NetLearner(self, net.copy(), data, held_out), seed, epochs)


class _NetLearner:
    """A net that learns by Adam, a batch of positions at a time."""

    first_rate, last_rate = FIRST_RATE, LAST_RATE

    def __init__(self, trainer: Trainer, net: FloatNet, data: Positions, held_out: Positions) -> None:
        self.trainer, self.net, self.data, self.held_out = trainer, net, data, held_out
        self.gradients, self.means, self.squares = (
            [np.zeros_like(part) for part in net.parts] for _ in range(3)
        )
        self.batch = LARGE_BATCH if len(data) >= MANY else min(BATCH, max(64, len(data) // 64))
        most_cells = int(trainer.counts(data.boards).max(initial=1))
        self.limits = (min(MAX_WEIGHT, I16 / learned.TOP / (most_cells + 2)), MAX_WEIGHT, MAX_WEIGHT, I16)
        self.step = 0

    def __len__(self) -> int:
        return len(self.data) if len(self.held_out) else 0

    def split(self, order: Any) -> list[Any]:
        return [order[low : low + self.batch] for low in range(0, len(order), self.batch)]

    def learn(self, chosen: Any, rate: float) -> float:
        trainer, parts = self.trainer, self.net.parts
        loss: float = trainer.add_gradients(
            *self.data.arrays(), chosen, trainer.second, *parts, *self.gradients, True
        )
        self.step += 1
        arrays = zip(parts, self.gradients, self.means, self.squares, strict=True)
        for each, limit in zip(arrays, self.limits, strict=True):
            flat = (array.ravel() for array in each)
            trainer.adam_step(*flat, 1 / len(chosen), rate, self.step, float(limit))
        return loss

    def round_net(self) -> FloatNet:
        return self.net.quantise()

    def held_out_loss(self, net: FloatNet) -> float:
        return self.trainer.loss(net, self.held_out)


def second_columns(shape: Shape) -> Any:
    """For each column of the view of side 0, that of side 1 for the same cell."""
    changes: dict[str, tuple[Any, Any]] = {
        "BOARDS": (learned.BOARDS, shape.boards),
        "OWN_COLUMNS": (learned.OWN_COLUMNS, shape.own_columns),
        "FLIP": (learned.FLIP, shape.flip),
        "LAST": (learned.LAST, shape.last),
    }
    second = Specialiser(changes).function(cast(FunctionType, learned.second_column))
    columns = ((b, cell) for b in range(shape.boards) for cell in range(CELLS))
    return np.array([second(b, cell) % shape.inputs for b, cell in columns], np.int64)
