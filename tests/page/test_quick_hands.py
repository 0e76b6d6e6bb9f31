"""Hands that are quicker than the server: whatever is pressed before an answer came, the page stays right."""

from collections.abc import Callable

import pytest

import plywise
from tests.page.server import Serving
from tests.page.test_around import new_game
from tests.page.visitor import Visitor

RUY = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
BLUNDERS = ["b2", "b3", "b1"]  # o lets x win, and x does not see it


def settle(visitor: Visitor) -> None:
    """Wait until the server has answered all that was asked before: answers come in order."""
    visitor.page.click("#open-saved")
    visitor.see("#saved-games[open] .saved li")
    visitor.page.keyboard.press("Escape")
    visitor.page.locator("#saved-games").wait_for(state="hidden")


def saved_games(visitor: Visitor) -> int:
    """How many games are kept."""
    visitor.page.click("#open-saved")
    visitor.see("#saved-games[open] .saved li")
    count = visitor.page.locator("#saved-games .saved li").count()
    visitor.page.keyboard.press("Escape")
    return int(count)


@pytest.fixture
def studying(visitor: Visitor) -> Visitor:
    """A game of six moves whose positions are not known to the page yet."""
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), RUY)
    visitor.page.reload()
    visitor.wait_for_moves(6)
    visitor.wait_for_turn()
    return visitor


def test_every_step_counts_though_no_position_has_come_yet(studying: Visitor) -> None:
    studying.hold_requests()
    for _ in range(4):
        studying.page.keyboard.press("ArrowLeft")
    studying.page.keyboard.press("ArrowRight")
    studying.release_requests()
    studying.see('.move[aria-current] >> text="Nf3"')
    studying.see('.cell[aria-label="b8, Black knight"]')


def test_who_comes_back_before_a_position_came_stays(studying: Visitor) -> None:
    studying.hold_requests()
    studying.page.keyboard.press("ArrowLeft")
    studying.page.keyboard.press("ArrowRight")
    studying.release_requests()
    settle(studying)
    assert studying.page.locator(".move[aria-current]").inner_text() == "a6"


def test_a_position_of_the_game_before_does_not_come_on_the_board(studying: Visitor) -> None:
    first = studying.page.url
    studying.begin("tic_tac_toe")
    studying.by_mouse(["b2"])
    studying.wait_for_moves(1)
    studying.page.goto(first)
    studying.wait_for_moves(6)
    studying.hold_answers('"re".*"view"')
    studying.page.keyboard.press("ArrowLeft")
    studying.wait_until("window.late.length === 1")
    studying.page.go_back()
    studying.see('#board[data-game="tic_tac_toe"]')
    studying.wait_for_moves(1)
    studying.release_answers()
    settle(studying)
    assert studying.page.locator("#board").get_attribute("data-game") == "tic_tac_toe"
    assert studying.pieces() == 1


