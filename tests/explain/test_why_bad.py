"""Why a move is bad: every sentence is true by another search, and by the pieces on the board."""

import random
from collections import Counter
from functools import cache

import pytest

import plywise
from plywise import Engine, Game, History
from plywise.core.board import Board
from plywise.core.errors import BadMove
from plywise.core.scores import is_sure
from plywise.explain import WhyBad, why_bad, why_bad_data, why_bad_sentences
from plywise.explain.marks import accuracy, move_mark
from plywise.play.win_chance import win_chance
from plywise.search.limits import Limits
from tests.conftest import open_positions, sample

DEPTH = {"chess": 2, "polis": 1, "skirmish": 1}
SLACK = 0.05  # of the chance: an answer that gives away more would be an inaccuracy itself


def ask(history: History, move: str, depth: int | None = None) -> WhyBad:
    engine = Engine(history.game, hash=1, compiled=False)
    return why_bad(engine, history, move, Limits(depth=depth or DEPTH.get(history.game.name, 3)))


def line_end(history: History, line: tuple[str, ...]) -> History:
    for move in line:
        history = history.play(move)
    return history


def score_after(history: History, moves: tuple[str, ...], depth: int) -> int:
    """The score of a line for the side that begins it, by a search that prunes nothing by guess."""
    end = line_end(history, moves)
    if end.outcome is not None:
        winner = end.outcome.winner
        return 0 if winner is None else 32000 if winner == history.turn else -32000
    engine = Engine(history.game, hash=1, compiled=False, without=("unsound",))
    score = engine.search(end, depth=depth).score
    return score if end.turn == history.turn else -score


def pieces(history: History) -> Counter[tuple[int | None, str]]:
    board = history.game.board(history.position)
    assert isinstance(board, Board)
    return Counter((piece.side, piece.name) for row in board.rows for piece in row if piece is not None)


# --- truth ------------------------------------------------------------------------------------------
@cache
def outcome_value(history_text: str) -> int:
    """1, 0 or -1 for the side to move in tic-tac-toe, by looking at everything."""
    history = plywise.load("tic_tac_toe").history(history_text)
    if history.outcome is not None:
        winner = history.outcome.winner
        return 0 if winner is None else 1 if winner == history.turn else -1
    return max(-outcome_value(history.play(move).text) for move in history.moves)


def test_in_a_solved_game_a_move_is_a_blunder_if_and_only_if_it_gives_the_result_away() -> None:
    game = plywise.load("tic_tac_toe")
    engine = Engine(game, hash=1, compiled=False)
    for history in open_positions(game, 40, seed=5):
        move = random.Random(history.text).choice(history.moves)
        found = why_bad(engine, history, move, Limits(depth=9))
        kept = -outcome_value(history.play(move).text)
        assert (found.mark == "blunder") == (kept < outcome_value(history.text)), history.text
        assert found.is_good == (found.mark is None)


@pytest.mark.parametrize("name", plywise.shipped())
def test_what_is_said_is_so(name: str) -> None:
    game, told = plywise.load(name), 0
    for history in open_positions(game, 5, seed=8, most=30):
        move = random.Random(history.text).choice(history.moves)
        found = ask(history, move)
        played, depth = found.played, max(1, found.played.depth)
        line_end(history, played.line)  # every move of it is legal
        if not found.is_bad:
            continue
        told += 1
        assert score_after(history, (played.move,), depth) < score_after(history, (found.best.move,), depth)
        reply = played.reply(history)
        if reply is not None and not is_sure(played.score):
            way = played.line[: played.line.index(reply, 1)]
            asked = line_end(history, way)
            left = depth if asked.play(reply).turn == asked.turn else depth - 1  # its turn may go on
            if left:
                scores = score_after(history, way, depth), score_after(history, (*way, reply), left)
                best, chosen = (win_chance(score, game, found.unit) for score in scores)
                assert chosen <= best + SLACK, (history.text, played.line)
        if found.piece_loss is not None:
            end = line_end(history, played.shown)
            gone, new = pieces(history) - pieces(end), pieces(end) - pieces(history)
            for piece, number in found.piece_loss.lost.items():
                promoted = sum(found.piece_loss.gained.values())
                assert number <= gone[history.turn, piece] <= number + promoted
            for piece, number in found.piece_loss.given.items():
                assert new[1 - history.turn, piece] == number
    assert told or game.world is not None, "some of the moves are bad"


