"""The fit: it learns, by machine code as by Python, and its file says what it has learned."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plywise
from plywise.core.net_file import Shape, boards_of, write_net
from plywise.learn import data
from plywise.learn.fit import FloatNet, Positions, Trainer
from plywise.learn.selfplay import NO_RESULT, row_layout
from plywise.learn.shapes import shape_of
from tests.conftest import Scaled

SHAPE = Shape(2, 16, 2, 1, 0, -1, -1, "replacing")


def positions(count: int, seed: int = 0) -> Positions:
    """The side to move wins if it has the first cell, else it loses."""
    dice = np.random.default_rng(seed)
    boards = dice.integers(0, 1 << 6, (count, 2))
    turns = dice.integers(0, 2, count)
    own = boards[np.arange(count), turns]
    return Positions(
        boards,
        turns,
        np.zeros(count, np.int64),
        (own & 1).astype(np.float32),
        np.zeros(count, np.float32),
    )


def test_a_simple_rule_is_learned(scaled: Scaled) -> None:
    trainer = Trainer(SHAPE, compiled=scaled.compiled)
    start = FloatNet.random(SHAPE, 1)
    held_out = positions(50, 1)
    before = trainer.loss(start, held_out)
    *_, (last, best) = trainer.fit(start, positions(scaled(300, 50_000)), held_out, 1, epochs=4)
    assert trainer.loss(best, held_out) == pytest.approx(last.held_out, rel=0.2)
    assert last.held_out < scaled(0.98, 0.1) * before


@pytest.mark.thorough("compiles the fit")
def test_machine_code_and_python_fit_alike() -> None:
    fits = [
        list(Trainer(SHAPE, compiled).fit(FloatNet.random(SHAPE, 1), positions(300), positions(50, 1), 1, 2))
        for compiled in (True, False)
    ]
    for (native, _), (plain, _) in zip(*fits, strict=True):
        assert native.loss == pytest.approx(plain.loss, rel=1e-3)
        assert native.held_out == pytest.approx(plain.held_out, rel=1e-3)


@pytest.mark.parametrize("name", ["connect_four", "polis"])
def test_the_file_says_what_the_fitted_net_said(name: str, tmp_path: Path) -> None:
    """The evaluation in whole numbers is the logit of the fitted chance, in the unit of the scale."""
    game = plywise.load(name)
    shape = shape_of(game, hidden=16)
    trainer = Trainer(shape, compiled=False)
    net = FloatNet.random(shape, 3).quantise()
    write_net(tmp_path / "net.json", game, shape, net.values([0] * 256, 1000), {})
    position = game.history("start").position
    for move in (0, 1, 2):
        position = position.play(game.moves(position)[move])
    boards = np.array([boards_of(game, position)], np.int64)
    turns, stages = np.array([position.turn]), np.zeros(1, np.int64)
    one = Positions(boards, turns, stages, np.ones(1, np.float32), np.zeros(1, np.float32))
    chance = np.exp(-trainer.loss(net, one))
    logit = float(np.log(chance / (1 - chance)))
    found = game.evaluate(position, "learned", str(tmp_path / "net.json"))
    assert found == pytest.approx(1000 * logit, abs=2)


# --- what is learned from -------------------------------------------------------------------------
def rows_of(scores: Any, results: Any, turns: Any) -> Any:
    rows = np.zeros(len(scores), np.dtype(list(row_layout(2).fields)))
    rows["score"], rows["result"], rows["turn"] = scores, results, turns
    rows["game"] = np.arange(len(scores))
    return rows


def test_targets_are_for_the_side_to_move() -> None:
    rows = rows_of([100, 100, 0, -100], [1, 1, 0, NO_RESULT], [0, 1, 0, 1])
    rows["game"] += 1  # none is held out
    training = data.make_training_set(rows, Trainer(SHAPE, compiled=False), 0.01, 0.0)
    assert training.positions.targets[:3] == pytest.approx([1.0, 0.0, 0.5])
    assert training.positions.targets[3] == pytest.approx(1 / (1 + np.exp(-1)))  # no result: the score alone


def test_the_slope_of_scores_is_found_from_results() -> None:
    dice = np.random.default_rng(1)
    scores = dice.integers(-400, 400, 5000)
    results = np.where(dice.random(5000) < 1 / (1 + np.exp(-0.01 * scores)), 1, -1)
    rows = rows_of(scores, results, np.zeros(5000))
    assert data.chance_slope(rows, 0.00368) == pytest.approx(0.01, rel=0.1)
    assert data.chance_slope(rows_of([0] * 10, [1] * 10, [0] * 10), 0.00368) == 0.00368


def test_labels_of_the_wrong_sign_are_refused() -> None:
    rows = rows_of([100] * 300 + [-100] * 300, [-1] * 300 + [1] * 300, [0] * 600)
    with pytest.raises(data.BadData, match="wrong sign"):
        data.check_signs(rows)


def test_a_few_games_that_the_scores_misjudge_are_no_wrong_sign() -> None:
    """The positions of one game share its result: ten games of 100 positions are ten samples, not 1,000."""
    rows = rows_of([100] * 1000, [-1] * 600 + [1] * 400, [0] * 1000)
    rows["game"] = np.arange(1000) // 100
    data.check_signs(rows)
    rows["game"] = np.arange(1000)
    with pytest.raises(data.BadData, match="wrong sign"):
        data.check_signs(rows)


def test_stages_have_about_as_many_positions_each() -> None:
    stages = data.stages_of_counts(np.repeat(np.arange(8), 10), 4)
    assert stages[:8] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_scores_that_say_nothing_can_count_nothing() -> None:
    """The first generation of a game without an evaluation has results only; the next one has scores."""
    rows = rows_of([0, 100], [1, -1], [0, 0])
    rows["game"] += 1
    training = data.make_training_set(rows, Trainer(SHAPE, compiled=False), 0.01, np.array([0.0, 1.0]))
    assert training.positions.targets == pytest.approx([1.0, 1 / (1 + np.exp(-1))])
