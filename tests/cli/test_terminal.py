"""On a terminal: colours, progress, Ctrl-C, and a game played by typing."""

import json
import os

import pytest

import plywise as library
from tests.cli.terminal import Screen, plain, plywise

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no pseudo-terminal")


# --- looks ----------------------------------------------------------------------------------------
def test_a_terminal_gets_colours_and_a_pipe_does_not() -> None:
    screen = Screen("moves", "connect_four", "4453")
    assert screen.finish() == 0
    assert "\x1b[" in screen.shown
    assert "●" in screen.shown
    assert "\x1b[" not in plywise("moves", "connect_four", "4453").out


def test_no_color_is_respected() -> None:
    screen = Screen("moves", "connect_four", "4453", NO_COLOR="1")
    assert screen.finish() == 0
    assert "\x1b[" not in screen.shown
    assert ". . o x x . ." in screen.shown


@pytest.mark.parametrize(
    "words",
    [
        ("games",),
        ("moves", "connect_four", "4453"),
        ("analyse", "connect_four", "4453", "--depth", "8", "--lines", "2"),
        ("perft", "connect_four", "3", "--divide"),
        ("play", "connect_four", "--side", "none", "--level", "1"),
        ("--help",),
        ("analyse", "--help"),
    ],
)
def test_a_narrow_terminal_is_respected(words: tuple[str, ...]) -> None:
    done = plywise(*words, COLUMNS="40")
    assert done.status == 0
    assert max(map(len, done.out.splitlines())) <= 40


def test_rules_are_set_to_the_width_of_the_terminal() -> None:
    screen = Screen("rules", "connect_four", columns=40)
    assert screen.finish() == 0
    assert max(map(len, plain(screen.shown).splitlines())) <= 40
    assert "Connect Four" in plain(screen.shown)


def test_long_work_shows_its_progress_on_a_terminal_and_nothing_in_a_pipe() -> None:
    screen = Screen("analyse", "connect_four", "4453", "--depth", "8", "--json")
    assert screen.finish() == 0
    assert "thinking" in screen.shown
    assert plywise("analyse", "connect_four", "4453", "--depth", "8", "--json").error == ""


# --- Ctrl-C ---------------------------------------------------------------------------------------
def test_ctrl_c_stops_an_analysis_which_shows_what_it_has() -> None:
    screen = Screen("analyse", "connect_four", "--depth", "100").wait_for("depth 1[0-9]").press("\x03")
    assert screen.finish() == 130
    assert "Traceback" not in screen.shown
    assert "x should play " in plain(screen.shown)


def test_ctrl_c_leaves_whole_json() -> None:
    words = ("analyse", "connect_four", "--depth", "100", "--json")
    screen = Screen(*words).wait_for("depth 1[0-9]").press("\x03")
    assert screen.finish() == 130
    answer = json.loads(plain(screen.shown)[plain(screen.shown).rindex('{"game"') :].splitlines()[0])
    assert answer["depth"] >= 9
    assert answer["move"] in "1234567"


def test_ctrl_c_ends_a_count_inside_compiled_code() -> None:
    screen = Screen("perft", "connect_four", "30").wait_for("depth 30  4").press("\x03")
    assert screen.finish() == 130
    assert "Traceback" not in screen.shown


def test_ctrl_c_ends_a_game() -> None:
    screen = Screen("play", "tic_tac_toe").wait_for("x> ").press("\x03")
    # Python misses a signal that comes just before it starts to wait for keys: a person presses again.
    assert screen.finish(insist="\x03") == 130
    assert "Traceback" not in screen.shown


# --- playing --------------------------------------------------------------------------------------
def test_play_alone_offers_the_games_on_a_terminal() -> None:
    place = list(library.shipped()).index("tic_tac_toe") + 1
    screen = Screen("play").wait_for("Which game").press("chequers\n").wait_for("unknown game 'chequers'")
    screen.press(f"{place}\n").wait_for("x> ").press("b2\n").wait_for("x> ").press("quit\n")
    assert screen.finish() == 0
    assert "Plywise plays " in plain(screen.shown)


def test_a_whole_game_is_a_readable_transcript() -> None:
    done = plywise("play", "tic_tac_toe", "--position", "xx.oo.... x", typed="c3\n")
    assert done.out.splitlines() == [
        "Tic-tac-toe: you are x, Plywise is o on level 5. Type a move, or ? for help.",
        "3 x x .",
        "2 o o .",
        "1 . . .",
        "  a b c",
        "x> c3",
        "3 x x x",
        "2 o o .",
        "1 . . .",
        "  a b c",
        "You win: x has three in a row.",
    ]
    assert done.status == 0


def test_the_engine_takes_the_win_that_is_there() -> None:
    done = plywise("play", "tic_tac_toe", "--position", "xx.oo.x.. o", "--side", "first")
    assert "Plywise plays c2   o wins in 1 ply\n" in done.out
    assert done.out.endswith("Plywise wins: o has three in a row.\n")


def test_commands_while_playing() -> None:
    typed = "hint\nmoves\nz9\nb2\nundo\nundo\nflip\nlevel 3\nlevel 77\nanalyse\nposition\nrules\n?\n\nquit\n"
    done = plywise("play", "tic_tac_toe", typed=typed, COLUMNS="100")
    assert done.status == 0
    assert done.error == ""
    said = done.out
    assert "Plywise would play " in said
    assert "x> moves\na3  b3  c3  a2  b2  c2  a1  b1  c1\n" in said
    assert "illegal move 'z9': x can play a3, b3, c3" in said
    assert "There is nothing to take back." in said
    assert "1 . . .\n2 . . .\n3 . . .\n  c b a\n" in said
    assert "Plywise plays on level 3.\n" in said
    assert "level goes from 1 to 8\n" in said
    assert "\n3. " in said
    assert "......... x\n" in said
    assert "# Tic-tac-toe" in said
    assert "take back, to your turn before" in said
    assert "To go on" not in said, "all moves were taken back"


def test_a_game_that_was_left_can_go_on() -> None:
    done = plywise("play", "tic_tac_toe", "--side", "both", typed="b2\na1\nquit\n")
    command = done.out.splitlines()[-1]
    assert command == "To go on: plywise play tic_tac_toe --position 'start moves b2 a1'"
    done = plywise("play", "tic_tac_toe", "--side", "both", "--position", "start moves b2 a1", typed="a3\n")
    assert done.out.splitlines()[-1] == (
        "To go on: plywise play tic_tac_toe --position 'start moves b2 a1 a3'"
    )
    done = plywise("play", "tic_tac_toe", "--side", "both", "--position", "start moves b2 a1", typed="undo\n")
    assert "1 . . .\n" in done.out, "what was played before can be taken back too"


def test_plywise_plays_itself_to_the_end() -> None:
    done = plywise("play", "tic_tac_toe", "--side", "none")
    assert done.out.endswith("A draw: the board is full.\n")
    assert len([line for line in done.out.splitlines() if " plays " in line]) == 10, (
        "nine moves and the greeting"
    )
