"""Elo, its error and the sequential test, against published runs and against slow twins."""

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.arena.sprt import Model, Sprt, Verdict, with_mean, with_strength
from plywise.arena.statistics import (
    PAIR_POINTS,
    elo_from_score,
    from_games,
    from_pairs,
    pairs_ratio,
    score_from_elo,
)
from plywise.core.errors import PlywiseError

# Counts of pairs, Elo, its error, normalised Elo, its error: as published with the runs.
PUBLISHED = [
    ((59, 1751, 4800, 3267, 169), 30.09, 2.56, 56.71, 4.80),
    ((5, 782, 2540, 1655, 19), 31.38, 3.35, 64.29, 6.81),
    ((398, 4112, 7672, 4336, 430), 2.95, 2.18, None, None),
    ((56, 1144, 2546, 1310, 77), 7.04, 3.62, None, None),
    ((5, 295, 1145, 466, 2), 14.99, 4.97, None, None),
]
COUNTS = st.lists(st.integers(0, 500), min_size=5, max_size=5)


@pytest.mark.parametrize(("pairs", "elo", "error", "nelo", "nelo_error"), PUBLISHED)
def test_elo_equals_the_published_runs(pairs, elo, error, nelo, nelo_error) -> None:
    found = from_pairs(pairs)
    assert found.elo == pytest.approx(elo, abs=0.01)
    assert found.error == pytest.approx(error, abs=0.01)
    if nelo is not None:
        assert found.nelo == pytest.approx(nelo, abs=0.01)
        assert found.nelo_error == pytest.approx(nelo_error, abs=0.01)


@pytest.mark.parametrize(
    ("pairs", "llr"),
    [
        ((398, 4112, 7672, 4336, 430), 2.96),
        ((56, 1144, 2546, 1310, 77), 2.95),
        ((5, 295, 1145, 466, 2), 2.98),
    ],
)
def test_the_likelihood_ratio_equals_the_published_runs(pairs, llr) -> None:
    test = Sprt(0, 3)
    assert test.llr(pairs) == pytest.approx(llr, abs=0.02)
    assert test.verdict(test.llr(pairs)) is Verdict.STRONGER


def test_the_logistic_model_is_another_one() -> None:
    assert Sprt(0, 3, model=Model.LOGISTIC).llr((398, 4112, 7672, 4336, 430)) == pytest.approx(3.53, abs=0.01)


def test_the_bounds_are_those_of_wald() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    low, high = Sprt(0, 5, alpha=0.01, beta=0.1).bounds
    assert (low, high) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_a_weaker_player_is_found_not_stronger() -> None:
    test = Sprt(0, 3)
    assert test.verdict(test.llr((430, 4336, 7672, 4112, 398))) is Verdict.NOT_STRONGER
    assert test.verdict(0.0) is Verdict.OPEN
    assert test.llr((0, 0, 0, 0, 0)) == 0.0


@pytest.mark.parametrize("bounds", [(5, 0), (0, 0), (math.nan, 3), (0, math.inf)])
def test_a_test_wants_its_bounds_in_order(bounds) -> None:
    with pytest.raises(PlywiseError, match="elo0 below elo1"):
        Sprt(*bounds)


def test_error_rates_are_probabilities() -> None:
    with pytest.raises(PlywiseError, match=r"alpha .* not 0.7"):
        Sprt(0, 5, alpha=0.7)


# --- slow twins ---------------------------------------------------------------------------------------
@given(COUNTS.filter(any))
def test_the_mean_and_the_spread_are_those_of_the_list_of_pairs(counts) -> None:
    scores = [p for p, n in zip(PAIR_POINTS, counts, strict=True) for _ in range(n)]
    mean = sum(scores) / len(scores)
    found = from_pairs(counts)
    assert found.score == pytest.approx(mean)
    assert found.variance == pytest.approx(sum((s - mean) ** 2 for s in scores) / len(scores), abs=1e-12)
    assert found.has_variance == (len(set(scores)) > 1)


@given(COUNTS.filter(any))
def test_swapping_the_players_turns_the_sign(counts) -> None:
    one, other = from_pairs(counts), from_pairs(counts[::-1])
    assert one.elo == pytest.approx(-other.elo)
    if one.has_variance:
        assert one.error == pytest.approx(other.error)
        assert one.los + other.los == pytest.approx(1)
    assert Sprt(-4, 4).llr(counts) == pytest.approx(-Sprt(-4, 4).llr(counts[::-1]), abs=1e-6)


