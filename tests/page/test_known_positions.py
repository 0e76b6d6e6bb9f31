"""What is known of a position without a search: the name of its opening, and the endgame database."""

from pathlib import Path

import plywise
from plywise.endgames import build
from tests.page.server import Serving
from tests.page.visitor import Visitor


def test_the_name_of_the_opening_stands_beside_the_list_of_moves(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "h7h6"])
    visitor.see(".opening >> text=C60 Ruy Lopez")
    for _ in range(3):
        visitor.page.keyboard.press("ArrowLeft")
    visitor.see(".opening >> text=C40 King's Knight Opening")
    place = visitor.page.locator(".move-list").bounding_box()
    visitor.page.keyboard.press("Home")
    visitor.wait_until("document.querySelector('.opening').textContent.trim() === ''")
    assert visitor.page.locator(".move-list").bounding_box() == place, "nothing moves where there is no name"
    visitor.page.click("#tab-share")
    visitor.wait_until("document.querySelector('#game-out').value !== ''")
    text = visitor.page.input_value("#game-out")
    assert '[ECO "C60"]' in text and '[Opening "Ruy Lopez"]' in text


def test_a_game_whose_openings_have_no_names_shows_none(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.by_mouse(["b2"])
    visitor.wait_for_moves(1)
    assert visitor.page.locator(".opening").is_hidden()


def test_the_endgame_database_says_who_wins_and_what_each_move_leads_to(
    own_server: Serving, visitors: type[Visitor]
) -> None:
    visitor = visitors(own_server)
    visitor.begin("checkers", "W:WK6,K9:BK15")
    visitor.page.click("#tab-analysis")
    visitor.see("p:has-text('Not solved yet: plywise endgames checkers solves such positions')")
    build(plywise.load("checkers"), 3, Path(own_server.folder) / "endgames")
    visitor.begin("checkers", "W:WK6:BK10,K31,K32")  # the capture leads to three pieces
    visitor.see(".endgame li >> text=6x15")
    visitor.begin("checkers", "W:WK6,K9:BK15")
    visitor.see("text=White wins in 14 moves.")
    outcomes = visitor.page.locator(".endgame li").all_inner_texts()
    assert len(outcomes) == len(plywise.load("checkers").history("W:WK6,K9:BK15").moves)
    assert "White wins in 14 moves" in outcomes[0]
    visitor.page.click(".endgame li button >> nth=0")
    visitor.wait_for_moves(1)
    visitor.see("text=White wins in 13 moves.")
    visitor.begin("checkers")
    visitor.page.locator(".endgame").wait_for(state="hidden")