# --- words ------------------------------------------------------------------------------------------
def test_a_mate_is_told_with_the_answer_and_the_number_of_moves_in_the_games_own_writing() -> None:
    game = plywise.load("chess")
    history = game.history("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 3")
    found = ask(history, "a7a6")
    assert found.mark == "blunder"
    said = why_bad_sentences(found)
    assert said[0] == "a6 is a blunder: it loses by force."
    assert said[1] == "White answers Qxf7#: White wins in 1 move."
    assert said[2].startswith("Better is ")


def test_a_lost_piece_is_named() -> None:
    game = plywise.load("chess")
    history = game.history("4k3/8/8/3q4/8/8/3R4/3K4 b - - 0 1")
    found = ask(history, "d5d6")
    assert why_bad_sentences(found)[1].startswith("White answers Rxd6 and wins a queen: White +")
    assert found.piece_loss is not None and found.piece_loss.lost == {"queen": 1}


def test_a_loss_that_the_best_move_does_not_avoid_is_no_reason() -> None:
    game = plywise.load("chess")
    # The rook is lost whatever White does; h3 is worse for another reason, if at all.
    history = game.history("6k1/8/8/8/8/1b6/8/R5qK w - - 0 1")
    found = ask(history, "h1g1")
    assert found.piece_loss is None


def test_the_best_move_and_its_equals_are_not_called_bad() -> None:
    game = plywise.load("tic_tac_toe")
    history = game.history("x...o.... x")
    found = ask(history, "c3", depth=9)
    assert not found.is_bad and found.is_good and len(why_bad_sentences(found)) == 1


def test_where_a_side_moves_twice_the_answer_is_the_other_sides() -> None:
    game = sample("kalah")
    for history in open_positions(game, 8, seed=3):
        found = ask(history, history.moves[0])
        reply, end = found.played.reply(history), history
        if reply is None:
            continue
        for move in found.played.line[: found.played.line.index(reply, 1)]:
            assert end.turn == history.turn
            end = end.play(move)
        assert end.turn != history.turn


def test_the_data_has_the_sentences_and_both_lines() -> None:
    game = plywise.load("connect_four")
    history = game.history("414141")
    found = why_bad_data(ask(history, "7"))
    assert found["text"] and found["best"]["line"] and found["played"]["labels"][0] == "7"


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(BadMove):
        ask(plywise.load("chess").history(), "e2e5")


def test_marks_follow_the_chance_that_is_lost() -> None:
    assert [move_mark(0.6, after) for after in (0.6, 0.56, 0.52, 0.48, 0.2)] == [
        None,
        None,
        "inaccuracy",
        "mistake",
        "blunder",
    ]
    assert accuracy(0.5, 0.6) > accuracy(0.5, 0.4) > accuracy(0.5, 0.2)
    assert accuracy(0.5, 0.6) == pytest.approx(100.0, abs=0.01)


def test_a_game_of_ones_own_is_explained_too() -> None:
    game: Game = sample("runners")
    for history in open_positions(game, 4, seed=2):
        assert why_bad_sentences(ask(history, history.moves[-1]))


def test_limits_that_end_too_early_do_not_make_it_guess() -> None:
    game = plywise.load("chess")
    history = game.history("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 3")
    found = why_bad(Engine(game, hash=1, compiled=False), history, "a7a6", Limits(nodes=5))
    assert found.is_reliable and found.best.depth >= 2
    assert found.mark == "blunder" and found.best.score > -1000
