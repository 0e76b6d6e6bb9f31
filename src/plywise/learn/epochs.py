"""The epochs of a fit, whatever is fitted: the order of positions, the rate, the held-out loss, the end."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

EPOCHS = 12
PATIENCE = 3  # epochs without a better held-out loss, then it ends


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the data: the loss on it, and the loss of the rounded net on the held-out games."""

    number: int
    loss: float
    held_out: float
    fit: int = 1  # the first or the second one (`fit_well`)


class Learner(Protocol):
    """What is fitted, and how one step changes it."""

    first_rate: float
    last_rate: float

    def __len__(self) -> int:
        """How many positions it learns from; 0 if it has no others to be judged by."""

    def split(self, order: Any) -> Sequence[Any]:
        """The positions of an epoch in the parts that have one rate each; always as many."""

    def learn(self, chosen: Any, rate: float) -> float:
        """Learn from some positions; return the sum of their losses before."""

    def round_net(self) -> Any:
        """What has been learned, in the steps of whole numbers that a file has."""

    def held_out_loss(self, net: Any) -> float:
        """The mean loss on what it does not learn from."""


def fit_epochs(learner: Learner, seed: int, epochs: int) -> Iterator[tuple[Epoch, Any]]:
    """The epochs of a fit, each with the best rounded net so far; it ends when it gets no better.

    The rate goes along a cosine from the learner's first one to its last one.
    """
    if not len(learner):
        return
    dice, range_of_rates = np.random.default_rng(seed), learner.first_rate - learner.last_rate
    best, best_loss, worse = learner.round_net(), math.inf, 0
    for number in range(1, epochs + 1):
        total, parts = 0.0, learner.split(dice.permutation(len(learner)))
        for part, chosen in enumerate(parts):
            done = ((number - 1) * len(parts) + part) / (len(parts) * epochs)
            rate = learner.last_rate + range_of_rates * (1 + math.cos(math.pi * done)) / 2
            total += learner.learn(chosen, rate)
        exact = learner.round_net()
        seen = Epoch(number, float(total) / len(learner), learner.held_out_loss(exact))
        if seen.held_out < best_loss:
            best, best_loss, worse = exact, seen.held_out, 0
        else:
            worse += 1
        yield seen, best
        if worse >= PATIENCE:
            return


def fit_well(trainer: Any, data: Any, held_out: Any, seed: int, epochs: int) -> Iterator[tuple[Epoch, Any]]:
    """The epochs of a fit, and of a second one where the first was at its best in its first half.

    Then it has learned its data by heart before its rate was small: the second fit is that much shorter.
    The net of an epoch is the best so far of both.
    """
    best: Any = None
    best_epoch: Epoch | None = None
    last = 0
    for epoch, net in trainer.fit(trainer.start(seed), data, held_out, seed, epochs):
        if best_epoch is None or epoch.held_out < best_epoch.held_out:
            best, best_epoch = net, epoch
        last = epoch.number
        yield epoch, best
    if best_epoch is None or 2 * best_epoch.number > epochs:
        return
    for epoch, net in trainer.fit(trainer.start(seed), data, held_out, seed, best_epoch.number):
        if epoch.held_out < best_epoch.held_out:
            best, best_epoch = net, epoch
        yield Epoch(last + epoch.number, epoch.loss, epoch.held_out, fit=2), best
