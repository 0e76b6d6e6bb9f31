"""Names of openings: every line of the table is played, by Plywise and by python-chess alike."""

import re

import chess
import pytest

import plywise
from plywise.games.chess.opening_names import openings_by_key, read_lines

GAME = plywise.load("chess")


def test_each_line_is_played_and_leads_to_a_position_of_its_own() -> None:
    lines = list(read_lines())
    boards = set()
    for moves, opening in lines:
        board = chess.Board()
        for move in moves.split():
            assert board.san(board.parse_san(move)) == move, (moves, move)
            board.push_san(move)
        boards.add(board.epd())
        assert re.fullmatch("[A-E][0-9]{2}", opening.code)
        assert opening.name == opening.name.strip() != ""
    assert len(boards) == len(openings_by_key()) == len(lines) >= 300


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("", None),
        ("e2e4 e7e5 g1f3 b8c6 f1b5", "C60 Ruy Lopez"),
        ("e2e4 e7e5 g1f3 b8c6 f1b5 h7h6 a2a3", "C60 Ruy Lopez"),
        ("g1f3 g8f6 d2d4 e7e6 c2c4 b7b6", "E12 Queen's Indian Defence"),
        ("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 g1f3 c7c6", "D43 Semi-Slav Defence"),
        ("c2c4 c7c6 d2d4 d7d5 b1c3 g8f6 g1f3 e7e6", "D43 Semi-Slav Defence"),
    ],
)
def test_a_game_goes_by_its_opening_whatever_the_order_of_moves(moves: str, name: str | None) -> None:
    opening = GAME.history(f"start moves {moves}").opening
    assert (opening and str(opening)) == name


def test_the_usual_start_of_chess960_has_the_same_names() -> None:
    history = GAME.history(GAME.starts["Chess960 518"]).play("e2e4").play("c7c5")
    assert str(history.opening) == "B20 Sicilian Defence"
