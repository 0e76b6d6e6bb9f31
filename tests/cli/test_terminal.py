"""On a terminal: colours, progress, Ctrl-C, and a game played by typing."""

import json
import os
import re
import signal
from pathlib import Path

import pytest

import plywise as library
from plywise.cli.terminal.game import TerminalGame
from plywise.play.engine_pool import EnginePool
from plywise.play.seat import read_seat
from tests.cli.terminal import Screen, plain, plywise, process, refused

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no pseudo-terminal")


# --- looks ----------------------------------------------------------------------------------------
def test_a_terminal_gets_colours_and_a_pipe_does_not() -> None:
    screen = Screen("moves", "connect_four", "4453")
    assert screen.finish() == 0
    assert "\x1b[" in screen.shown
    assert "●" in screen.shown
    assert "\x1b[" not in process("moves", "connect_four", "4453").out


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


def test_an_error_is_broken_between_words_on_a_terminal() -> None:
    screen = Screen("rules", "ches", columns=40)
    assert screen.finish() == 2
    lines = plain(screen.shown).split("\n")
    assert max(map(len, lines)) <= 40
    assert " ".join(" ".join(lines).split()) == f"plywise: {refused(plywise('rules', 'ches'))}"


def test_long_work_shows_its_progress_on_a_terminal_and_nothing_in_a_pipe() -> None:
    screen = Screen("analyse", "connect_four", "4453", "--depth", "8", "--json")
    assert screen.finish() == 0
    assert "thinking" in screen.shown
    assert process("analyse", "connect_four", "4453", "--depth", "8", "--json").error == ""


# --- Ctrl-C ---------------------------------------------------------------------------------------
def test_ctrl_c_stops_an_analysis_which_shows_what_it_has() -> None:
    screen = Screen("analyse", "connect_four", "--depth", "100").wait_for("depth [1-9][0-9]").press("\x03")
    assert screen.finish() == 130
    assert "Traceback" not in screen.shown
    assert "x should play " in plain(screen.shown)


