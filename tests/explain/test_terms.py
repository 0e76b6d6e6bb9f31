"""Evaluations term by term: they add up, exactly, in the game's own words."""

from dataclasses import dataclass
from pathlib import Path

import pytest

import plywise
from plywise import Game
from plywise.core.errors import BadGame
from plywise.core.evaluation import round_to_total
from plywise.core.layout import Layout
from plywise.core.resources import Weights
from tests.cli.terminal import plywise as typed
from tests.conftest import open_positions, sample


def test_the_terms_of_every_evaluation_add_up_to_it(any_game: Game) -> None:
    for name in any_game.evaluations:
        for history in open_positions(any_game, 6):
            terms = any_game.terms(history.position, name)
            assert sum(terms.values()) == any_game.evaluate(history.position, name), (name, history)
            assert all(isinstance(value, float) for value in terms.values())


def test_terms_are_what_the_players_of_the_game_call_them() -> None:
    game = plywise.load("chess")
    without_bishop = game.parse("rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    terms = game.terms(without_bishop)
    assert terms["material"] > 300
    assert terms["bishop pair"] > 0
    assert terms["king safety"] == 0
    black = game.parse("rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
    assert game.terms(black)["material"] == -terms["material"]


def test_an_evaluation_without_terms_is_one_term() -> None:
    game = sample("runners")
    position = game.parse("7-3-0")
    assert game.terms(position) == {"evaluation": 4.0}


def test_other_weights_give_other_terms(tmp_path: Path) -> None:
    game = sample("pebbles")
    position = game.parse("9 0")
    file = tmp_path / "weights.json"
    file.write_text('{"values": {"per_pebble": 7, "by_rest": [0, 5, 0, 0]}}')
    assert game.terms(position, "weighed", str(file)) == {"heap": 63.0, "by rest": 5.0}
    assert game.evaluate(position, "weighed", str(file)) == 68
    file.write_text('{"values": {"per_pebble": 8, "by_rest": [0, 50, 0, 0]}}')
    assert game.terms(position, "weighed", str(file)) == {"heap": 72.0, "by rest": 50.0}


def test_a_plain_game_may_have_other_evaluations_with_terms() -> None:
    @plywise.game()
    @dataclass(frozen=True)
    class Stones:
        left: int = 9
        turn: int = 0

        def moves(self) -> list[int]:
            return [1, 2][: self.left]

        def play(self, move: int) -> "Stones":
            return Stones(self.left - move, 1 - self.turn)

    @plywise.evaluation(Stones, terms=lambda own: {"thirds": -(own.left % 3), "offset": 30_000.0})
    def thirds(position: Stones) -> int:
        return 30_000 - position.left % 3

    game = Stones.game  # type: ignore[attr-defined]
    terms = game.terms(game.parse("start"), "thirds")
    assert terms == {"thirds": 0.0, "offset": 30_000.0, "beyond the scale": -10_000.0}
    assert sum(terms.values()) == game.evaluate(game.start(), "thirds")
    assert plywise.analyse(game.history(), depth=2, evaluator="thirds").score == 20_000


def test_words_for_weights_that_are_not_there_are_refused() -> None:
    cls = sample("pebbles").position
    weights = Weights(Layout(("a", "i8")), "nowhere.json")
    with pytest.raises(BadGame, match="terms name 'b', which is no field of the weights"):
        plywise.evaluation(cls, "bad", weights=weights, terms={"b": "bees"})(lambda position, weights: 0)
    with pytest.raises(BadGame, match="no weights"):
        plywise.evaluation(cls, "bad", terms={"b": "bees"})(lambda position: 0)


@pytest.mark.parametrize(
    ("shares", "whole", "out"),
    [
        ({"a": 1.5, "b": 1.5}, 3, {"a": 2.0, "b": 1.0}),
        ({"a": -1.25, "b": 2.75}, 1, {"a": -1.0, "b": 2.0}),
        ({"a": 0.5, "b": 0.4}, -2, {"a": -1.0, "b": -1.0}),
        ({}, 0, {}),
        ({}, 5, {"evaluation": 5}),
    ],
)
def test_shares_are_whole_numbers_that_add_up(
    shares: dict[str, float], whole: int, out: dict[str, float]
) -> None:
    assert round_to_total(shares, whole) == out
    assert sum(out.values()) == whole


def test_a_score_is_said_in_the_unit_of_its_evaluation() -> None:
    game = plywise.load("polis")
    assert game.evaluation("classic").unit == 10
    assert game.evaluation("default").unit == game.unit == 100
    ahead = game.history("ddddddd1/dddddddd/7c/8/8/8/DDDDDDDD/CDDDD3 r")
    result = plywise.analyse(ahead, depth=1, evaluator="classic", compiled=False)
    assert 20 <= result.score < 100
    assert result.words == f"{result.score / 10:+.2f}"


# --- the command ------------------------------------------------------------------------------------
def test_evaluate_shows_the_terms_for_the_side_that_moves_first() -> None:
    shown = typed("evaluate", "chess", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "--evaluator", "material")
    assert shown.out.splitlines()[-3:] == [
        "material, for White:",
        "  material     +5.00",
        "  together     +5.00",
    ]


def test_evaluate_as_data_is_for_the_side_to_move() -> None:
    answer = typed(
        "evaluate", "chess", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "--evaluator", "material", "--json"
    ).json
    assert answer["score"] == -500
    assert answer["terms"] == {"material": -500.0}
    assert (answer["turn"], answer["unit"], answer["outcome"]) == (1, 100, None)


def test_a_finished_game_has_an_outcome_and_no_terms() -> None:
    answer = typed("evaluate", "connect_four", "1212121", "--json").json
    assert answer["terms"] == {}
    assert answer["score"] is None
    assert answer["outcome"] == {"winner": 0, "reason": "x has four in a row"}
    assert typed("evaluate", "connect_four", "1212121").out.splitlines()[-1] == "over: x has four in a row"


def test_an_unknown_evaluator_is_refused() -> None:
    done = typed("evaluate", "chess", "--evaluator", "shanon")
    assert done.status == 2
    assert "did you mean 'shannon'?" in done.error