def test_a_hint_is_for_the_position_that_it_was_asked_in(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.play(plywise.load("tic_tac_toe"), ["b2", "a1"])
    visitor.hold_requests()
    visitor.page.keyboard.press("h")
    visitor.page.keyboard.press("Home")  # a position that the page has
    visitor.see(".move.start[aria-current]")
    visitor.release_requests()
    visitor.see("#controls button:text-is('Hint (1)')")  # it was found and counted
    settle(visitor)
    assert visitor.page.locator(".arrows .hint *").count() == 0
    assert "Hint" not in visitor.status()


def test_back_and_forward_at_once_lead_to_where_one_was(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.by_mouse(["b2"])
    visitor.wait_for_moves(1)
    visitor.arrive()
    new_game(visitor, "connect_four", "person", "person")
    here = visitor.page.url
    visitor.hold_requests()
    visitor.page.evaluate("history.back()")
    visitor.wait_until(f"location.href !== {here!r}")
    visitor.page.evaluate("history.forward()")
    visitor.wait_until(f"location.href === {here!r}")
    visitor.release_requests()
    settle(visitor)
    assert visitor.page.locator("#board").get_attribute("data-game") == "connect_four"
    assert visitor.page.url == here
    visitor.by_mouse(["4"])
    visitor.wait_for_moves(1)


@pytest.mark.parametrize("way", ["dialog", "rematch"])
def test_two_clicks_begin_one_game(way: str, own_server: Serving, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(own_server)
    visitor.begin("tic_tac_toe")
    if way == "dialog":
        visitor.page.keyboard.press("n")
        visitor.page.select_option("#new-seat-1", "person")
        again = "#new-game button[type=submit]"
    else:
        visitor.page.click("text=Resign")
        visitor.see("#question button.primary").click()
        again = "#status .outcome button:text-is('Rematch')"
    first, begin = visitor.page.url, visitor.see(again)
    visitor.hold_requests()
    begin.evaluate("one => { for (let i = 0; i < 3; i++) one.click(); }")
    visitor.release_requests()
    visitor.wait_until(f"location.href !== {first!r}")
    visitor.wait_for_turn()
    assert saved_games(visitor) == 2


def test_autoplay_waits_for_its_first_position(studying: Visitor) -> None:
    page = studying.page
    page.click("#open-settings")
    page.select_option("#set-pause", label="Fast")
    page.keyboard.press("Escape")
    studying.hold_requests()
    page.click("#autoplay")
    studying.see('#autoplay[aria-pressed="true"]')
    # Timers end in their order: that of autoplay is over when this longer one is.
    page.evaluate("new Promise((done) => { setTimeout(done, 1500); })")
    studying.see('#autoplay[aria-pressed="true"]')
    studying.release_requests()
    studying.see('.move[aria-current] >> text="a6"')
    studying.see('#autoplay[aria-pressed="false"]')


def test_a_step_that_leads_nowhere_ends_autoplay_too(studying: Visitor) -> None:
    studying.page.keyboard.press("Home")
    studying.see(".move.start[aria-current]")
    studying.page.click("#autoplay")
    studying.page.keyboard.press("Home")
    studying.see('#autoplay[aria-pressed="false"]')
    assert studying.page.locator(".move.start[aria-current]").count() == 1


def test_a_line_is_played_though_news_come_while_it_is_pressed(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.page.click("#tab-analysis")
    visitor.page.click("button:text-is('Analyse')")
    visitor.see(".lines .play")
    visitor.hold_answers('"tell": "analysis"')
    visitor.wait_until("window.late.length > 0")  # the engine has said something new
    box = visitor.see(".lines .play").bounding_box()
    visitor.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visitor.page.mouse.down()
    visitor.release_answers()
    visitor.page.mouse.up()
    visitor.wait_for_moves(1)
    visitor.page.click("#panel-analysis .bar button")


def review(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.play(plywise.load("tic_tac_toe"), BLUNDERS)
    visitor.page.click("#tab-analysis")
    visitor.page.click("text=Review the game")
    visitor.see("button:has-text('Learn from your mistakes (2)')")


def test_a_line_that_is_closed_before_it_came_stays_closed(visitor: Visitor) -> None:
    review(visitor)
    visitor.page.click(".mistakes button:text-is('Why?')")
    visitor.see("#reason .reason-line")
    visitor.see(".arrows .reply *")
    visitor.page.locator("#reason .reason-line button").first.click()
    visitor.see("#reason .reason-line [aria-current]")
    visitor.hold_requests()
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.click("#reason .close")
    visitor.release_requests()
    settle(visitor)
    assert "A position of the search" not in visitor.status()
    assert visitor.page.locator(".arrows .reply *").count() == 0


def test_a_try_is_taken_though_the_one_before_was_not_answered(visitor: Visitor) -> None:
    review(visitor)
    page = visitor.page
    page.click("button:has-text('Learn from your mistakes')")
    visitor.see("#learn h2:has-text('1 of 2')")
    visitor.wait_for_turn()
    visitor.hold_requests()
    visitor.by_mouse(["a1"])
    visitor.see("#learn >> text=Searching")
    page.click("#learn button:text-is('Next mistake')")
    visitor.see("#learn h2:has-text('2 of 2')")
    visitor.wait_for_turn()
    visitor.by_mouse(["c3"])
    visitor.release_requests()
    visitor.see("#learn .right")
    assert "2 of 2" in page.locator("#learn h2").inner_text()


@pytest.mark.parametrize("held", [['"tell": "state"'], ['"tell": "state"', '"re".*"view"']])
def test_a_refutation_is_on_the_board_whether_the_try_is_counted_before_it_or_after(
    held: list[str], visitor: Visitor
) -> None:
    review(visitor)
    visitor.page.click("button:has-text('Learn from your mistakes')")
    visitor.see("#learn h2:has-text('1 of 2')")
    visitor.wait_for_turn()
    visitor.hold_answers("|".join(held))
    visitor.by_mouse(["b1"])
    visitor.see("#learn .wrong")
    visitor.wait_until(f"window.late.length === {len(held)}")
    if len(held) == 1:
        visitor.see(".arrows .reply *")
    visitor.release_answers()
    visitor.see("#learn .facts:has-text('1 wrong try')")
    visitor.see(".arrows .reply *")
    assert visitor.page.locator(".arrows .reply *").count() == 1
    assert visitor.pieces() == 2 and visitor.status().startswith("A position of the search")


def test_a_game_that_is_opened_while_a_search_is_recorded_shows_none(visitor: Visitor) -> None:
    visitor.begin("connect_four")
    visitor.page.click("#tab-why")
    about = visitor.page.locator("#panel-why > .facts").inner_text()
    visitor.page.fill(".why-amount", "30")
    visitor.page.click("#panel-why button[type=submit]")
    visitor.see("#panel-why button:text-is('Stop')")
    visitor.begin("tic_tac_toe")
    assert visitor.see("#panel-why > .facts").inner_text() == about
    assert visitor.page.locator("#panel-why button[type=submit]").is_enabled()


def test_the_bar_of_a_review_stays_while_one_steps_through_the_game(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), RUY)
    visitor.page.click("#tab-analysis")
    visitor.hold_answers('"done": 7')  # its end is not heard of
    visitor.page.click("text=Review the game")
    visitor.see("progress[aria-label=Review]")
    visitor.page.keyboard.press("ArrowLeft")
    visitor.wait_until("document.querySelector('.move[aria-current]')?.textContent.startsWith('Bb5')")
    assert visitor.page.locator("progress[aria-label=Review]").is_visible()
    assert visitor.page.locator("button:text-is('Review the game')").is_disabled()