def test_ctrl_c_leaves_whole_json() -> None:
    words = ("analyse", "connect_four", "--depth", "100", "--json")
    screen = Screen(*words).wait_for("depth [1-9][0-9]").press("\x03")
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
    done = process("play", "tic_tac_toe", "--position", "xx.oo.... x", typed="c3\n")
    assert done.out.splitlines() == [
        "Tic-tac-toe: you are x, Plywise is o on level 5 (Keen). Type a move, or ? for help.",
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


STICKS = """
from dataclasses import dataclass
from plywise import game

@game("sticks")
@dataclass(frozen=True)
class Sticks:
    left: int = 10
    turn: int = 0

    def moves(self):
        return range(1, min(3, self.left) + 1)

    def play(self, move):
        return Sticks(self.left - move, 1 - self.turn)
"""


def test_a_game_that_draws_no_board_shows_its_text(tmp_path: Path) -> None:
    file = tmp_path / "sticks.py"
    file.write_text(STICKS)
    done = plywise("play", str(file), "--side", "both", typed="3\nquit\n")
    assert "\nSticks(left=10, turn=0)\n" in done.out
    assert "\nSticks(left=7, turn=1)\n" in done.out
    # Where a headline has the text, it is not said twice.
    assert plywise("moves", str(file)).out.count("Sticks(left=10, turn=0)") == 1


def test_the_engine_takes_the_win_that_is_there() -> None:
    done = process("play", "tic_tac_toe", "--position", "xx.oo.x.. o", "--side", "first")
    assert "Plywise plays c2   o wins in 1 ply\n" in done.out
    assert done.out.endswith("Plywise wins: o has three in a row.\n")


def test_commands_while_playing() -> None:
    typed = "hint\nmoves\nz9\nb2\nundo\nundo\nflip\nlevel 3\nlevel 77\nanalyse\nposition\nrules\n?\n\nquit\n"
    done = plywise("play", "tic_tac_toe", typed=typed, COLUMNS="100")
    assert done.status == 0
    assert done.error == ""
    output = done.out
    assert "Plywise would play " in output
    assert "x> moves\na3  b3  c3  a2  b2  c2  a1  b1  c1\n" in output
    assert "illegal move 'z9': x can play a3, b3, c3" in output
    assert "There is nothing to take back." in output
    assert "1 . . .\n2 . . .\n3 . . .\n  c b a\n" in output
    assert "Plywise plays on level 3 (Learner).\n" in output
    assert "level goes from 1 to 10\n" in output
    assert "\n3. " in output
    assert "......... x\n" in output
    assert "# Tic-tac-toe" in output
    assert "take back your last move" in output
    assert "To continue" not in output, "all moves were taken back"


def test_a_game_that_was_left_can_go_on(tmp_path: Path) -> None:
    data = str(tmp_path)
    done = plywise("play", "tic_tac_toe", "--side", "both", typed="b2\na1\nquit\n", PLYWISE_DATA=data)
    assert done.out.splitlines()[-1] == "To continue: plywise play tic_tac_toe --resume"
    done = plywise("play", "tic_tac_toe", "--resume", typed="a3\nhistory\n", PLYWISE_DATA=data)
    assert "both sides are yours" in done.out
    assert "1. b2 a1 2. a3\n" in done.out
    assert done.out.splitlines()[-1] == "To continue: plywise play tic_tac_toe --resume"


def test_moves_of_the_position_can_be_taken_back_too() -> None:
    done = plywise("play", "tic_tac_toe", "--side", "both", "--position", "start moves b2 a1", typed="undo\n")
    assert "1 . . .\n" in done.out


def test_where_nothing_can_be_kept_the_game_is_said_as_text(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    done = plywise("play", "tic_tac_toe", "--side", "both", typed="b2\n", PLYWISE_DATA=str(file))
    assert done.out.splitlines()[-1] == "To continue: plywise play tic_tac_toe --position 'start moves b2'"


def test_nothing_to_go_on_with_is_said(tmp_path: Path) -> None:
    done = plywise("play", "tic_tac_toe", "--resume", PLYWISE_DATA=str(tmp_path))
    assert refused(done) == ("there is no game of tic_tac_toe to continue; `plywise play` begins one")


def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    data = str(tmp_path)
    screen = Screen("play", "tic_tac_toe", "--side", "both", PLYWISE_DATA=data)
    screen.wait_for("x> ").press("b2\n").wait_for("o> ")
    os.kill(screen.child, signal.SIGKILL)
    screen.finish()
    again = Screen("play", "tic_tac_toe", "--side", "both", PLYWISE_DATA=data)
    again.wait_for("`load` goes on with it").press("load\n").wait_for("o> ").press("a3\n").wait_for("x> ")
    again.press("history\n").wait_for("1. b2 a3").press("quit\n")
    assert again.finish() == 0


def test_a_finished_game_is_not_offered_again(tmp_path: Path) -> None:
    words = ("play", "tic_tac_toe", "--position", "xx.oo.... x")
    plywise(*words, typed="c3\n", PLYWISE_DATA=str(tmp_path))
    assert list(tmp_path.rglob("*.json")) == []


def test_take_back_and_play_again() -> None:
    typed = "b2\na1\nundo\nundo\nredo\nredo\nredo\nhistory\nundo\nc1\nredo\nhistory\nquit\n"
    done = plywise("play", "tic_tac_toe", "--side", "both", typed=typed)
    assert "There is nothing to redo.\n" in done.out
    assert "1. b2 a1\n" in done.out
    assert "1. b2 c1\n" in done.out, "a new move forgets what was taken back"


def test_a_game_is_saved_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "mine.pgn"
    typed = f"e4\ne5\nsave {file}\nnew\nhistory\nload {file}\nhistory\nsave\nload {tmp_path}/none\nquit\n"
    done = plywise("play", "chess", "--side", "both", typed=typed)
    words = " ".join(done.out.split())  # where lines are broken depends on the path
    assert f"Saved as pgn in {file}." in words
    assert "1. e4 e5 *" in file.read_text()
    output = words[words.index("Saved") :]
    assert output.index("Nothing has been played yet.") < output.index("1. e4 e5")
    assert "save wants the name of a file" in output
    assert "none: No such file or directory" in output


def test_what_is_no_game_is_not_loaded(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    typed = f"e4\nload {file}\nload {binary}\nhistory\nquit\n"
    done = plywise("play", "chess", "--side", "both", typed=typed)
    words = " ".join(done.out.split())
    assert "bad position 'Dear Ann'" in words
    assert "the file is not text" in words
    assert "1. e4\n" in done.out, "the game goes on"


def test_a_game_can_be_given_up_or_agreed_drawn() -> None:
    assert plywise("play", "chess", "--side", "both", typed="resign\n").out.endswith(
        "Black wins: White resigned.\n"
    )
    assert plywise("play", "chess", "--side", "both", typed="e4\ndraw\n").out.endswith("A draw: agreed.\n")


def test_moves_are_typed_as_players_write_them_and_so_shown() -> None:
    done = plywise("play", "chess", "--side", "both", typed="e4\ne7e5\nNf3\nhistory\nKe3\n")
    assert "1. e4 e5 2. Nf3\n" in done.out
    assert "illegal move 'Ke3'" in done.out


def test_a_screen_that_shows_two_things_at_once_is_waited_for_in_two_steps() -> None:
    assert Screen("--version").wait_for("plywise").wait_for(r"\d+\.\d+").finish() == 0


def test_after_the_end_a_terminal_offers_more() -> None:
    screen = Screen("play", "tic_tac_toe", "--position", "xx.oo.... x")
    screen.wait_for("x> ").press("c3\n").wait_for("You win").press("dance\n").wait_for("'dance' is none of")
    screen.press("undo\n").wait_for("x> ").press("c3\n").wait_for("quit> ")
    screen.press("new second\n").wait_for("you are o").wait_for("Plywise wins")
    assert screen.press("quit\n").finish() == 0


def test_a_line_of_analysis_is_shown_before_each_move() -> None:
    screen = Screen("play", "connect_four", "--side", "both").wait_for("x> ")
    screen.press("analyse on\n").wait_for(r"x \+.*\n(.*\n)*x> ").press("4\n").wait_for(r"█.*\n(.*\n)*o> ")
    screen.press("analyse off\n").wait_for("no longer shown").press("quit\n")
    assert screen.finish() == 0


def test_each_side_has_a_seat_of_its_own() -> None:
    seats = ("--seat", "first=minimax,depth=2", "--seat", "o=alphabeta,plies=3")
    done = plywise("play", "tic_tac_toe", "--position", "xx.oo.... x", "--side", "none", *seats)
    assert "Plywise plays itself as minimax,depth=2 against alphabeta,plies=3." in done.out
    assert done.out.endswith("x wins: x has three in a row.\n")


def test_short_options_are_for_the_engine() -> None:
    words = ("--player", "alphabeta", "--depth", "2", "--position", "xx.oo.x.. o", "--side", "first")
    done = plywise("play", "tic_tac_toe", *words, typed="quit\n")
    assert "you are x, Plywise is o as alphabeta,depth=2." in done.out
    assert "Plywise wins: o has three in a row." in done.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--seat", "second=alphabta"), "unknown player 'alphabta'; did you mean 'alphabeta'?"),
        (("--seat", "third=person"), "--seat wants SIDE=SEAT, with a side of: first, second, x, o"),
        (("--seat", "person"), "--seat wants SIDE=SEAT"),
        (("--seat", "x=level=3", "--seat", "first=level=4"), "--seat is given twice for x"),
        (("--depth", "0"), "--depth wants a whole number from 1 up, not '0'"),
        (("--player", "minimax", "--level", "3"), "a level is of the default player, not of 'minimax'"),
        (("--weights", "none.json"), "evaluator 'default' of tic_tac_toe has no weights"),
    ],
)
def test_a_bad_seat_is_refused_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(plywise("play", "tic_tac_toe", *words))


def test_a_person_meets_the_scripted_archers() -> None:
    for words in (("--position", "2fv2a script"), ("--seat", "archers=scripted")):
        done = plywise("play", "skirmish", *words, typed="F1-S\nF2-S\nS S\nquit\n")
        assert "you are footmen, Plywise is archers as scripted." in done.out
        assert "Turn 2: F1-S F2-S\n" in done.out
        assert "A1 hits F1: " in done.out
    sentence = refused(plywise("play", "skirmish", "--side", "second", "--position", "2fv2a script"))
    assert sentence.startswith("here archers are led by 'scripted'; leave the word 'script' out")


def test_levels_can_differ_by_side() -> None:
    done = plywise("play", "tic_tac_toe", "--side", "none", "--level", "1,10")
    assert "level 1 (Newcomer) against 10 (Full strength)" in done.out
    assert "x wins" not in done.out


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    screen = Screen("play", "tic_tac_toe", "--side", "both", PLYWISE_DATA=str(tmp_path))
    screen.wait_for("x> ").press("b2\n").wait_for("o> ").press("\x03")
    assert screen.finish(insist="\x03") == 130
    assert "To continue: plywise play tic_tac_toe --resume" in screen.shown


# --- a world --------------------------------------------------------------------------------------
@pytest.mark.thorough("compiles the planner of skirmish")
def test_a_skirmish_is_played_in_its_world(tmp_path: Path) -> None:
    data = str(tmp_path)
    typed = "S\nundo\nF1-S\nx\nF2-S\nS S\nS S S\nmoves\nhistory\nquit\n"
    done = plywise("play", "skirmish", "--level", "2", typed=typed, PLYWISE_DATA=data)
    assert done.status == 0, done.error
    assert "footmen F1> S\nfootmen F2> undo\nfootmen F1> F1-S\nfootmen F2> x\nillegal move" in done.out
    assert "Turn 1: F1-S F2-S | A1" in done.out
    assert "   F1 steps S\n   F2 steps S\n   A1 " in done.out
    assert "'S': every unit has its order" in done.out
    assert "To continue: plywise play skirmish --resume" in done.out
    again = plywise("play", "skirmish", "--resume", typed="history\n", PLYWISE_DATA=data)
    turns = [line for line in done.out.splitlines() if line.startswith("2. F1-S F2-S | A1")]
    assert turns and turns[0] in again.out


@pytest.mark.thorough("compiles the planner of skirmish")
def test_a_skirmish_is_fought_to_its_end() -> None:
    words = ("play", "skirmish", "--side", "none", "--level", "4", "--position", "9x9 F1,1:160 A5,5:50")
    done = plywise(*words)
    assert done.status == 0, done.error
    assert " dies\n" in done.out
    assert re.search(r"(Footmen|Archers) wins?: no (archer|footman) is left\.\n$", done.out)


def test_plywise_plays_itself_to_the_end() -> None:
    done = plywise("play", "tic_tac_toe", "--side", "none")
    assert done.out.endswith("A draw: the board is full.\n")
    assert len([line for line in done.out.splitlines() if " plays " in line]) == 10, (
        "nine moves and the greeting"
    )


# --- compiling ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("seats", "wanted"),
    [
        (("person", "alphabeta,depth=2"), [("alphabeta", "default")]),
        (("level=3", "minimax,evaluator=learned,depth=1"), [("default", "default"), ("minimax", "learned")]),
        (("person", "person"), [("default", "default")]),
    ],
)
def test_only_what_moves_is_compiled_at_the_start(
    seats: tuple[str, str], wanted: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What hints need waits until somebody asks for one: two compilations would take turns."""
    prepared: list[tuple[str, str]] = []
    monkeypatch.setattr(EnginePool, "prepare", lambda pool: prepared.append((pool.player, pool.evaluator)))
    game = library.load("connect_four")
    one, two = (read_seat(game, text) for text in seats)
    TerminalGame("connect_four", (one, two), "start", "default", lambda prompt: None)
    assert prepared == wanted
