"""The learned evaluation: sums equal a refresh, files are refused with a reason, pieces have a worth."""

import json
import random
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import plywise
from plywise import Engine, Game
from plywise.core import learned, net_file
from plywise.core.evaluation import Evaluation, call_evaluation
from plywise.core.net_file import CORRECTION, REPLACING, BadNet, NoNet, Shape, write_net
from plywise.learn.fit import second_columns
from plywise.learn.shapes import shape_of
from plywise.search.thread_state import ThreadState, thread_layout, weights_record
from tests.conftest import Scaled

GAMES = ["connect_four", "polis", "checkers", "chess"]


def random_values(game: Game, shape: Shape, seed: int = 1) -> dict[str, Any]:
    """A net that says something different about every position."""
    dice = np.random.default_rng(seed)
    return {
        **net_file.base_values(game, shape),
        "net_columns": dice.integers(-90, 90, shape.inputs * shape.hidden).tolist(),
        "net_bias": dice.integers(0, 120, shape.hidden).tolist(),
        "net_outputs": dice.integers(-127, 128, shape.stages * 2 * shape.hidden).tolist(),
        "net_output_bias": dice.integers(-9000, 9000, shape.stages).tolist(),
        "net_stages": [min(shape.stages - 1, i // 5) for i in range(learned.STAGE_COUNT)],
        "net_scale": 100,
    }


def saved_net(game: Game, folder: Path, form: str = "replacing") -> str:
    shape = shape_of(game, hidden=16, form=form)
    path = folder / "net.json"
    write_net(path, game, shape, random_values(game, shape), {})
    return str(path)


def naive_score(shape: Shape, values: dict[str, Any], boards: tuple[int, ...], turn: int) -> int:
    """The slow twin: all columns of all set cells, added up."""
    second, hidden = second_columns(shape), shape.hidden
    views = [list(values["net_bias"]), list(values["net_bias"])]
    count = 0
    for i, board in enumerate(boards):
        for cell in range(64):
            if board >> cell & 1:
                count += 1
                for view, column in enumerate((i * 64 + cell, int(second[i * 64 + cell]))):
                    for k in range(hidden):
                        views[view][k] += values["net_columns"][column * hidden + k]
    stage = values["net_stages"][min(count, learned.STAGE_COUNT - 1)]
    total = 0
    for part, view in enumerate((turn, 1 - turn)):
        for k in range(hidden):
            cut = max(0, min(learned.TOP, views[view][k]))
            total += cut * cut * values["net_outputs"][(2 * stage + part) * hidden + k]
    one = learned.TOP * learned.OUTPUT_ONE
    return (total // learned.TOP + values["net_output_bias"][stage]) * values["net_scale"] // one


@pytest.mark.parametrize("name", GAMES)
def test_sums_that_follow_any_plies_equal_a_refresh(name: str, scaled: Scaled) -> None:
    game = plywise.load(name)
    shape = shape_of(game, hidden=16)
    values, dice = random_values(game, shape), random.Random(2)
    function = net_file.evaluation_of_shape(game, shape).function
    assert function is not None
    memory = ThreadState(learned.memory_layout(shape.boards, shape.hidden), native=False).record
    weights, position = SimpleNamespace(**values), game.start()
    for _ in range(scaled(40, 1000)):
        found = function(position, weights, memory, dice.randrange(200))
        assert found == naive_score(shape, values, net_file.boards_of(game, position), position.turn)
        moves = game.moves(position)
        position = position.play(dice.choice(moves)) if moves and dice.random() < 0.95 else game.start()


@pytest.mark.parametrize("name", ["chess", "polis"])
def test_sums_hold_at_every_node_of_a_search(name: str, tmp_path: Path) -> None:
    """Null moves and singular searches included: nothing has to be undone."""
    game = plywise.load(name)
    path = saved_net(game, tmp_path)
    own = game.evaluation("learned", path)
    assert own.function is not None
    function, weights, nodes = own.function, SimpleNamespace(**game.weights("learned", path)), 0

    def checked(position: Any, values: Any, memory: Any, ply: int) -> int:
        nonlocal nodes
        nodes += 1
        score = function(position, values, memory, ply)
        if nodes % 5 == 0:
            assert score == call_evaluation(function, position, weights, own.memory)
        return int(score)

    game.evaluations["checked"] = Evaluation("checked", checked, own.weights, own.memory)
    try:
        Engine(game, "checked", weights=path, hash=1, compiled=False).search(game.history(), nodes=1500)
    finally:
        del game.evaluations["checked"]
    assert nodes > 100


def test_compiled_and_interpreted_searches_visit_the_same_nodes(scaled: Scaled, tmp_path: Path) -> None:
    game = plywise.load("connect_four")
    path = saved_net(game, tmp_path)
    results = [
        Engine(game, "learned", weights=path, hash=1, compiled=compiled).search(game.history("4453"), depth=6)
        for compiled in (scaled.compiled, False)
    ]
    assert [(r.move, r.score, r.nodes) for r in results[:1]] == [
        (r.move, r.score, r.nodes) for r in results[1:]
    ]


@pytest.mark.parametrize("form", [CORRECTION, REPLACING])
def test_rows_begin_where_cache_lines_do(form: str) -> None:
    game = plywise.load("polis")
    shape = shape_of(game, hidden=32, form=form)
    evaluation = net_file.evaluation_of_shape(game, shape)
    thread = ThreadState(thread_layout(game, evaluation), native=True)
    values = {**net_file.base_values(game, shape), **random_values(game, shape)}
    assert evaluation.weights is not None
    weights = weights_record(evaluation.weights.layout, values, native=True)
    for array in (thread.record.net_seen, thread.record.net_sums, weights["net_columns"]):
        assert array.ctypes.data % 64 == 0


def test_a_correction_is_added_to_the_own_evaluation(tmp_path: Path) -> None:
    game = plywise.load("polis")
    alone, added = saved_net(game, tmp_path), tmp_path / "added.json"
    shape = shape_of(game, hidden=16, form=CORRECTION)
    write_net(added, game, shape, random_values(game, shape), {})
    position = game.history("4d3/d1dd2d1/dd4d1/Cd3D1d/6s1/4DD1D/DDDDDDD1/5D2 b").position
    own, net = game.evaluate(position), game.evaluate(position, "learned", alone)
    assert game.evaluate(position, "learned", str(added)) == own + net
    assert game.terms(position, "learned", str(added))["own evaluation"] == own


def test_the_worth_of_pieces_adds_up_and_has_their_names(tmp_path: Path) -> None:
    game = plywise.load("chess")
    path = saved_net(game, tmp_path)
    position = game.start()
    terms = game.terms(position, "learned", path)
    assert "White king e1" in terms
    assert "Black queen d8" in terms
    assert len(terms) == 33
    assert sum(terms.values()) == game.evaluate(position, "learned", path)


def test_a_game_that_has_learned_nothing_says_how_to_learn() -> None:
    with pytest.raises(NoNet, match="plywise learn tic_tac_toe"):
        plywise.load("tic_tac_toe").evaluation("learned")


@pytest.mark.parametrize(("name", "text"), [("connect_four", "4453"), ("polis", "start")])
def test_a_shipped_net_is_played_by_who_names_it(name: str, text: str) -> None:
    game = plywise.load(name)
    assert game.evaluators[-1] == "learned" and game.usual_evaluator == "default"
    position = game.history(text).position
    assert game.evaluate(position, "learned") != game.evaluate(position)


def test_the_shipped_net_of_connect_four_says_what_discs_are_worth() -> None:
    game = plywise.load("connect_four")
    position = game.history("4453").position
    terms = game.terms(position, "learned")
    assert len(terms) == 5  # four discs, and what they have together
    assert sum(terms.values()) == game.evaluate(position, "learned")


# --- files that are refused -----------------------------------------------------------------------
def changed(path: str, **change: Any) -> str:
    page = json.loads(Path(path).read_text())
    page.update(change)
    Path(path).write_text(json.dumps(page))
    return path


def test_a_net_of_another_game_is_refused(tmp_path: Path) -> None:
    path = saved_net(plywise.load("polis"), tmp_path)
    with pytest.raises(BadNet, match="it is for 'polis', not for chess"):
        plywise.load("chess").evaluation("learned", path)


def test_a_net_that_saw_other_boards_is_refused(tmp_path: Path) -> None:
    game = plywise.load("connect_four")
    path = changed(saved_net(game, tmp_path), seen="0123456789abcdef")
    with pytest.raises(BadNet, match="learn again"):
        game.evaluation("learned", path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"hidden": 24}, "multiple of 16"),
        ({"form": "poem"}, "form must be"),
        ({"boards": 0}, "boards must be"),
    ],
)
def test_a_net_of_an_impossible_shape_is_refused(tmp_path: Path, change: Any, reason: str) -> None:
    game = plywise.load("connect_four")
    shape = replace(shape_of(game, hidden=16), **change)
    with pytest.raises(BadNet, match=reason):
        game.evaluation("learned", changed(saved_net(game, tmp_path), shape=asdict(shape)))


def test_a_net_with_too_few_numbers_is_refused(tmp_path: Path) -> None:
    game = plywise.load("connect_four")
    shape = replace(shape_of(game, hidden=16), hidden=32)
    path = changed(saved_net(game, tmp_path), shape=asdict(shape))
    with pytest.raises(plywise.PlywiseError, match="should have"):
        game.weights("learned", path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"shape": 3}', "\x00"])
def test_what_is_no_net_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "net.json"
    path.write_text(text)
    with pytest.raises(BadNet, match="it is no net"):
        plywise.load("connect_four").evaluation("learned", path)
