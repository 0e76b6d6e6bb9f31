"""One suite for every game: what the search, the players and the pages rely on."""

from contextlib import nullcontext
from pathlib import Path

import pytest

import plywise
from plywise import Board, Game
from plywise.check import check
from plywise.core.outcome import LOST, WON
from tests.conftest import Scaled, interpreted, walk


def test_the_game_proves_itself(proof_game: Game, scaled: Scaled) -> None:
    with nullcontext() if scaled.compiled else interpreted():
        found = [finding for finding in check(proof_game, positions=scaled(30, 150)) if not finding.advice]
    allowed = set() if scaled.compiled else {"compiles"}
    assert [str(finding) for finding in found if finding.rule not in allowed] == []


def test_finished_games_have_an_outcome_with_a_reason(any_game: Game, scaled: Scaled) -> None:
    finished = 0
    for seed in range(scaled(4, 12)):
        *_, last = walk(any_game, seed, 1200)
        if last.outcome is not None:
            finished += 1
            assert last.outcome.winner in (0, 1, None)
            assert len(last.outcome.reason) > 3
    assert finished


def test_won_and_lost_positions_have_no_moves(any_game: Game, scaled: Scaled) -> None:
    for seed in range(scaled(2, 6)):
        for history in walk(any_game, seed, 200):
            if any_game.verdict(history.position) in (WON, LOST):
                assert any_game.moves(history.position) == []


def test_positions_repeat_in_their_text_and_repr(any_game: Game) -> None:
    for history in walk(any_game, 3, 40):
        if hasattr(any_game.author, "parse"):
            assert any_game.parse(history.text) == history.position
        assert any_game.author.__name__ in repr(any_game.unwrap(history.position))


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


def test_the_effects_of_each_move_lead_to_the_board_after_it(any_game: Game, scaled: Scaled) -> None:
    told = 0
    for seed in range(scaled(1, 3)):
        for history in walk(any_game, seed, 60):
            board = any_game.board(history.position)
            if not isinstance(board, Board):
                return
            for move in any_game.moves(history.position):
                cells = board.pieces
                for phase in any_game.effects(history.position, move):
                    lifted = [(effect, cells[int(effect.at)]) for effect in phase.effects]
                    for effect, _ in lifted:
                        cells[int(effect.at)] = None
                    for effect, piece in lifted:
                        if effect.kind != "capture":
                            cells[int(effect.at if effect.to is None else effect.to)] = effect.piece or piece
                    told += 1
                after = any_game.board(history.position.play(move))
                assert isinstance(after, Board)
                assert cells == after.pieces, (history.text, any_game.move_text(history.position, move))
    assert told


def test_each_move_can_be_made_by_hand(any_game: Game, scaled: Scaled) -> None:
    for seed in range(scaled(1, 3)):
        for history in walk(any_game, seed, 60):
            board = any_game.board(history.position)
            if not isinstance(board, Board) or not any(map(any, board.names)):
                return
            names = {name for row in board.names for name in row}
            seen = set()
            for move in any_game.moves(history.position):
                entry = any_game.move_entry(history.position, move)
                text = any_game.move_text(history.position, move)
                assert entry.steps or text in ("pass", "swap"), "such a move is a button"
                assert names.issuperset(entry.steps)
                assert entry not in seen, "two moves are made by the same hand"
                seen.add(entry)


def test_marks_stand_on_cells_and_say_why(any_game: Game) -> None:
    for history in walk(any_game, 5, 80):
        for mark in any_game.marks(history.position):
            board = any_game.board(history.position)
            assert isinstance(board, Board)
            assert board.pieces[int(mark.cell)] is not None
            assert len(mark.reason) > 5
