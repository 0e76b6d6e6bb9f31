"""Weaker play: an order of levels, near-best moves, no gifts."""

import random

from plywise.core.scores import loss_in, win_in
from plywise.play.strength import STRONGEST, WEAKEST, Strength
from plywise.search.result import Kind, Line


def lines(*scores: int) -> tuple[Line, ...]:
    return tuple(Line(score, Kind.ESTIMATE, (str(i),), (i,)) for i, score in enumerate(scores))


def test_levels_rise() -> None:
    levels = [Strength.of_elo(elo) for elo in range(WEAKEST, STRONGEST + 1, 100)]
    assert [level.nodes for level in levels] == sorted({level.nodes for level in levels})
    assert [level.margin for level in levels] == sorted({level.margin for level in levels}, reverse=True)
    assert Strength.of_skill(20) is None
    assert Strength.of_skill(0) == Strength.of_elo(WEAKEST)


def test_only_near_best_moves_are_chosen_and_the_best_most_often() -> None:
    dice, weak = random.Random(1), Strength.of_elo(WEAKEST)
    chosen = [weak.choose(lines(50, 20, -60, -400), 100, dice) for _ in range(500)]
    assert set(chosen) == {0, 1, 2}
    assert chosen.count(0) > chosen.count(1) > chosen.count(2)


def test_a_win_is_taken_and_a_loss_not_chosen() -> None:
    dice, weak = random.Random(1), Strength.of_elo(WEAKEST)
    assert {weak.choose(lines(win_in(3), 500), 100, dice) for _ in range(50)} == {0}
    assert {weak.choose(lines(0, loss_in(2)), 100, dice) for _ in range(50)} == {0}
