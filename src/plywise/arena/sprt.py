"""SPRT, the sequential test: is the first player stronger by elo1, or only by elo0?

The log-likelihood ratio compares, for each hypothesis, the most likely distribution of results that
agrees with it. It is found exactly, by bisection; the usual normal approximation is biased when one
player is much stronger.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from plywise.arena.statistics import NORMALISED_SCALE, PAIR_POINTS, score_from_elo
from plywise.core.errors import PlywiseError

MIN_COUNT = 1e-3  # of a class that has not occurred: no class is impossible
BISECTIONS = 100  # of a bisection, which halves the error each time; a double has 53 bits
MAX_ITERATIONS = 50  # of the fixed point for normalised Elo; about ten are enough
TOLERANCE = 1e-9
GAMES_OF_PAIR = 2
MAX_ELO = 2000  # of a test: far above it a score cannot be told from 1


class Model(StrEnum):
    """The kind of Elo of the bounds."""

    LOGISTIC = "logistic"  # of the score alone
    NORMALISED = "normalised"  # in standard deviations: the same number of games at any draw rate


class Verdict(StrEnum):
    """The result of a test."""

    STRONGER = "stronger"  # elo1 is accepted
    NOT_STRONGER = "not stronger"  # elo0 is accepted
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of elo0 against elo1 with the error rates `alpha` (elo1 wrongly accepted) and `beta`."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.NORMALISED

    def __post_init__(self) -> None:
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            raise PlywiseError(
                f"a test wants elo0 below elo1, from -{MAX_ELO} to {MAX_ELO}, not {self.elo0:g},{self.elo1:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise PlywiseError(f"{name} of a test lies between 0 and 0.5, not {value:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which elo0 or elo1 is accepted.

        >>> [round(bound, 3) for bound in Sprt(0, 5).bounds]
        [-2.944, 2.944]
        """
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio of elo1 to elo0, from counts of pairs.

        >>> round(Sprt(0, 3).llr((398, 4112, 7672, 4336, 430)), 3)
        2.958
        """
        if sum(pairs) == 0:
            return 0.0
        seen = [max(float(count), MIN_COUNT) for count in pairs]
        number = math.fsum(seen)
        chances = [count / number for count in seen]
        if self.model is Model.LOGISTIC:
            null, other = (
                with_mean(PAIR_POINTS, chances, score_from_elo(elo)) for elo in (self.elo0, self.elo1)
            )
        else:
            null, other = (
                with_strength(PAIR_POINTS, chances, elo / NORMALISED_SCALE * math.sqrt(GAMES_OF_PAIR))
                for elo in (self.elo0, self.elo1)
            )
        return number * math.fsum(
            chance * math.log(q / p) for chance, p, q in zip(chances, null, other, strict=True)
        )

    def as_dict(self, llr: float) -> dict[str, Any]:
        """The test at this log-likelihood ratio, as data for JSON."""
        low, high = self.bounds
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "model": str(self.model),
            "llr": llr,
            "low": low,
            "high": high,
            "verdict": str(self.verdict(llr)),
        }

    def verdict(self, llr: float) -> Verdict:
        """The verdict at this log-likelihood ratio."""
        low, high = self.bounds
        return Verdict.STRONGER if llr >= high else Verdict.NOT_STRONGER if llr <= low else Verdict.OPEN


def with_mean(points: Sequence[float], chances: Sequence[float], mean: float) -> list[float]:
    """The most likely distribution with this mean, given the observed frequencies.

    By Lagrange: chance / (1 + x (point - mean)), with the x for which the mean is right.
    """
    deviations = [point - mean for point in points]
    low, high = -1 / max(deviations), -1 / min(deviations)

    def slope(x: float) -> float:
        return math.fsum(chance * a / (1 + x * a) for chance, a in zip(chances, deviations, strict=True))

    x = _root(slope, low, high)
    return [chance / (1 + x * a) for chance, a in zip(chances, deviations, strict=True)]


def with_strength(points: Sequence[float], chances: Sequence[float], strength: float) -> list[float]:
    """The most likely distribution for which (mean - 1/2) / deviation is this strength.

    Only the deviation makes the condition non-linear. It is linearised at the last solution, and solved
    again until nothing changes. The deviation is concave in the chances, so a condition that is
    linearised at strong enough chances can always be satisfied.
    """
    found = _strong_enough(points, strength)
    for _ in range(MAX_ITERATIONS):
        mean, sigma = _moments(points, found)
        linearised = [
            point - 0.5 - strength * sigma * (1 + ((mean - point) / sigma) ** 2) / 2 for point in points
        ]
        before, found = found, with_mean(linearised, chances, 0.0)
        if max(abs(p - q) for p, q in zip(before, found, strict=True)) < TOLERANCE:
            break
    return found


def _moments(points: Sequence[float], chances: Sequence[float]) -> tuple[float, float]:
    """Mean and deviation."""
    mean = math.fsum(p * point for p, point in zip(chances, points, strict=True))
    spread = math.fsum(p * (point - mean) ** 2 for p, point in zip(chances, points, strict=True))
    return mean, math.sqrt(spread)


def _strong_enough(points: Sequence[float], strength: float) -> list[float]:
    """Chances with at least this strength, by adding more of the best (or worst) result."""
    best, rest = (len(points) - 1 if strength > 0 else 0), 1.0
    while True:
        chances = [rest / len(points)] * len(points)
        chances[best] += 1 - rest
        mean, sigma = _moments(points, chances)
        if abs(mean - 0.5) >= abs(strength) * sigma:
            return chances
        rest /= 2


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """The root of a falling function between `low` and `high`, by bisection."""
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
