"""What a match says about two players: Elo with its error, from games or from pairs of games.

Both games of a pair begin with one opening and swapped sides, so they are not independent: pairs are
counted, in five classes by their points (0, 1/2, 1, 3/2, 2), and errors come from the spread between
pairs. A result from which nothing spreads has no error, and says so instead of inventing one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

ELO = 400 / math.log(10)  # an Elo point is 1/ELO on the natural logarithm of the odds
NORMALISED = 2 * ELO  # normalised Elo of one standard deviation a game
SURE = 1.96  # standard deviations to each side that hold 95 % of a normal distribution
PAIR_POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # what a pair of each class scores, as a share
GAME_POINTS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The strength of the first player against the second; errors are 95 % intervals.

    `elo`, `low` and `high` are infinite where a score is 0 or 1. Without any `spread` there is no
    error: `error`, `nelo`, `nelo_error` and `los` are None.
    """

    score: float
    spread: float  # the variance of a class's score
    elo: float
    error: float | None
    low: float
    high: float
    nelo: float | None
    nelo_error: float | None
    los: float | None

    @property
    def has_spread(self) -> bool:
        """Whether the results differ at all."""
        return self.spread > 0


def elo_of(score: float) -> float:
    """The difference in Elo at which this share of the points is expected.

    >>> round(elo_of(0.75), 1), elo_of(0.5), elo_of(1.0)
    (190.8, 0.0, inf)
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO * math.log(score / (1 - score)) + 0.0


def score_of(elo: float) -> float:
    """The share of the points that is expected at a difference in Elo."""
    return 1 / (1 + math.exp(-elo / ELO))


def from_pairs(pairs: Sequence[int]) -> Estimate:
    """From counts of pairs that scored 0, 1/2, 1, 3/2 and 2 points: [LL, LD, DD+WL, WD, WW].

    >>> round(from_pairs((59, 1751, 4800, 3267, 169)).elo, 2)
    30.09
    """
    return _estimate(PAIR_POINTS, pairs, 2)


def from_games(wins: int, draws: int, losses: int) -> Estimate:
    """From games that were not played in pairs, each by itself."""
    return _estimate(GAME_POINTS, (losses, draws, wins), 1)


def _estimate(points: Sequence[float], counts: Sequence[int], games: int) -> Estimate:
    """`games` are those of one observation: normalised Elo is of a single game."""
    number = sum(counts)
    if number == 0:
        return Estimate(0.5, 0.0, 0.0, None, -math.inf, math.inf, None, None, None)
    mean = math.fsum(p * n for p, n in zip(points, counts, strict=True)) / number
    spread = math.fsum(n * (p - mean) ** 2 for p, n in zip(points, counts, strict=True)) / number
    elo = elo_of(mean)
    if spread == 0:
        return Estimate(mean, 0.0, elo, None, -math.inf, math.inf, None, None, None)
    off = math.sqrt(spread / number)
    low, high = elo_of(mean - SURE * off), elo_of(mean + SURE * off)
    per_game = math.sqrt(games * spread)
    return Estimate(
        mean,
        spread,
        elo,
        (high - low) / 2,
        low,
        high,
        (mean - 0.5) / per_game * NORMALISED,
        SURE * NORMALISED / math.sqrt(games * number),
        0.5 * math.erfc((0.5 - mean) / off / math.sqrt(2)),
    )


def pairs_ratio(pairs: Sequence[int]) -> float | None:
    """Pairs won for each pair lost; None where none was lost.

    >>> pairs_ratio((1, 1, 5, 3, 1))
    2.0
    """
    lost, won = pairs[0] + pairs[1], pairs[3] + pairs[4]
    return won / lost if lost else None
