"""Ratings of a pool: the conditions that the most likely ones keep, and pools that have none."""

import math
import random

import pytest

from plywise.arena.rating import NEUTRAL_DRAWISHNESS, rate
from plywise.arena.statistics import ELO_SCALE, elo_from_score


def test_two_players_are_rated_as_in_a_match() -> None:
    one, other = rate(2, {(0, 1): (30, 0, 10)})
    assert (one.elo, one.error) == (0.0, 0.0)
    assert other.elo == pytest.approx(-elo_from_score(0.75))
    assert (one.points, other.points, one.games) == (30, 10, 40)


def test_draws_keep_the_scale_near_equality() -> None:
    _, other = rate(2, {(0, 1): (110, 780, 110)})
    assert other.elo == pytest.approx(0, abs=1e-6)
    _, other = rate(2, {(0, 1): (130, 770, 100)})
    assert other.elo == pytest.approx(-elo_from_score(0.515), rel=0.02)


def test_expected_points_equal_those_scored() -> None:
    """The condition of a maximum, for each player: computed here from the definition of the model."""
    results = {(0, 1): (20, 15, 5), (0, 2): (18, 9, 13), (1, 2): (8, 12, 20), (2, 3): (30, 8, 2)}
    ratings = rate(4, results)
    drawn = sum(draws for _, draws, _ in results.values())

    def expected(n: float) -> tuple[list[float], float]:
        points, draws = [0.0] * 4, 0.0
        for (one, other), counts in results.items():
            # The scale of the ratings is 2 / (2 + n) of the model's logarithms.
            difference = (ratings[one].elo - ratings[other].elo) / ELO_SCALE * (2 + n) / 2
            a, b = math.exp(difference / 2), math.exp(-difference / 2)
            total, number = a + b + n, sum(counts)
            points[one] += number * (a + n / 2) / total
            points[other] += number * (b + n / 2) / total
            draws += number * n / total
        return points, draws

    low, high = 0.0, 50.0
    for _ in range(100):
        n = (low + high) / 2
        low, high = (n, high) if expected(n)[1] < drawn else (low, n)
    assert expected(n)[0] == pytest.approx([rating.points for rating in ratings], abs=1e-4)


def test_the_anchor_moves_all_and_nothing_else() -> None:
    results = {(0, 1): (20, 15, 5), (1, 2): (8, 12, 20)}
    plain, moved = rate(3, results), rate(3, results, anchor=2, anchored_at=2000)
    assert moved[2].elo == 2000
    for i in (0, 1):
        assert moved[i].elo - moved[2].elo == pytest.approx(plain[i].elo - plain[2].elo)


def test_known_strengths_are_found_again() -> None:
    dice = random.Random(5)
    true = [0.0, 150.0, -80.0, 40.0]
    results = {}
    for one in range(4):
        for other in range(one + 1, 4):
            counts = [0, 0, 0]
            a, b = (10 ** (true[i] / 400) for i in (one, other))
            for place in dice.choices(range(3), [a, NEUTRAL_DRAWISHNESS * math.sqrt(a * b), b], k=3000):
                counts[place] += 1
            results[one, other] = tuple(counts)
    # With a drawishness of 2 the scale is half of the model's.
    for rating, elo in zip(rate(4, results), true, strict=True):
        assert rating.elo == pytest.approx(elo / 2, abs=2.5 * (rating.error or 0.1))


@pytest.mark.parametrize("scores", [(10, 0, 0), (0, 0, 10)])
def test_who_only_won_is_infinitely_far_away(scores) -> None:
    one, other = rate(2, {(0, 1): scores})
    assert one.elo == 0
    assert other.elo == (-math.inf if scores[0] else math.inf)
    assert other.error is None


def test_who_met_nobody_has_no_rating() -> None:
    assert [rating.elo for rating in rate(3, {(0, 1): (5, 5, 5)})] == [0.0, pytest.approx(0), None]
    assert [rating.elo for rating in rate(2, {})] == [0.0, None]


def test_two_winners_over_the_anchor_cannot_be_told_apart_from_infinity() -> None:
    ratings = rate(3, {(0, 1): (0, 0, 9), (0, 2): (0, 0, 9), (1, 2): (3, 3, 3)})
    assert [rating.elo for rating in ratings] == [0.0, math.inf, math.inf]


@pytest.mark.parametrize(("scores", "elo"), [((0, 9, 0), 0.0), ((5, 5, 0), -elo_from_score(0.75))])
def test_pools_that_do_not_tell_how_drawish_they_are_count_draws_as_halves(scores, elo) -> None:
    _, other = rate(2, {(0, 1): scores})
    assert other.elo == pytest.approx(elo, abs=1e-6)
    assert math.isfinite(other.error)
