"""Ratings of many players from one pool of games, by maximum likelihood.

The model is Bradley and Terry's with draws by Davidson: for strengths a and b, the probabilities of
win, draw and loss are in the ratio a : n sqrt(a b) : b, where n is one number for the whole pool, its
drawishness. Strengths have a free factor, so one player, the anchor, has a given rating. Between equal
players, a point of Elo means the same as in a match of two.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plywise.arena.statistics import ELO_SCALE, Z95

MAX_ITERATIONS = 200  # of Newton's method; about ten are enough
TOLERANCE = 1e-10
LONGEST_STEP = 1.0  # in logarithms of strength: the quadratic model is good only nearby
TOO_FAR = 40.0  # strengths or errors beyond this: the maximum is at infinity
NEUTRAL_DRAWISHNESS = 2.0  # at which a draw counts exactly as half a win and half a loss

Scores = tuple[int, int, int]  # wins, draws, losses of the first against the second


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating relative to the anchor, with its 95 % error.

    `elo` is infinite for a player that only won (or only lost) against players comparable with the
    anchor, and None if no chain of games connects it with the anchor. The anchor's own error is 0.
    """

    elo: float | None
    error: float | None
    games: int
    points: float


def rate(
    players: int, results: Mapping[tuple[int, int], Scores], anchor: int = 0, anchored_at: float = 0.0
) -> list[Rating]:
    """The ratings of all players, numbered from 0.

    >>> [round(rating.elo) for rating in rate(3, {(0, 1): (30, 0, 10), (1, 2): (30, 0, 10)}, anchor=2)]
    [382, 191, 0]
    """
    games, points = _totals(players, results)
    comparable = _comparable(players, results, anchor)
    within = {pair: scores for pair, scores in results.items() if comparable.issuperset(pair)}
    place = {player: i for i, player in enumerate(sorted(comparable - {anchor}))}
    strengths, errors = _fit(place, within)
    above, below = _reach(players, results, anchor)
    ratings = []
    for player in range(players):
        elo: float | None
        error: float | None = None
        if player == anchor:
            elo, error = anchored_at, 0.0
        elif player in comparable:
            elo = anchored_at + ELO_SCALE * strengths[place[player]]
            error = Z95 * ELO_SCALE * errors[place[player]]
        elif player in above and player not in below:
            elo = math.inf
        elif player in below and player not in above:
            elo = -math.inf
        else:
            elo = None
        ratings.append(Rating(elo, error, games[player], points[player]))
    return ratings


def _totals(players: int, results: Mapping[tuple[int, int], Scores]) -> tuple[list[int], list[float]]:
    games, points = [0] * players, [0.0] * players
    for (one, other), (wins, draws, losses) in results.items():
        games[one] += wins + draws + losses
        games[other] += wins + draws + losses
        points[one] += wins + draws / 2
        points[other] += losses + draws / 2
    return games, points


# --- who can be compared ----------------------------------------------------------------------------
def _reach(players: int, results: Mapping[tuple[int, int], Scores], anchor: int) -> tuple[set[int], set[int]]:
    """The players that won points from the anchor, directly or by a chain, and those that lost some."""
    took: list[set[int]] = [set() for _ in range(players)]
    gave: list[set[int]] = [set() for _ in range(players)]
    for (one, other), (wins, draws, losses) in results.items():
        if wins or draws:
            took[one].add(other)
            gave[other].add(one)
        if losses or draws:
            took[other].add(one)
            gave[one].add(other)
    return _closure(gave, anchor), _closure(took, anchor)


def _closure(steps: Sequence[set[int]], start: int) -> set[int]:
    seen, todo = {start}, [start]
    while todo:
        for other in steps[todo.pop()] - seen:
            seen.add(other)
            todo.append(other)
    return seen


def _comparable(players: int, results: Mapping[tuple[int, int], Scores], anchor: int) -> set[int]:
    """The players at a finite distance from the anchor: points went both ways (Ford's condition)."""
    above, below = _reach(players, results, anchor)
    return above & below


# --- the most likely strengths ------------------------------------------------------------------------
def _fit(
    place: Mapping[int, int], results: Mapping[tuple[int, int], Scores]
) -> tuple[list[float], list[float]]:
    """Logarithms of strength relative to the anchor, scaled for Elo, and their standard errors."""
    if not place:
        return [], []
    drawn = any(draws for _, draws, _ in results.values())
    found = _maximise(place, results, None if drawn else 0.0)
    if found is None:
        # The results do not determine the drawishness (all games drawn, for example).
        found = _maximise(place, results, NEUTRAL_DRAWISHNESS)
    assert found is not None
    strengths, errors, drawishness = found
    scale = 2 / (2 + drawishness)
    return [scale * value for value in strengths], [scale * value for value in errors]


def _maximise(
    place: Mapping[int, int], results: Mapping[tuple[int, int], Scores], drawishness: float | None
) -> tuple[list[float], list[float], float] | None:
    """Maximise the likelihood; return strengths, errors and drawishness (also fitted if not given).

    The log-likelihood is concave in the logarithms of strength and drawishness, so Newton's method with
    short steps finds the one maximum. None if it is at infinity.
    """
    size, open_ended = len(place), drawishness is None
    x = np.zeros(size + open_ended)
    offset = 0.0 if open_ended or not drawishness else math.log(drawishness)
    for _ in range(MAX_ITERATIONS):
        slope, information = np.zeros(len(x)), np.zeros((len(x), len(x)))
        for (one, other), counts in results.items():
            # Each of the three results is a direction in x; the likelihood is a softmax over them.
            ways = np.zeros((3, len(x)))
            for player, row in ((one, 0), (other, 2)):
                if player in place:
                    ways[row, place[player]] += 1.0
                    ways[1, place[player]] += 0.5
            if open_ended:
                ways[1, size] = 1.0
            weights = ways @ x + np.array([0.0, offset, 0.0])
            chances = np.exp(weights - weights.max())
            if drawishness == 0.0:
                chances[1] = 0.0
            chances /= chances.sum()
            mean = chances @ ways
            slope += np.array(counts) @ ways - sum(counts) * mean
            information += sum(counts) * ((ways.T * chances) @ ways - np.outer(mean, mean))
        try:
            step = np.linalg.solve(information, slope)
            errors = np.sqrt(np.diag(np.linalg.inv(information)))
        except np.linalg.LinAlgError:
            return None
        longest = float(np.abs(step).max())
        if not float(errors.max()) < TOO_FAR:
            return None
        if longest < TOLERANCE:
            n = math.exp(x[size]) if drawishness is None else drawishness
            return [float(value) for value in x[:size]], [float(value) for value in errors[:size]], n
        x = x + step * min(1.0, LONGEST_STEP / longest)
        if float(np.abs(x).max()) > TOO_FAR:
            return None
    return None
