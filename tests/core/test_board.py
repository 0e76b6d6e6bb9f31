"""Boards are data; their plain text is letters and dots."""

import plywise


def test_boards_of_the_samples_as_text() -> None:
    game = plywise.load("connect_four")
    board = game.board(game.parse("4453"))
    assert str(board).splitlines()[-3:] == [". . . o . . .", ". . o x x . .", "1 2 3 4 5 6 7"]
    assert board.names[0] == ("1", "2", "3", "4", "5", "6", "7")
    game = plywise.load("tic_tac_toe")
    assert str(game.board(game.parse("x.o...... x"))) == "3 x . o\n2 . . .\n1 . . .\n  a b c"
