"""One suite for every game: what the search, the players and the pages rely on."""

from pathlib import Path

import pytest

import plywise
from plywise import Board, Game
from plywise.check import check
from plywise.core.outcome import LOST, WON
from tests.conftest import walk


def test_the_game_proves_itself(any_game: Game) -> None:
    assert [str(finding) for finding in check(any_game, positions=150) if not finding.advice] == []


def test_finished_games_have_an_outcome_with_a_reason(any_game: Game) -> None:
    finished = 0
    for seed in range(12):
        *_, last = walk(any_game, seed, 1200)
        if last.outcome is not None:
            finished += 1
            assert last.outcome.winner in (0, 1, None)
            assert len(last.outcome.reason) > 3
    assert finished


def test_won_and_lost_positions_have_no_moves(any_game: Game) -> None:
    for seed in range(6):
        for history in walk(any_game, seed, 200):
            if any_game.verdict(history.position) in (WON, LOST):
                assert any_game.moves(history.position) == []


def test_positions_repeat_in_their_text_and_repr(any_game: Game) -> None:
    for history in walk(any_game, 3, 40):
        if hasattr(any_game.author, "parse"):
            assert any_game.parse(history.text) == history.position
        assert any_game.author.__name__ in repr(any_game.own(history.position))


def test_nonsense_is_refused_with_one_sentence(any_game: Game) -> None:
    for text in ("?!", "\x00", "start start", "moves", "x" * 5000, "-1", "☃", "start moves zzz"):
        with pytest.raises(plywise.PlywiseError) as error:
            any_game.history(text).play("☃")
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", plywise.shipped())
def test_shipped_games_have_rules_boards_and_bench_positions(name: str) -> None:
    game = plywise.load(name)
    assert game.name == name
    assert game.rules().startswith("# ")
    assert Path(game.source).with_name("RULES.md").is_file()
    board = game.board(game.start())
    assert isinstance(board, Board)
    assert board.width and board.height
    for text, depth in game.bench:
        assert game.history(text).outcome is None
        assert depth >= 1


@pytest.mark.parametrize("name", plywise.shipped())
def test_evaluations_have_names_and_read_their_weights(name: str) -> None:
    game = plywise.load(name)
    for label, evaluation in game.evaluations.items():
        assert evaluation.name == label
        if evaluation.weights is not None:
            assert evaluation.weights.values()
