"""Fitting the weights of an evaluation that is linear in them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plywise
from plywise.learn.linear import LinearData, NotLinear, write_weights
from plywise.learn.selfplay import SelfPlay
from plywise.learn.shapes import CannotLearn, shape_of


@pytest.fixture(scope="module")
def rows() -> Any:
    game = plywise.load("polis")
    return SelfPlay(game, shape_of(game, form="weights"), compiled=False, whole=True).play(1, range(3), 15)


def test_the_counted_weights_give_the_evaluation(rows: Any) -> None:
    game = plywise.load("polis")
    data = LinearData(game, rows, 0.004, 0.5)
    chances = data.chances(data.start, np.arange(len(rows)))[0]
    for row, chance in zip(data.rows, chances, strict=True):
        position = game.position(*(int(word) for word in row["boards"]))
        assert chance == pytest.approx(1 / (1 + np.exp(-0.004 * game.evaluate(position))))


def test_weights_are_found_that_foretell_better(rows: Any, tmp_path: Path) -> None:
    """Of a game in which the first side always wins, the weights learn what it has more of."""
    game = plywise.load("polis")
    labelled = rows.copy()
    labelled["result"] = 1
    data = LinearData(game, labelled, 0.004, 0.0)
    data.held = np.arange(len(data.rows)) % 5 == 0
    learning = np.flatnonzero(~data.held)
    *_, (last, best) = data.fit(1, epochs=20)
    assert last.loss < 0.9 * data.loss(data.start, learning)
    path = tmp_path / "weights.json"
    write_weights(path, game, data.values(best), {"made by": "a test"})
    assert game.weights("default", path).keys() == game.weights("default").keys()
    assert game.weights("default", path) != game.weights("default")


def test_an_evaluation_without_weights_is_refused(rows: Any) -> None:
    with pytest.raises(NotLinear, match="no weights"):
        LinearData(plywise.load("connect_four"), rows, 0.004, 0.5)
    with pytest.raises(CannotLearn, match="no weights"):
        shape_of(plywise.load("connect_four"), form="weights")
