"""Fit the weights of an evaluation that is linear in them: the form `weights`.

The evaluation itself is run over weights that remember how often each was counted
(`core/evaluation.py`), so nothing has to be written twice. Weights that the positions say nothing about keep
their value.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.cache_folder import write_whole
from plywise.core.errors import PlywiseError
from plywise.core.evaluation import Linear, TracedWeights, call_evaluation
from plywise.core.game import Game
from plywise.core.wide_position import from_words
from plywise.learn.data import HELD_OUT
from plywise.learn.epochs import Epoch
from plywise.learn.fit import MEAN_DECAY, SQUARE_DECAY, TINY
from plywise.learn.selfplay import NO_RESULT

MIN_POSITIONS = 20_000  # that are looked at, if there are as many
COUNT_SPEED = 1000  # positions a second whose weights are counted, by Python
BATCH = 1024
EPOCHS = 30
FIRST_RATE, LAST_RATE = 1.0, 0.02  # points a step
PULL = 1e-6  # towards the old weights, for each point of distance


class NotLinear(PlywiseError):
    """An evaluation whose weights cannot be fitted."""


class LinearData:
    """How often each weight is counted in each position, and what the evaluation should have said."""

    def __init__(
        self,
        game: Game,
        rows: Any,
        slope: float,
        score_share: float,
        seed: int = 0,
        most: int = MIN_POSITIONS,
    ) -> None:
        evaluation = game.evaluation("default")
        if evaluation.weights is None or evaluation.function is None:
            raise NotLinear(f"the default evaluation of {game.name} has no weights to fit")
        self.game, self.slope, self.layout = game, slope, evaluation.weights.layout
        traced = TracedWeights(evaluation.weights)
        self.places = _places(traced.values)
        self.start = np.array([_value(traced.values, place) for place in self.places], float)
        number = {place: i for i, place in enumerate(self.places)}
        chosen = np.random.default_rng(seed).permutation(len(rows))[:most]
        self.rows = rows[np.sort(chosen)]
        indices, times, ends, rest = [], [], [], []
        for row in self.rows:
            position = from_words(game.position, row["boards"].tolist())
            try:
                whole = call_evaluation(
                    evaluation.function, position, traced, evaluation.memory, evaluation.begin
                )
            except TypeError:
                raise NotLinear(
                    f"the default evaluation of {game.name} is not linear in its weights"
                ) from None
            parts = whole.parts if isinstance(whole, Linear) else {}
            indices += [number[place] for place in parts]
            times += list(parts.values())
            ends.append(len(indices))
            rest.append(float(whole.value if isinstance(whole, Linear) else whole))
        self.indices, self.times = np.array(indices, np.int64), np.array(times, float)
        self.starts = np.array([0, *ends])
        counted = np.add.reduceat(
            np.append(self.times * self.start[self.indices], 0.0), np.minimum(self.starts[:-1], len(indices))
        )
        counted[self.starts[:-1] == self.starts[1:]] = 0.0
        self.rest = np.array(rest) - counted  # what divisions lost, and parts without weights
        sign = 1 - 2 * self.rows["turn"].astype(float)
        by_score = 1 / (1 + np.exp(-np.clip(slope * self.rows["score"] * sign, -30, 30)))
        mixed = score_share * by_score + (1 - score_share) * (self.rows["result"] * sign + 1) / 2
        self.targets = np.where(self.rows["result"] == NO_RESULT, by_score, mixed)
        self.held = self.rows["game"] % HELD_OUT == 0

    def chances(self, weights: Any, chosen: Any) -> tuple[Any, Any, Any]:
        """The chances that the weights give some positions; with the entries counted and whose they are."""
        lengths = self.starts[chosen + 1] - self.starts[chosen]
        owner = np.repeat(np.arange(len(chosen)), lengths)
        first = np.repeat(self.starts[chosen] - np.concatenate([[0], lengths.cumsum()[:-1]]), lengths)
        entries = np.arange(len(owner)) + first
        values = np.bincount(owner, self.times[entries] * weights[self.indices[entries]], len(chosen))
        logits = np.clip(self.slope * (values + self.rest[chosen]), -30, 30)
        return 1 / (1 + np.exp(-logits)), entries, owner

    def loss(self, weights: Any, chosen: Any) -> float:
        """The mean loss of weights on some positions."""
        chance = np.clip(self.chances(weights, chosen)[0], 1e-7, 1 - 1e-7)
        target = self.targets[chosen]
        return float(-(target * np.log(chance) + (1 - target) * np.log(1 - chance)).mean())

    def fit(self, seed: int, epochs: int = EPOCHS) -> Iterator[tuple[Epoch, Any]]:
        """The epochs of a fit, each with the best rounded weights so far."""
        learning, held = np.flatnonzero(~self.held), np.flatnonzero(self.held)
        if not len(learning) or not len(held):
            return
        dice, weights = np.random.default_rng(seed), self.start.copy()
        mean, square, step = np.zeros_like(weights), np.zeros_like(weights), 0
        best, best_loss = np.round(weights), math.inf
        steps = epochs * math.ceil(len(learning) / BATCH)
        for number in range(1, epochs + 1):
            dice.shuffle(learning)
            for low in range(0, len(learning), BATCH):
                chosen = learning[low : low + BATCH]
                chance, entries, owner = self.chances(weights, chosen)
                error = (chance - self.targets[chosen]) * self.slope / len(chosen)
                gradient = np.bincount(
                    self.indices[entries], self.times[entries] * error[owner], len(weights)
                ) + PULL * self.slope * (weights - self.start)
                step += 1
                rate = LAST_RATE + (FIRST_RATE - LAST_RATE) * (1 + math.cos(math.pi * step / steps)) / 2
                mean += (1 - MEAN_DECAY) * (gradient - mean)
                square += (1 - SQUARE_DECAY) * (gradient**2 - square)
                change = mean / (1 - MEAN_DECAY**step) / (np.sqrt(square / (1 - SQUARE_DECAY**step)) + TINY)
                weights -= np.where(square > 0, rate * change, 0.0)
            rounded = np.round(weights)
            seen = Epoch(number, self.loss(weights, learning), self.loss(rounded, held))
            if seen.held_out < best_loss:
                best, best_loss = rounded, seen.held_out
            yield seen, best

    def values(self, weights: Any) -> dict[str, Any]:
        """Weights in the form of their file."""
        result: dict[str, Any] = {}
        for (name, _), value in zip(self.places, weights, strict=True):
            result.setdefault(name, []).append(int(value))
        shaped = {field[0] for field in self.layout.fields if len(field) > 2}
        return {name: found if name in shaped else found[0] for name, found in result.items()}


def write_weights(path: Path, game: Game, values: dict[str, Any], origin: dict[str, Any]) -> None:
    """Write a weights file, whole or not at all."""
    evaluation = game.evaluation("default")
    page = {
        "unit": f"{evaluation.unit} points are one of what players count in",
        "origin": origin,
        "values": values,
    }
    write_whole(path, (json.dumps(page) + "\n").encode())


def _places(values: dict[str, Any]) -> list[tuple[str, int]]:
    """All weights, as the traced evaluation names them."""
    places = []
    for name, value in values.items():
        places += [(name, i) for i in range(len(value) if isinstance(value, list) else 1)]
    return places


def _value(values: dict[str, Any], place: tuple[str, int]) -> int:
    found = values[place[0]]
    return int(found[place[1]] if isinstance(found, list) else found)
