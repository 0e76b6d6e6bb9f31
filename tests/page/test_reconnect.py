"""The server goes away and comes back; several visitors; nothing is lost."""

from collections.abc import Callable

import plywise
from tests.page.server import Serving
from tests.page.visitor import Visitor


def test_a_killed_server_is_missed_found_again_and_the_game_goes_on(
    own_server: Serving, visitors: Callable[..., Visitor]
) -> None:
    visitor = visitors(own_server)
    chess = plywise.load("chess")
    visitor.begin("chess")
    visitor.play(chess, ["e2e4", "e7e5"])
    visitor.away = True
    own_server.kill()
    assert "Connection lost" in visitor.see("#banner").inner_text()
    assert visitor.page.locator("#board.playable").count() == 0  # no move could be kept now
    own_server.start()
    # Its timer may be quicker than a hand that moves to the button.
    visitor.page.evaluate("document.querySelector('#banner button').click()")
    visitor.page.locator("#banner").wait_for(state="hidden")
    visitor.wait_for_turn()
    visitor.away = False
    assert visitor.moves() == ["e4", "e5"]
    visitor.by_mouse(["g1", "f3"])
    visitor.wait_for_moves(3)
    assert visitor.moves() == ["e4", "e5", "Nf3"]


def test_a_page_opened_again_goes_on_where_it_was(
    own_server: Serving, visitors: Callable[..., Visitor]
) -> None:
    visitor = visitors(own_server)
    visitor.begin("polis")
    visitor.play(plywise.load("polis"), ["a2a3", "h7h6", "b2b3"])
    visitor.page.goto("about:blank")
    own_server.kill()
    own_server.start()
    visitor.arrive()  # without an address: the latest game
    visitor.see('#board[data-game="polis"].playable')
    assert visitor.moves() == ["a2a3", "h7h6", "b2b3"]
    assert visitor.cell("b3").get_attribute("aria-label") == "b3, blue dog"


def test_two_visitors_play_their_own_games_at_once(visitors: Callable[..., Visitor]) -> None:
    one, other = visitors(), visitors()
    one.begin("tic_tac_toe")
    other.begin("tic_tac_toe")
    one.by_mouse(["b2"])
    other.by_mouse(["a1"])
    one.wait_for_moves(1)
    other.wait_for_moves(1)
    assert (one.moves(), other.moves()) == (["b2"], ["a1"])


def test_two_visitors_play_each_other_by_the_play_link(visitors: Callable[..., Visitor]) -> None:
    one, other = visitors(), visitors()
    one.begin("tic_tac_toe")
    one.page.click("#tab-share")
    one.page.click('[aria-label^="Invite"]')
    one.wait_until("document.getElementById('play-out').value")
    link = one.page.locator("#play-out").input_value()
    one.page.click("#tab-moves")
    other.arrive("#" + link.split("#")[1])
    one.by_mouse(["b2"])
    other.see('[aria-label="b2, x cross"]')
    other.by_mouse(["a1"])
    for both in (one, other):
        both.wait_for_moves(2)
        assert both.moves() == ["b2", "a1"]


def test_who_has_the_address_watches(visitors: Callable[..., Visitor]) -> None:
    one, other = visitors(), visitors()
    one.begin("tic_tac_toe")
    other.arrive("#" + one.page.url.split("#")[1])
    one.by_mouse(["b2"])
    other.see('[aria-label="b2, x cross"]')
    assert "you watch" in other.page.inner_text("#playing")
    other.page.fill("#typed", "a1")
    other.page.press("#typed", "Enter")
    other.see("text=/you cannot play o here|you watch/")
    assert one.moves() == ["b2"]
    assert other.page.get_by_role("button", name="Take back").is_disabled()
    assert other.page.get_by_role("button", name="Resign", exact=True).is_hidden()


def test_two_windows_of_one_visitor_show_the_same_game(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    second = visitor.context.new_page()
    second.goto(visitor.page.url)
    second.locator('[aria-label="a1, empty"]').wait_for()
    visitor.by_mouse(["b2"])
    second.locator('[aria-label="b2, x cross"]').wait_for()
    second.locator('[aria-label="a1, empty"]').click()
    visitor.see('[aria-label="a1, o nought"]')
