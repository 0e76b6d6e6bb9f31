"""The position editor: pieces are put on the board of any game, and the game says what is possible."""

import pytest

from tests.page.visitor import Visitor


def place(visitor: Visitor, piece: str, *cells: str) -> None:
    """Put a piece on cells of the editor's board."""
    visitor.page.locator(f'.tools input[aria-label="{piece}"]').check(force=True)
    for cell in cells:
        visitor.page.locator(f'.setup-board .cell[aria-label^="{cell},"]').click()


def wait_for_text(visitor: Visitor, text: str) -> None:
    visitor.wait_until(f"document.querySelector('#setup-text').value === {text!r}")


def test_a_chess_ending_is_set_up_and_played(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.page.keyboard.press("e")
    visitor.see(".setup-board .cell")
    visitor.page.click("text=Clear the board")
    visitor.see(".setup-reason.bad >> text=king")
    place(visitor, "White king", "e1")
    place(visitor, "Black king", "e8")
    place(visitor, "White queen", "d1")
    visitor.page.select_option("#setup-turn", "1")
    wait_for_text(visitor, "4k3/8/8/8/8/8/8/3QK3 b - - 0 1")
    visitor.page.click("#editor >> text=Analyse")
    visitor.see('#board .cell[aria-label^="d1, White queen"]')
    visitor.see('#tab-analysis[aria-selected="true"]')


def test_an_impossible_position_is_not_played_and_the_reason_stands_there(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.page.keyboard.press("e")
    visitor.see(".setup-reason >> text=can be played")
    place(visitor, "Remove a piece", "e1")
    assert "king" in visitor.see(".setup-reason.bad").inner_text()
    assert visitor.page.locator("#editor .end button:enabled").count() == 0
    visitor.page.fill("#setup-text", "4k3/8/8/8/8/8/8/4K3 w - - 5 9")
    visitor.page.keyboard.press("Enter")
    visitor.see(".setup-reason:not(.bad)")
    assert visitor.page.locator("#editor .end button:enabled").count() == 3
    visitor.page.keyboard.press("Escape")


def test_a_button_takes_the_position_as_it_is_on_the_board_now(visitor: Visitor) -> None:
    """Also where the server has not yet answered that it can be played."""
    visitor.begin("tic_tac_toe")
    visitor.page.keyboard.press("e")
    visitor.see(".setup-reason >> text=can be played")
    visitor.hold_requests()  # nothing is answered: the buttons still are those of the position before
    place(visitor, "X cross", "a1")
    visitor.page.select_option("#setup-turn", "1")
    visitor.page.dblclick("#editor .bar.end button:nth-child(2)")
    visitor.release_requests()
    visitor.see('#board .cell[aria-label^="a1, x cross"]')


def test_a_text_that_cannot_be_read_is_not_played(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.page.keyboard.press("e")
    visitor.see(".setup-reason >> text=can be played")
    visitor.page.fill("#setup-text", "nonsense")
    visitor.page.keyboard.press("Enter")
    visitor.see(".setup-reason.bad")
    assert visitor.page.locator("#editor .end button:enabled").count() == 0
    place(visitor, "X cross", "a1")
    visitor.see(".setup-reason.bad >> text=x")
    visitor.page.select_option("#setup-turn", "1")
    visitor.see(".setup-reason:not(.bad)")
    assert visitor.page.locator("#editor .end button:enabled").count() == 3


def test_castling_and_counters_are_set_by_hand(visitor: Visitor) -> None:
    visitor.begin("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    visitor.page.keyboard.press("e")
    visitor.see(".setup-reason >> text=can be played")
    page = visitor.page
    page.get_by_label("Black O-O", exact=True).uncheck()
    wait_for_text(visitor, "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1")
    page.get_by_label("Move number").fill("31")
    page.get_by_label("Half-move clock").fill("12")
    wait_for_text(visitor, "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 31")  # it leaves alone what is being typed
    page.keyboard.press("Enter")
    wait_for_text(visitor, "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 12 31")
    place(visitor, "Remove a piece", "a1")  # the right goes with the rook
    wait_for_text(visitor, "r3k2r/8/8/8/8/8/8/4K2R w Kq - 12 31")
    assert not page.get_by_label("White O-O-O", exact=True).is_checked()
    page.get_by_label("White O-O-O", exact=True).check()
    assert "no rook left of e1" in visitor.see(".setup-reason.bad").inner_text()
    assert page.locator("#editor .end button:enabled").count() == 0
    page.get_by_label("White O-O-O", exact=True).uncheck()
    visitor.see(".setup-reason:not(.bad)")
    page.get_by_label("Move number").fill("")
    page.keyboard.press("Tab")
    assert "from 1 to 99999" in visitor.see(".setup-reason.bad").inner_text()
    page.get_by_label("Move number").fill("31")
    page.keyboard.press("Tab")
    visitor.see(".setup-reason:not(.bad)")
    page.click("#editor >> text=Analyse")
    visitor.see('#tab-analysis[aria-selected="true"]')
    assert visitor.page.locator('#board .cell[aria-label^="a1, empty"]').count() == 1


def test_games_without_details_show_none(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.page.keyboard.press("e")
    visitor.see(".setup-reason >> text=can be played")
    assert not visitor.page.locator(".details").is_visible()
    visitor.page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("game", "piece", "cell", "away"),
    [("checkers", "Black king", "18", "1"), ("polis", "Blue dog", "d4", "a2")],
)
def test_other_games_are_set_up_by_their_own_pieces(
    visitor: Visitor, game: str, piece: str, cell: str, away: str
) -> None:
    visitor.begin(game)
    visitor.page.keyboard.press("e")
    visitor.see(".setup-reason >> text=can be played")
    place(visitor, piece, cell)
    visitor.see(".setup-reason.bad")  # one more than a side can have
    place(visitor, "Remove a piece", away)
    visitor.see(f'.setup-board .cell[aria-label*="{piece.split()[1]}"][aria-label^="{cell},"]')
    visitor.see(".setup-reason:not(.bad)")
    visitor.page.click("#editor >> text=Why")
    visitor.see(f'#board .cell[aria-label^="{cell}, "]:not([aria-label*="empty"])')


def test_the_editor_works_by_keyboard(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.page.keyboard.press("e")
    visitor.see(".setup-reason >> text=can be played")
    visitor.page.locator('.setup-board .cell[tabindex="0"]').focus()
    visitor.page.keyboard.press("Enter")
    visitor.page.select_option("#setup-turn", "1")
    wait_for_text(visitor, "x........ o")
    visitor.page.keyboard.press("Escape")
