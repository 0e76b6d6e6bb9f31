"""Positions are set up on the board of any game whose texts have a usual form, and proved by reading them."""

import pytest

import plywise
from plywise.core.board import Board
from plywise.core.errors import BadPosition
from plywise.core.position_setup import palette, set_up
from tests.conftest import SAMPLES


def changed(name: str, text: str, turn: int, cells: dict[str, str]) -> str:
    """The text after some cells got a piece, by its side and name, or nothing."""
    game = plywise.load(name)
    board = game.board(game.parse(text))
    assert isinstance(board, Board)
    kinds = {f"{piece.side} {piece.name}": piece for piece in palette(game)}
    placed = {board.cell(cell): kinds[words] if words else None for cell, words in cells.items()}
    return set_up(game, text, placed, turn)


def test_a_chess_position_is_set_up() -> None:
    bare = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    after = changed("chess", bare, 1, {"e4": "0 pawn", "e1": "", "d1": "0 king"})
    assert after == "4k3/8/8/8/4P3/8/8/3K4 b - - 0 1"


def test_rights_that_the_board_forbids_are_taken_away() -> None:
    text = changed("chess", "start", 0, {"h1": ""})
    assert text.split()[0].endswith("RNBQKBN1")
    assert "K" not in text.split()[2] and "Q" in text.split()[2]


def test_an_impossible_position_is_refused_with_the_reason() -> None:
    with pytest.raises(BadPosition, match="king"):
        changed("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0, {"e1": ""})


def test_kings_of_checkers_are_set_up() -> None:
    checkers = plywise.load("checkers")
    text = changed("checkers", "B:W22,27:B1,2", 1, {"9": "0 man", "22": "", "32": "1 king"})
    assert checkers.parse(text) == checkers.parse("W:W27,K32:B1,2,9")


def test_polis_and_tic_tac_toe_are_set_up() -> None:
    assert (
        changed("polis", "start", 1, {"a2": "", "a3": "0 dog"}).split()[0].endswith("/D7/1DDDDDDD/CDDDDDDD")
    )
    assert changed("tic_tac_toe", "xo....... x", 0, {"c1": "0 cross", "b2": "1 nought"}) == "xo..o...x x"


def test_a_game_whose_texts_are_moves_says_that_it_cannot() -> None:
    with pytest.raises(BadPosition, match="type the position instead"):
        changed("connect_four", "44", 0, {"1": "0 disc"})


def test_a_game_without_a_board_says_so() -> None:
    game = plywise.load(str(SAMPLES / "pebbles.py"))
    assert palette(game) == []
    with pytest.raises(BadPosition, match="no board"):
        set_up(game, "start", {}, 1)
