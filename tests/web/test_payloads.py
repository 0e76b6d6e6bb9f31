"""What the page is told of a score and of a board."""

import json
import math
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import plywise
from plywise import Board, Outcome, Piece
from plywise.core.board import stones
from plywise.core.scores import Kind, is_decisive
from plywise.search.result import Line
from plywise.web.payloads import (
    board_payload,
    line_payload,
    line_words,
    outcome_payload,
    piece_payload,
    result_words,
    score_words,
    taken_payload,
)
from tests.conftest import named, sample
from tests.prover.games import Random, any_shape, variant


def test_a_win_is_told_in_plies_where_a_side_may_act_again() -> None:
    history = sample("takers").history("2,4,6,3,1/0/0")
    result = plywise.analyse(history, depth=6, hash=1, compiled=False)
    assert result.kind is Kind.PROVEN and result.plies == 5
    assert result_words(history, result) == "first wins in 5 plies, proven"


def test_a_win_is_told_in_moves_of_the_winner_where_sides_move_in_turn() -> None:
    history = plywise.load("tic_tac_toe").history("x...o...x o")
    lost = plywise.load("tic_tac_toe").history("x..ox.... o")
    assert "moves" not in result_words(history, plywise.analyse(history, depth=9, hash=1, compiled=False))
    result = plywise.analyse(lost, depth=9, hash=1, compiled=False)
    assert result.plies == 4 and result_words(lost, result) == "x wins in 2 moves, proven"


@cache
def least_own_moves(game: plywise.Game, position: Any, side: int) -> float:
    """In how few moves of its own a side can force a win; infinite if it cannot."""
    outcome = game.outcome(position)
    if outcome is not None:
        return 0 if outcome.winner == side else math.inf
    found = [least_own_moves(game, position.play(move), side) for move in game.moves(position)]
    return 1 + min(found) if position.turn == side else max(found)


def test_no_win_is_promised_in_fewer_moves_than_it_may_take() -> None:
    """By a line in which the loser's answer leaves the winner the fewest moves, two of these were."""
    told = 0
    for number in (*range(20), 151, 158):
        dice = random.Random(number)
        shape = replace(any_shape(dice), cycles=0, loops=0, again=dice.choice((1, 2, 3)), actions=2, images=0)
        game, position = variant(0), Random(shape.seed)
        history = plywise.History(game, position)
        if not game.moves(position) or game.outcome(position):
            continue
        result = plywise.Engine(game, compiled=False, hash=1).search(history, depth=6)
        if not is_decisive(result.score) or result.kind is not Kind.PROVEN:
            continue
        words, side = result_words(history, result), history.turn if result.score > 0 else 1 - history.turn
        assert least_own_moves(game, position, side) < math.inf
        if " move" in words:
            said = int(words.split(" in ")[1].split()[0])
            assert least_own_moves(game, position, side) <= said, words
        told += 1
    assert told > 3


def test_what_is_proven_in_the_model_of_a_world_is_no_proof_where_dice_are_rolled() -> None:
    """The model takes 11 from an archer of 9; in the world it may be 6."""
    history = plywise.load("skirmish").history("25x19 F5,6:160 A5,7:9 F1")
    result = plywise.analyse(history, depth=2, hash=1, compiled=False)
    assert result.kind is Kind.PROVEN
    assert result_words(history, result) == "footmen may win in 1 move"
    assert line_payload(history, result.lines[0], "default")["kind"] == "estimate"


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
        ("connect_four", "1212121", "Red wins: four in a row"),
    ],
)
def test_the_end_of_a_game_is_said_in_the_words_of_players(name: str, text: str, words: str) -> None:
    game = plywise.load(name)
    payload = outcome_payload(game.as_drawn(), game.history(text).outcome)
    assert payload is not None and payload["words"] == words


def test_the_end_of_a_game_begins_with_a_capital_unless_the_side_is_a_letter() -> None:
    for name, words in (("skirmish", "Footmen win: why"), ("tic_tac_toe", "x wins: why")):
        told = outcome_payload(plywise.load(name), Outcome(0, "why"))
        assert told is not None and told["words"] == words
