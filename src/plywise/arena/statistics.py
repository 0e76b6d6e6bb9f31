"""Elo between two players with its error, from games or from pairs of games.

Both games of a pair have the same opening, so they are not independent. Pairs are counted in five
classes by their points (0, 1/2, 1, 3/2, 2), and errors come from the variance between pairs. Without
variance there is no error, and none is invented.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

ELO_SCALE = 400 / math.log(10)  # Elo points of one unit of the natural logarithm of the odds
NORMALISED_SCALE = 2 * ELO_SCALE  # normalised Elo of one standard deviation a game
Z95 = 1.96  # standard deviations to each side that hold 95 % of a normal distribution
PAIR_POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # score of a pair of each class, as a share
GAME_POINTS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The strength of the first player against the second; errors are 95 % intervals.

    `elo`, `low` and `high` are infinite if a score is 0 or 1. Without variance there is no error:
    `error`, `nelo`, `nelo_error` and `los` are None.
    """

    score: float
    variance: float  # of the score of one pair (or game)
    elo: float
    error: float | None
    low: float
    high: float
    nelo: float | None
    nelo_error: float | None
    los: float | None

    @property
    def has_variance(self) -> bool:
        """Whether not all results are the same."""
        return self.variance > 0


def finite(value: float | None) -> float | None:
    """The number for JSON, which has no infinite ones; None for these."""
    return value if value is not None and math.isfinite(value) else None


def elo_from_score(score: float) -> float:
    """The difference in Elo at which this share of the points is expected.

    >>> round(elo_from_score(0.75), 1), elo_from_score(0.5), elo_from_score(1.0)
    (190.8, 0.0, inf)
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO_SCALE * math.log(score / (1 - score)) + 0.0


def score_from_elo(elo: float) -> float:
    """The expected share of the points at this difference in Elo."""
    return 1 / (1 + math.exp(-elo / ELO_SCALE))


def from_pairs(pairs: Sequence[int]) -> Estimate:
    """From counts of pairs that scored 0, 1/2, 1, 3/2 and 2 points: [LL, LD, DD+WL, WD, WW].

    >>> round(from_pairs((59, 1751, 4800, 3267, 169)).elo, 2)
    30.09
    """
    return _estimate(PAIR_POINTS, pairs, 2)


def from_games(wins: int, draws: int, losses: int) -> Estimate:
    """From games that were not played in pairs."""
    return _estimate(GAME_POINTS, (losses, draws, wins), 1)


def _estimate(points: Sequence[float], counts: Sequence[int], games: int) -> Estimate:
    """`games` is the number of games in one observation: normalised Elo is for a single game."""
    number = sum(counts)
    if number == 0:
        return Estimate(0.5, 0.0, 0.0, None, -math.inf, math.inf, None, None, None)
    mean = math.fsum(p * n for p, n in zip(points, counts, strict=True)) / number
    variance = math.fsum(n * (p - mean) ** 2 for p, n in zip(points, counts, strict=True)) / number
    elo = elo_from_score(mean)
    if variance == 0:
        return Estimate(mean, 0.0, elo, None, -math.inf, math.inf, None, None, None)
    standard_error = math.sqrt(variance / number)
    low, high = elo_from_score(mean - Z95 * standard_error), elo_from_score(mean + Z95 * standard_error)
    per_game = math.sqrt(games * variance)
    return Estimate(
        mean,
        variance,
        elo,
        (high - low) / 2,
        low,
        high,
        (mean - 0.5) / per_game * NORMALISED_SCALE,
        Z95 * NORMALISED_SCALE / math.sqrt(games * number),
        0.5 * math.erfc((0.5 - mean) / standard_error / math.sqrt(2)),
    )


def pairs_ratio(pairs: Sequence[int]) -> float | None:
    """Pairs won for each pair lost; None if none was lost.

    >>> pairs_ratio((1, 1, 5, 3, 1))
    2.0
    """
    lost, won = pairs[0] + pairs[1], pairs[3] + pairs[4]
    return won / lost if lost else None
