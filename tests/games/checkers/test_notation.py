"""Positions and moves as text, and what is said about those that are wrong."""

import pytest

import plywise
from plywise.core.errors import BadMove, BadPosition
from tests.games.checkers.random_positions import thrown

GAME = plywise.load("checkers")


def test_positions_come_back_as_they_were_written():
    for fen in thrown(11, 300):
        position = GAME.parse(fen)
        assert GAME.text(position) == fen
        assert GAME.parse(GAME.text(position)) == position
    assert GAME.parse(GAME.text(GAME.start())) == GAME.start()


@pytest.mark.parametrize(
    ("loose", "text"),
    [
        ("B:W18,24,K27:B12,16,K20.", "B:W18,24,K27:B12,16,K20"),
        ("b:bk20,16,12:wk27,24,18", "B:W18,24,K27:B12,16,K20"),
        ("B:B1-12:W21-32", GAME.text(GAME.start())),
        ("W: W22, 27 : B24", "W:W22,27:B24"),
        ("W:W22:B", "W:W22:B"),
    ],
)
def test_positions_are_read_in_other_orders_and_with_ranges(loose, text):
    assert GAME.text(GAME.parse(loose)) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("X:W22:B24", "begin with the side to move"),
        ("W:W22", "both colours"),
        ("W:W22:W24", "listed twice"),
        ("W:W22:B22", "square 22 is taken twice"),
        ("W:W33:B22", "no square 33"),
        ("W:W0:B22", "no square 0"),
        ("W:Wa1:B22", "'a1' is no square"),
        ("W:W22:Z24", "'Z24' should begin with the colour"),
        ("W:W22:B30", "write K30"),
        ("W:W3:B12", "write K3"),
        ("W:W13-25:B1", "White has 13 pieces"),
    ],
)
def test_a_bad_position_is_refused_with_its_reason(text, reason):
    with pytest.raises(BadPosition, match=reason):
        GAME.parse(text)


@pytest.mark.parametrize(
    ("fen", "move", "reason"),
    [
        ("W:W22,27:B24", "22-18", r"you must capture: 27x20 takes the piece on 24 \(RULES 3\)"),
        ("W:W22,27:B18,24", "22-17", "you must capture: 22x15 or 27x20"),
        ("start", "11-16x", "no move: write 11-15"),
        ("start", "22-18", "is White's, and it is Black's turn"),
        ("start", "14-18", "no piece on 14"),
        ("start", "8-11", "there is a piece on 11"),
        ("start", "11-20", "from 11 it can go 11-15, 11-16"),
        ("start", "12-33", "no square 33"),
        ("start", "1-6", "there is a piece on 6"),
        ("start", "11x18", "no capture from 11 to 18"),
        ("B:W32:B18", "18-14", "a man moves forward only"),
        ("B:W32:BK18", "18-10", "a king moves one square diagonally"),
        ("B:W6,15:B1", "1x10", "the capture must go on: 1x19 takes those on 6, 15"),
        ("W:WK18:B6,7,8,14,15,22,23,16", "18x20", "fits 2 captures: 18x11x20, 18x9x2x11x20"),
        ("W:WK18:B6,7,8,14,15,22,23,16", "18x11", "the capture must go on: 18x11x20"),
        ("B:W16,19:B12", "12-8", "the game is over"),
    ],
)
def test_an_illegal_move_is_told_which_rule_it_breaks(fen, move, reason):
    history = GAME.history(fen)
    with pytest.raises(BadMove, match=reason) as refused:
        history.play(move)
    assert history.text in str(refused.value)


@pytest.mark.parametrize("text", ["27x20", "27:20", "27-20", " 27 x 20 "])
def test_a_capture_is_read_in_every_common_form(text):
    assert GAME.history("W:W22,27:B24").play(text).played == ["27x20"]


def test_long_captures_are_read_and_short_ones_written():
    history = GAME.history("B:W6,15:B1")
    assert history.moves == ["1x19"]
    assert history.play("1x10x19").text == history.play("1x19").text == "W:W:B19"


def test_the_board_is_drawn_as_black_sees_it():
    board = GAME.board(GAME.parse("B:WK5,21:B1,K32"))
    assert board.names[0] == ("", "32", "", "31", "", "30", "", "29")
    assert board.names[7] == ("4", "", "3", "", "2", "", "1", "")
    assert board.rows[0][1].letter == "B"
    assert board.rows[7][6].letter == "b"
    assert board.rows[6][7].letter == "W"
    assert board.rows[2][7].letter == "w"
    assert sum(cell is not None for row in board.rows for cell in row) == 4
