"""What the page is told of a score and of a board."""

import json
from collections import Counter

import pytest

import plywise
from plywise import Board, Piece
from plywise.core.board import stones
from plywise.core.scores import Kind
from plywise.search.result import Line
from plywise.web.payloads import (
    board_payload,
    line_words,
    outcome_payload,
    piece_payload,
    result_words,
    score_words,
    taken_payload,
)
from tests.conftest import named, sample


def test_a_win_is_told_in_moves_of_the_winner_by_the_turns_of_its_line() -> None:
    history = sample("takers").history("2,4,6,3,1/0/0")
    result = plywise.analyse(history, depth=6, hash=1, compiled=False)
    turns, now = [], history
    for move in result.line:
        turns.append(now.turn)
        now = now.play(move)
    assert result.kind is Kind.PROVEN and now.outcome is not None and result.plies == 5
    own = turns.count(0)
    assert own != 3, "what alternating sides would need"
    assert result_words(history, result) == f"first wins in {own} moves, proven"


def test_a_win_whose_line_is_not_known_to_its_end_is_told_in_plies() -> None:
    history = plywise.load("tic_tac_toe").history()
    assert score_words(history.game, 0, 31997, Kind.PROVEN, 1) == "x wins in 3 plies, proven"
    assert score_words(history.game, 1, 31999, Kind.BOUND, 1) == "o wins in at most 1 ply"
    line = Line(31995, Kind.PROVEN, (history.moves[0],), (history.game.moves(history.position)[0],))
    assert line_words(history, line, 1) == "x wins in 5 plies, proven"


def test_the_page_is_told_where_cells_are_that_are_no_squares() -> None:
    game = named("examples/morris")
    told = json.loads(json.dumps(board_payload(game.board(game.start()))))
    assert told["shape"] == "points"
    layout = told["layout"]
    assert len(layout["places"]) == len(told["cells"]) == len(told["names"]) == 49
    assert layout["rows"] == [7] * 7
    assert len(layout["lines"]) == 32  # 16 lines of three points
    joined = {frozenset(told["names"][cell] for cell in pair) for pair in layout["lines"]}
    assert {"d7", "d6"} in joined and {"d5", "d3"} not in joined


def test_squares_need_no_layout() -> None:
    told = board_payload(Board(((None, Piece("x", "disc", 0)),), bottom=("a", "b")))
    assert (told["shape"], told["layout"], told["names"]) == ("squares", None, ["a", "b"])
    assert told["cells"][1]["pile"] is None


def test_pieces_that_were_taken_are_no_pile() -> None:
    """Their number is `count`; stones that lie together are a `pile`."""
    lost: tuple[Counter[Piece], Counter[Piece]] = (Counter(), Counter({Piece("p", "pawn", 1): 3}))
    (pawn,) = taken_payload(lost)[1]
    assert (pawn["count"], pawn["pile"]) == (3, None)
    told = piece_payload(stones(3))
    assert told is not None and told["pile"] == 3


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("chess", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "Black wins: checkmate"),
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Draw: stalemate"),
        ("tic_tac_toe", "xxxoo.... o", "x wins: three in a row"),
        ("connect_four", "1212121", "red wins: four in a row"),
    ],
)
def test_the_end_of_a_game_is_said_in_the_words_of_players(name: str, text: str, words: str) -> None:
    game = plywise.load(name)
    payload = outcome_payload(game.as_drawn(), game.history(text).outcome)
    assert payload is not None and payload["words"] == words