@given(st.lists(st.integers(1, 500), min_size=5, max_size=5), st.floats(-60, 60))
def test_the_most_likely_chances_keep_their_condition_and_nothing_near_is_likelier(counts, elo) -> None:
    number = sum(counts)
    chances = [count / number for count in counts]
    mean = score_from_elo(elo)
    found = with_mean(PAIR_POINTS, chances, mean)
    assert sum(found) == pytest.approx(1)
    assert sum(p * a for p, a in zip(found, PAIR_POINTS, strict=True)) == pytest.approx(mean)
    best = _likelihood(chances, found)
    dice = random.Random(number)
    for _ in range(20):
        # Three classes shifted against each other so that sum and mean stay.
        i, j, k = sorted(dice.sample(range(5), 3))
        shift, other = dice.uniform(-1e-3, 1e-3), list(found)
        other[i] += shift * (k - j)
        other[j] -= shift * (k - i)
        other[k] += shift * (j - i)
        if min(other) > 0:
            assert _likelihood(chances, other) <= best + 1e-12


def _likelihood(chances, model) -> float:
    return sum(c * math.log(p) for c, p in zip(chances, model, strict=True))


@pytest.mark.parametrize("counts", [(5, 295, 1145, 466, 2), (40, 10, 90, 10, 60), (1, 2, 3, 4, 5)])
@pytest.mark.parametrize("strength", [-0.3, 0.0, 0.05, 0.4])
def test_chances_of_a_given_strength_beat_a_grid_of_others(counts, strength) -> None:
    """A twin without calculus: on a fine grid around the answer none that keeps the condition is likelier."""
    number = sum(counts)
    chances = [count / number for count in counts]
    found = with_strength(PAIR_POINTS, chances, strength)
    assert _strength(found) == pytest.approx(strength, abs=1e-6)
    best = _likelihood(chances, found)
    for steps in itertools.product((-1, 0, 1), repeat=4):
        other = [p + 1e-3 * s for p, s in zip(found, steps, strict=False)]
        other.append(1 - sum(other))
        if min(other) > 1e-6 and abs(_strength(other) - strength) < 1e-9:
            assert _likelihood(chances, other) <= best + 1e-9
    # Away from the condition the likelihood grows: the bound is what holds it.
    assert _likelihood(chances, chances) >= best


def _strength(model) -> float:
    mean = sum(p * a for p, a in zip(model, PAIR_POINTS, strict=True))
    spread = sum(p * (a - mean) ** 2 for p, a in zip(model, PAIR_POINTS, strict=True))
    return (mean - 0.5) / math.sqrt(spread)


def test_the_sequential_test_errs_as_seldom_as_it_says() -> None:
    """Simulated matches of equals and of players 30 Elo apart: at most about 5 % go the wrong way."""
    test, dice = Sprt(0, 30, model=Model.LOGISTIC), random.Random(7)
    wrong = 0
    for elo, right in ((0, Verdict.NOT_STRONGER), (30, Verdict.STRONGER)):
        chances = with_mean(PAIR_POINTS, [0.1, 0.2, 0.4, 0.2, 0.1], score_from_elo(elo))
        for _ in range(40):
            counts = [0] * 5
            while test.verdict(test.llr(counts)) is Verdict.OPEN:
                for place in dice.choices(range(5), chances, k=20):
                    counts[place] += 1
            wrong += test.verdict(test.llr(counts)) is not right
    assert wrong <= 9  # of 80: one in a hundred runs of a correct test has more


# --- nothing to divide by -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("counts", "elo"), [((0, 0, 9, 0, 0), 0.0), ((0, 0, 0, 0, 9), math.inf), ((9, 0, 0, 0, 0), -math.inf)]
)
def test_a_match_without_variance_has_no_error(counts, elo) -> None:
    found = from_pairs(counts)
    assert found.elo == elo
    assert not found.has_variance
    assert found.error is None and found.nelo is None and found.los is None
    assert math.isfinite(Sprt(0, 5).llr(counts))
    assert math.isfinite(Sprt(0, 5, model=Model.LOGISTIC).llr(counts))


def test_no_games_say_nothing() -> None:
    found = from_pairs((0,) * 5)
    assert (found.elo, found.error, found.has_variance) == (0.0, None, False)
    assert pairs_ratio((0, 0, 5, 1, 1)) is None


def test_single_games_have_their_own_statistics() -> None:
    found = from_games(30, 20, 10)
    assert found.elo == pytest.approx(elo_from_score(40 / 60))
    assert found.score == pytest.approx(2 / 3)
    assert from_games(0, 0, 0).error is None


@given(COUNTS, st.floats(-900, 900), st.floats(0.01, 900), st.sampled_from(Model))
def test_any_counts_and_any_bounds_give_a_number(counts, elo0, width, model) -> None:
    test = Sprt(elo0, elo0 + width, model=model)
    assert math.isfinite(test.llr(counts))
