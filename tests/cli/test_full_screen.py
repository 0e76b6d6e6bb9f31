"""The full-screen table: moves by cursor, by mouse and typed; what touching cells means."""

import pytest

import plywise
from plywise.cli.terminal.full_screen import places
from plywise.cli.terminal.touch import Touches
from plywise.core.board import Board
from tests.cli.terminal import Screen, plain, process, refused

RIGHT, DOWN, UP = "\x1bOC", "\x1bOB", "\x1bOA"
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"


def touches(game: str, position: str = "start") -> Touches:
    return Touches(plywise.load(game).history(position))


def test_two_cells_make_a_move_and_goals_are_known_between() -> None:
    made = touches("chess")
    assert made.touch("e2") == [] and made.goals == {"e3", "e4"}
    assert made.touch("e4") == ["e2e4"]


def test_another_man_can_be_taken_and_one_can_be_put_back() -> None:
    made = touches("chess")
    made.touch("e2")
    assert made.touch("d2") == [] and made.names == ("d2",)
    assert made.touch("d2") == [] and made.names == ()
    assert made.touch("e5") == [] and made.names == ()


def test_a_promotion_leaves_a_choice() -> None:
    made = touches("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1")
    made.touch("a7")
    assert sorted(made.touch("a8")) == ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]


def test_a_long_jump_goes_step_by_step_or_straight_to_its_end() -> None:
    for steps in (["8", "15", "22", "31"], ["8", "31"]):
        made = touches("checkers", "B:W11,18,26:B8")
        found = [made.touch(step) for step in steps]
        assert found[-1] == ["8x31"] and not any(found[:-1])


def test_one_cell_is_a_move_where_nothing_is_moved() -> None:
    assert touches("tic_tac_toe").touch("b2") == ["b2"]


@pytest.mark.parametrize("name", plywise.shipped())
def test_every_named_cell_has_a_place_of_its_own(name: str) -> None:
    game = plywise.load(name)
    board = game.board(game.start())
    assert isinstance(board, Board)
    found = [
        (place.line, column)
        for place in places(board, 80)
        for column in range(place.column, place.column + place.width)
    ]
    assert len(found) == len(set(found))
    assert {place.cell for place in places(board, 80)} == set(range(len(board.pieces)))


def test_a_game_is_played_by_cursor_mouse_and_typing() -> None:
    screen = Screen("play", "tic_tac_toe", "--side", "both", "--full-screen").wait_for("x> ")
    screen.press("\r").wait_for("o> ")  # a3, where the cursor stands
    screen.press(DOWN).press("\r").wait_for("x> ")  # a2
    screen.press("b3\r").wait_for("o> ")  # typed
    screen.press("\x1b[<0;8;2M\x1b[<0;8;2m").wait_for("x> ")  # b2, by the mouse
    screen.press(UP + RIGHT + "\r").wait_for("three in a row").press("quit\r")
    assert screen.finish() == 0
    assert "x wins: x has three in a row." in plain(screen.shown)


def test_cells_are_named_where_the_edges_have_no_labels() -> None:
    screen = Screen("play", "checkers", "--side", "both", "--full-screen").wait_for("Black> ")
    assert "32 31 30 29" in plain(screen.shown) and " 4  3  2  1" in plain(screen.shown)
    screen.press(RIGHT).wait_for("32").press("quit\r")  # the cell with the cursor
    assert screen.finish() == 0


def test_long_messages_are_read_from_their_beginning_page_by_page() -> None:
    screen = Screen("play", "tic_tac_toe", "--side", "both", "--full-screen").wait_for("x> ")
    screen.press("?\r").wait_for("A move as the game writes it").wait_for("PageDown: more")
    assert "leave; you can continue later" not in plain(screen.shown), "the end is on the next page"
    screen.press(PAGE_DOWN).wait_for("leave; you can continue later")
    screen.press(PAGE_UP).wait_for("A move as the game writes it").press("quit\r")
    assert screen.finish() == 0


def test_a_terminal_that_is_too_small_for_the_board_is_told() -> None:
    screen = Screen("play", "skirmish", "--full-screen", columns=20).wait_for("too small: 29 x 24")
    assert screen.press("quit\r").finish() == 0


def test_without_a_terminal_it_is_refused() -> None:
    assert "needs a terminal" in refused(process("play", "tic_tac_toe", "--full-screen"))
