"""Lessons: what a student draws is what the textbook players do."""

import pytest

import plywise
from plywise import Engine, Game
from plywise.core.errors import BadLimits
from plywise.explain import Lesson, lesson
from tests.conftest import open_positions, sample

DEEP = {"tic_tac_toe": 3, "connect_four": 3, "runners": 4, "pebbles": 5}


def steps(taught: Lesson) -> list[tuple[object, ...]]:
    return [(step.event, step.node, step.value, step.alpha, step.beta) for step in taught.steps]


@pytest.mark.parametrize("player", ["minimax", "alphabeta"])
def test_a_lesson_visits_what_the_textbook_visits(any_game: Game, player: str) -> None:
    engine = Engine(any_game, player=player, compiled=False)
    depth = DEEP.get(any_game.name, 1)
    for history in open_positions(any_game, 3, seed=12):
        taught = lesson(history, depth, player=player)
        result = engine.search(history, depth=depth)
        assert (taught.value, len(taught.places)) == (result.score, result.nodes)
        assert taught.line == result.line


def test_minimax_and_alpha_beta_agree_and_one_is_smaller() -> None:
    history = plywise.load("tic_tac_toe").history("x...o.... x")
    plain, clever = (lesson(history, 4, player=player) for player in ("minimax", "alphabeta"))
    assert plain.value == clever.value
    assert plain.line == clever.line
    assert len(clever.places) < len(plain.places) / 2


def test_the_steps_of_a_small_tree_are_those_on_paper() -> None:
    """Five pebbles, two turns; a heap is worth 5 if it is odd, else -5, to the side to move."""
    taught = lesson(sample("pebbles").history("5 0"), 2, evaluator="parity")
    assert steps(taught) == [
        ("enter", 0, None, None, None),
        ("enter", 1, None, None, None),  # MAX takes one of five
        ("enter", 2, None, None, None),
        ("value", 2, 5, None, None),
        ("update", 1, 5, None, 5),
        ("enter", 3, None, None, 5),
        ("value", 3, -5, None, 5),
        ("update", 1, -5, None, -5),
        ("enter", 4, None, None, -5),
        ("value", 4, 5, None, -5),
        ("update", 1, -5, None, -5),
        ("leave", 1, -5, None, -5),
        ("update", 0, -5, -5, None),  # MAX is sure of -5
        ("enter", 5, None, -5, None),  # MAX takes two
        ("enter", 6, None, -5, None),
        ("value", 6, -5, -5, None),
        ("update", 5, -5, -5, -5),  # MIN can hold MAX to -5 here: no better than before
        ("cut", 5, -5, -5, -5),
        ("leave", 5, -5, -5, -5),
        ("update", 0, -5, -5, None),
        ("enter", 7, None, -5, None),  # MAX takes three
        ("enter", 8, None, -5, None),
        ("value", 8, 5, -5, None),
        ("update", 7, 5, -5, 5),
        ("enter", 9, None, -5, 5),
        ("value", 9, -5, -5, 5),
        ("update", 7, -5, -5, -5),  # the last move: there is nothing to cut
        ("leave", 7, -5, -5, -5),
        ("update", 0, -5, -5, None),
        ("leave", 0, -5, -5, None),
    ]
    assert taught.line == ("1", "2")
    assert taught.places[5].cut == ["2", "3"]


def test_windows_only_narrow_and_every_node_is_left_once() -> None:
    history = plywise.load("tic_tac_toe").history("x...o.... x")
    taught = lesson(history, 4)
    window: dict[int, tuple[float, float]] = {}
    for step in taught.steps:
        alpha = -1e9 if step.alpha is None else step.alpha
        beta = 1e9 if step.beta is None else step.beta
        before = window.get(step.node, (-1e9, 1e9))
        assert alpha >= before[0] and beta <= before[1]
        window[step.node] = alpha, beta
    done = [step.node for step in taught.steps if step.event in ("value", "leave")]
    assert sorted(done) == list(range(len(taught.places)))
    cut = [place for place in taught.places if place.cause == "cut"]
    assert cut
    for place in cut:
        tried = [other.move for other in taught.places if other.parent == place.number]
        assert not set(tried) & set(place.cut)
        assert sorted([*tried, *place.cut]) == sorted(history.game.history(place.text).moves)  # type: ignore[type-var]


def test_the_value_of_a_node_is_the_best_of_its_children() -> None:
    taught = lesson(plywise.load("connect_four").history("4453"), 3, player="minimax")
    for place in taught.places:
        below = [other.value for other in taught.places if other.parent == place.number]
        if below:
            assert place.value == (max if place.maximal else min)(below)  # type: ignore[type-var]


def test_a_lesson_that_cannot_be_drawn_is_refused() -> None:
    history = plywise.load("connect_four").history()
    with pytest.raises(BadLimits, match="more than 100 nodes at depth 4: choose a smaller depth"):
        lesson(history, 4, most=100)
    with pytest.raises(BadLimits, match="minimax or alphabeta, not 'default'"):
        lesson(history, 2, player="default")
    with pytest.raises(BadLimits, match="1 turn ahead or more, not 0"):
        lesson(history, 0)


def test_a_lesson_is_plain_data() -> None:
    data = lesson(plywise.load("tic_tac_toe").history("xoxoox... x"), 2).as_dict()
    assert data["places"][0]["move"] is None
    assert data["steps"][0]["event"] == "enter"
