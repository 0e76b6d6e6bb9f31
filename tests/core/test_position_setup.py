"""Positions are set up on the board of any game whose texts have a usual form, and proved by reading them."""

import pytest

import plywise
from plywise.core.board import Board
from plywise.core.errors import BadPosition
from plywise.core.position_setup import palette, set_up
from tests.conftest import ROOT, SAMPLES


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


def test_details_are_changed_and_the_rest_stays() -> None:
    chess = plywise.load("chess")
    bare = "r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq e3 0 7"
    values = {
        "White O-O": False,
        "Black O-O-O": False,
        "half-move clock": 3,
        "move number": 40,
        "en passant": "-",
    }
    assert set_up(chess, bare, {}, 1, values) == "r3k2r/8/8/8/4P3/8/8/R3K2R b Qk - 3 40"
    assert set_up(chess, bare, {}, 0, {"move number": 8}) == "r3k2r/8/8/8/4P3/8/8/R3K2R w KQkq - 0 8"


def test_a_right_of_an_inner_rook_stays_when_another_is_taken_away() -> None:
    chess = plywise.load("chess")
    text = set_up(chess, "1r2k1rr/8/8/8/8/8/8/4K2R b Kgb - 0 1", {}, 1, {"White O-O": False})
    assert text.split()[2] == "gq"
    assert [one.value for one in chess.details(chess.parse(text))][:4] == [False, False, True, True]


def test_a_right_comes_with_the_rook_that_was_put_there() -> None:
    chess = plywise.load("chess")
    board = chess.board(chess.start())
    assert isinstance(board, Board)
    rook = next(piece for piece in palette(chess) if piece.letter == "R")
    bare, corner = "4k3/8/8/8/8/8/8/4K3 w - - 0 1", board.cell("h1")
    assert set_up(chess, bare, {corner: rook}, 0, {"White O-O": True}) == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"White O-O": True}, "no rook right of e1"),
        ({"en passant": "e6"}, "no Black pawn on e5"),
        ({"en passant": "e5"}, "en passant is one of -, a6, b6"),
        ({"move number": 0}, "from 1 to 99999, not 0"),
        ({"move number": True}, "whole number"),
        ({"White O-O": 1}, "true or false"),
        ({"moves left": 3}, "Chess has no 'moves left'; it has White O-O"),
    ],
)
def test_impossible_details_are_refused_with_the_reason(
    values: dict[str, bool | int | str], reason: str
) -> None:
    with pytest.raises(BadPosition, match=reason):
        set_up(plywise.load("chess"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1", {}, 0, values)


def test_a_users_game_has_details_too() -> None:
    morris = plywise.load(str(ROOT / "examples" / "morris.py"))
    board = morris.board(morris.start())
    assert isinstance(board, Board)
    white, black = palette(morris)
    men = {board.cell("a7"): white, board.cell("d7"): white, board.cell("g1"): black}
    with pytest.raises(BadPosition, match="more men are on the board"):
        set_up(morris, "start", men, 0)
    text = set_up(morris, "start", men, 0, {"men placed": 4, "takes a man": True})
    assert text == "ww.....................b 4 w takes"


def test_a_game_without_details_has_none_to_change() -> None:
    polis = plywise.load("polis")
    assert polis.details(polis.start()) == ()
    with pytest.raises(BadPosition, match="no details"):
        set_up(polis, "start", {}, 0, {"move number": 3})


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
