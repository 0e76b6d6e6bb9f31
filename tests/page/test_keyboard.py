"""Every dialog without a mouse: it is opened, used and left by keys, and the focus stays where one is."""

from collections.abc import Callable

import plywise
from tests.page.visitor import Visitor

MOST_STOPS = 120  # of the Tab key in one round through the page
TWO_GAMES = '[White "Anna"]\n\n1. e4 *\n\n[White "Cleo"]\n\n1. d4 *\n'


def tab_to(visitor: Visitor, selector: str) -> None:
    """Press Tab until something has the focus; in a dialog the focus never leaves it."""
    for _ in range(MOST_STOPS):
        if visitor.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        visitor.page.keyboard.press("Tab")
        assert visitor.page.evaluate(
            """() => {
                const dialog = document.querySelector("dialog[open]");
                const now = document.activeElement;
                return !dialog || now === document.body || dialog.contains(now);
            }"""
        ), "the focus has left the dialog"
    raise AssertionError(f"Tab does not lead to {selector}")


def press(visitor: Visitor, *keys: str) -> None:
    for key in keys:
        visitor.page.keyboard.press(key)


def leave(visitor: Visitor, opener: str) -> None:
    """Escape closes the dialog, and the focus is where it was before."""
    press(visitor, "Escape")
    visitor.wait_until("!document.querySelector('dialog[open]')")
    assert visitor.page.evaluate("selector => document.activeElement.matches(selector)", opener)


def test_a_game_is_begun_by_keys(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    tab_to(visitor, "#open-new")
    press(visitor, "Enter")
    visitor.see("#new-game[open]")
    leave(visitor, "#open-new")
    press(visitor, "n")
    visitor.see("#new-game[open]")
    tab_to(visitor, "#new-game input[type=radio]")
    for _ in plywise.shipped():
        press(visitor, "ArrowRight")
        if visitor.page.locator('input[value="connect_four"]:checked').count():
            break
    for seat in ("#new-seat-0", "#new-seat-1"):
        tab_to(visitor, seat)
        visitor.page.keyboard.type("Person")
    tab_to(visitor, "#new-clock")
    visitor.page.keyboard.type("5 min")
    tab_to(visitor, "#new-game button[type=submit]")
    press(visitor, "Enter")
    visitor.see('#board[data-game="connect_four"].playable')
    assert visitor.page.locator(".clock").first.inner_text() == "5:00"


def test_the_ladder_is_climbed_by_keys(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    press(visitor, "n")
    visitor.see("#new-game[open]")
    tab_to(visitor, "#new-game .bar.end button:first-child")
    press(visitor, "Enter")
    visitor.see("#ladder[open]")
    tab_to(visitor, "#ladder-side")
    visitor.page.keyboard.type("You play x")
    tab_to(visitor, "#ladder tr:nth-child(2) button")
    press(visitor, "Enter")
    visitor.see(".seat >> text=Level 2")
    visitor.wait_for_turn()


def test_saved_games_are_searched_opened_and_deleted_by_keys(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.begin("connect_four")
    visitor.begin("polis")
    tab_to(visitor, "#open-saved")
    press(visitor, "Enter")
    visitor.see(".saved li")
    assert visitor.page.evaluate("document.activeElement.id") == "search-saved"
    visitor.page.keyboard.type("tic")
    visitor.wait_until("document.querySelectorAll('.saved li').length === 1")
    tab_to(visitor, '.saved [aria-label^="Delete Tic"]')
    press(visitor, "Enter")
    visitor.see("#saved-games .notice button")
    tab_to(visitor, "#saved-games .notice button:first-of-type")
    press(visitor, "Enter")  # undo
    visitor.see('.saved [aria-label^="Delete Tic"]')
    tab_to(visitor, ".saved .link")
    press(visitor, "Enter")
    visitor.see('#board[data-game="tic_tac_toe"]')


def test_settings_help_and_matches_are_read_and_left_by_keys(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    for opener, dialog in (
        ("#open-watch", "#watch"),
        ("#open-settings", "#settings"),
        ("#open-help", "#help"),
    ):
        tab_to(visitor, opener)
        press(visitor, "Enter")
        visitor.see(f"{dialog}[open]")
        if dialog == "#settings":
            tab_to(visitor, "#set-board")
            visitor.page.keyboard.type("Brown")
            tab_to(visitor, "#set-confirm")
            press(visitor, "Space")
        if dialog == "#help":
            press(visitor, "End")
            last = visitor.page.locator("#help tr").last
            visitor.wait_until("document.querySelector('#help').scrollTop > 0")
            assert last.is_visible()
        leave(visitor, opener)
    assert visitor.page.evaluate("document.documentElement.dataset.board") == "brown"
    tab_to(visitor, '.cell[tabindex="0"]')
    press(visitor, "Enter")  # a move, which is asked for
    visitor.see("#question[open]")
    press(visitor, "Enter")
    visitor.wait_for_moves(1)


def test_a_position_is_set_up_by_keys(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    press(visitor, "e")
    visitor.see("#editor .tool")
    tab_to(visitor, "#editor .tool input")
    tab_to(visitor, '#editor .cell[tabindex="0"]')
    press(visitor, "Enter")
    tab_to(visitor, "#setup-turn")
    visitor.page.keyboard.type("O")
    visitor.see("#editor .setup-reason >> text=can be played")
    tab_to(visitor, "#editor .bar.end button.primary")
    press(visitor, "Enter")
    visitor.see("#new-game[open]")
    tab_to(visitor, "#new-seat-1")
    visitor.page.keyboard.type("Person")  # a level would answer at once
    tab_to(visitor, "#new-game button[type=submit]")
    press(visitor, "Enter")
    visitor.wait_until("document.querySelectorAll('#board .pieces .piece').length === 1")


def test_a_game_of_several_is_chosen_by_keys(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors()
    visitor.begin("chess")
    press(visitor, "5")
    visitor.see('#tab-share[aria-selected="true"]')
    tab_to(visitor, "#game-in")
    visitor.page.keyboard.insert_text(TWO_GAMES)
    tab_to(visitor, "#panel-share button.primary")
    press(visitor, "Enter")
    visitor.see("#choose-game[open]")
    tab_to(visitor, "#choose-game li:nth-child(2) .link")
    press(visitor, "Enter")
    visitor.see(".seat >> text=Cleo")


def test_a_game_is_resigned_and_a_move_edited_by_keys(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.play(plywise.load("tic_tac_toe"), ["b2", "a1"], hand="keys")
    tab_to(visitor, ".move[aria-current]")
    press(visitor, "Shift+F10")
    visitor.see(".menu")
    assert visitor.page.evaluate("document.activeElement.closest('.menu') !== null")
    press(visitor, "Escape")
    visitor.page.locator(".menu").wait_for(state="detached")
    tab_to(visitor, "#resign")
    press(visitor, "Enter")
    visitor.see("#question[open]")
    press(visitor, "Enter")
    visitor.see("#status .outcome")
