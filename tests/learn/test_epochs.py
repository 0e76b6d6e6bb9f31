"""What all fits share: the order of positions, the rate along a cosine, and when it ends."""

import math
from typing import Any

import numpy as np
import pytest

from plywise.learn.epochs import PATIENCE, fit_epochs, fit_well


class Recorder:
    """A learner that writes down what it is told; its net is the number of epochs it has learned."""

    first_rate, last_rate = 0.5, 0.1

    def __init__(self, positions: int, losses: list[float]) -> None:
        self.positions, self.losses = positions, losses
        self.chosen: list[int] = []
        self.rates: list[float] = []

    def __len__(self) -> int:
        return self.positions

    def split(self, order: Any) -> list[Any]:
        return np.array_split(order, 4)

    def learn(self, chosen: Any, rate: float) -> float:
        self.chosen += chosen.tolist()
        self.rates.append(rate)
        return 2.0 * len(chosen)

    def round_net(self) -> int:
        return len(self.chosen) // max(1, self.positions)

    def held_out_loss(self, net: int) -> float:
        return self.losses[net - 1]


def test_each_epoch_learns_from_every_position_in_another_order() -> None:
    learner = Recorder(100, [3.0, 2.0, 1.0])
    epochs = [epoch for epoch, _ in fit_epochs(learner, seed=1, epochs=3)]
    assert [(epoch.number, epoch.loss, epoch.held_out) for epoch in epochs] == [
        (1, 2.0, 3.0),
        (2, 2.0, 2.0),
        (3, 2.0, 1.0),
    ]
    orders = [learner.chosen[start : start + 100] for start in (0, 100, 200)]
    assert all(sorted(order) == list(range(100)) for order in orders)
    assert orders[0] != orders[1] != orders[2]


def test_the_rate_goes_along_a_cosine() -> None:
    learner = Recorder(100, [3.0, 2.0])
    list(fit_epochs(learner, seed=1, epochs=2))
    wanted = [0.1 + 0.4 * (1 + math.cos(math.pi * part / 8)) / 2 for part in range(8)]
    assert learner.rates == pytest.approx(wanted)


def test_it_ends_when_it_gets_no_better_and_gives_the_best() -> None:
    losses = [3.0, 1.0, *[2.0] * 20]
    nets = [net for _, net in fit_epochs(Recorder(10, losses), seed=1, epochs=20)]
    assert nets == [1, *[2] * (1 + PATIENCE)]


def test_without_positions_there_is_no_epoch() -> None:
    assert list(fit_epochs(Recorder(0, []), seed=1, epochs=3)) == []


def test_a_fit_that_was_best_early_is_made_again_shorter() -> None:
    class Trainer:
        def start(self, seed: int) -> list[float]:
            return [3.0, 1.0, *[2.0] * 20]

        def fit(self, losses: list[float], data: Any, held_out: Any, seed: int, epochs: int) -> Any:
            return fit_epochs(Recorder(10, losses), seed, epochs)

    found = [epoch for epoch, _ in fit_well(Trainer(), None, None, 1, 12)]
    assert [(epoch.number, epoch.fit) for epoch in found] == [
        (1, 1),
        (2, 1),
        (3, 1),
        (4, 1),
        (5, 1),
        (6, 2),
        (7, 2),
    ]
