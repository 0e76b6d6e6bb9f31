"""What the terminal answers to slips of the pen, and how boards look on narrow terminals."""

import plywise as package
from plywise.cli.terminal.board import styled_text
from tests.cli.terminal import Screen, plain, plywise


def test_a_board_that_does_not_fit_says_so() -> None:
    skirmish = package.load("skirmish")
    text = styled_text(skirmish.board(skirmish.start()), 40).plain
    assert text.startswith("The board needs 53 columns; this\nterminal has 40.\n"), (
        "whole words, none cut off"
    )
    assert "needs" not in styled_text(skirmish.board(skirmish.start()), 80).plain


def test_squares_of_checkers_have_their_numbers_under_men_too() -> None:
    checkers = package.load("checkers")
    words = styled_text(checkers.board(checkers.start()), 80).plain.split()
    assert {int(word) for word in words if word.isdigit()} == set(range(1, 33))


def test_a_mistyped_command_is_no_illegal_move() -> None:
    done = plywise("play", "tic_tac_toe", "--side", "both", typed="levle 3\n")
    assert "did you mean level?" in done.out
    assert "illegal" not in done.out


def test_no_draw_before_the_first_move() -> None:
    done = plywise("play", "tic_tac_toe", "--side", "both", typed="draw\n")
    assert "a draw can be offered after the first move" in done.out
    assert "agreed" not in done.out


def test_rules_are_printed_without_marks_of_markdown() -> None:
    done = plywise("play", "polis", "--side", "both", typed="rules\n")
    assert "pieces hop over" in " ".join(done.out.split())
    assert "**" not in done.out


def test_rules_in_a_game_are_set_to_the_width_of_the_terminal() -> None:
    screen = Screen("play", "polis", "--side", "both", columns=40).wait_for("blue> ").press("rules\r")
    shown = plain(screen.wait_for("Theobald").wait_for("blue> ").press("quit\r").shown)
    assert screen.finish() == 0
    assert max(map(len, shown.splitlines())) <= 40, "no line is broken by the terminal"
    assert "escort a chariot" in " ".join(shown.split())


def test_a_wrong_order_says_what_can_be_typed() -> None:
    done = plywise("play", "skirmish", "--side", "both", typed="XX\n")
    assert "You can type: F1" in done.out
