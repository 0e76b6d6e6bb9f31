"""Small things that players stumbled over, each as they met it."""

from collections.abc import Callable

import pytest

import plywise
from tests.page.server import Serving
from tests.page.test_around import new_game
from tests.page.visitor import Visitor


def test_a_king_put_on_its_rook_castles(visitor: Visitor) -> None:
    visitor.begin("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    visitor.by_mouse(["e1", "h1"])
    visitor.wait_for_moves(1)
    assert visitor.moves() == ["O-O"]


def test_men_that_were_jumped_fade_while_the_jump_goes_on(visitor: Visitor) -> None:
    visitor.begin("checkers", "B:W11,18,26:B8")
    visitor.by_mouse(["8", "15"])
    visitor.see(".piece.jumped")
    assert visitor.page.locator(".piece.jumped").count() == 1
    visitor.by_mouse(["22"])
    visitor.wait_until("document.querySelectorAll('.piece.jumped').length === 2")
    visitor.page.keyboard.press("Escape")


def test_chess960_can_begin_at_random(visitor: Visitor) -> None:
    visitor.arrive()
    new_game(visitor, "chess", "person", "person", start="random")
    visitor.wait_for_turn()
    assert visitor.pieces() == 32


def test_review_after_a_game_reviews_it(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.play(plywise.load("tic_tac_toe"), ["b2", "b3", "a1", "a2", "c3"])
    visitor.page.click("#status >> text=Review")
    visitor.see(".summary table >> text=accuracy")


def test_a_side_is_called_by_the_colour_of_its_discs(visitor: Visitor) -> None:
    visitor.begin("connect_four")
    assert visitor.status().startswith("Red to move")
    visitor.play(plywise.load("connect_four"), ["1", "2", "1", "2", "1", "2"])
    assert visitor.page.locator('#board .piece[data-colour="red"]').count() == 3
    assert visitor.page.locator('#board .piece[data-colour="yellow"]').count() == 3
    visitor.by_mouse(["1"])
    assert "Red wins: four in a row" in visitor.see("#status .outcome").inner_text()


def test_units_of_skirmish_carry_their_names_and_health(visitor: Visitor) -> None:
    visitor.begin("skirmish")
    assert visitor.page.locator(".unit").all_inner_texts()[:2] == ["F1 160", "F2 160"]


def test_the_reach_of_a_unit_is_shown(visitor: Visitor) -> None:
    visitor.begin("skirmish")
    side = visitor.page.locator("#board .cell").first.bounding_box()["width"]
    footman = visitor.see("#board .reach").bounding_box()
    assert round(footman["width"] / side) == 3, "F1 is in hand, and strikes the cells around it"
    visitor.page.locator('#board .cell[aria-label*="archer"]').first.hover()
    visitor.wait_until(f"document.querySelector('#board .reach').getBoundingClientRect().width > {10 * side}")


def test_the_diagrams_of_polis_are_not_cut_off(visitor: Visitor) -> None:
    visitor.begin("polis")
    visitor.page.click("#tab-rules")
    visitor.see("#panel-rules pre")
    widths = visitor.page.evaluate(
        "[...document.querySelectorAll('#panel-rules pre')].map((one) => [one.scrollWidth, one.clientWidth])"
    )
    assert [pair for pair in widths if pair[0] > pair[1]] == []


@pytest.mark.parametrize(
    ("width", "height"), [(320, 640), (390, 844), (768, 1024), (1366, 768), (2560, 1440), (3840, 2160)]
)
def test_the_page_fits_every_window(visitors: Callable[..., Visitor], width: int, height: int) -> None:
    visitor = visitors(viewport={"width": width, "height": height})
    visitor.begin("chess")
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
    side = visitor.page.locator(".surface").first.bounding_box()["width"]
    assert side > 0.55 * min(width, height)
    cut = "[...document.querySelectorAll('#panel button, #panel input')].filter((one) => one.offsetWidth"
    cut += " && one.getBoundingClientRect().right > innerWidth && !one.closest('#tabs')).length"
    assert visitor.page.evaluate(cut) == 0, "no button is cut off"
    short = (
        "[...document.querySelectorAll('.actions button')].filter((one) => one.scrollWidth > one.clientWidth)"
    )
    assert visitor.page.evaluate(f"{short}.map((one) => one.textContent)") == []
    if width > 900:
        panel = visitor.page.locator("#panel").bounding_box()
        assert panel["height"] > height - 120


def test_all_tabs_are_in_sight_on_a_phone(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visitor.begin("chess")
    wide, room = visitor.page.evaluate(
        "(one => [one.scrollWidth, one.clientWidth])(document.querySelector('#tabs'))"
    )
    assert wide <= room


def test_the_words_below_a_large_board_are_not_squeezed(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 3840, "height": 2160})
    visitor.begin("skirmish")
    words = visitor.see("#status .now")
    high = words.evaluate(
        "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
    )
    assert high < 1.5, "one line"


def test_a_move_is_not_broken_at_its_hyphen(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    written = visitor.page.evaluate(
        """async () => {
            const { element, sentence } = await import("/static/element.js");
            return element("p", {}, ...sentence("Better is O-O, says `plywise play`.")).innerHTML;
        }"""
    )
    assert written == 'Better is <span class="whole">O-O,</span> says <code>plywise play</code>.'


def test_a_tab_that_is_tapped_on_a_phone_comes_into_sight(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visitor.begin("chess")
    visitor.page.locator("#tab-rules").tap()
    visitor.see("#panel-rules h2, #panel-rules h3, #panel-rules p")
    box = visitor.page.locator("#panel-rules").bounding_box()
    assert box["y"] + 100 < 844, "it is not below the screen"


def test_analysis_goes_on_after_the_server_was_killed(
    own_server: Serving, visitors: Callable[..., Visitor]
) -> None:
    visitor = visitors(own_server)
    visitor.begin("tic_tac_toe", "xx.oo.... x")
    visitor.page.keyboard.press("a")
    visitor.page.click("#tab-analysis")
    visitor.see(".lines li")
    visitor.away = True
    own_server.kill()
    visitor.see("#banner")
    visitor.page.evaluate("document.querySelector('.lines').replaceChildren()")
    own_server.start()
    visitor.page.locator("#banner").wait_for(state="hidden")
    visitor.see(".lines li")


def test_a_published_game_goes_through_the_page_without_loss(visitor: Visitor) -> None:
    text = (
        '[Event "Club night"]\n[White "Anna"]\n[Black "Ben"]\n[Result "0-1"]\n\n'
        "1. e4 {best} 1... e5 (1... c5 $5 2. Nf3) 2. Nf3 0-1\n\n"
        '[Event "Another"]\n[White "Cleo"]\n\n1. d4 *\n'
    )
    visitor.begin("chess")
    visitor.page.click("#tab-share")
    visitor.page.fill("#game-in", text)
    visitor.page.click("#panel-share button.primary")
    visitor.see("#choose-game .link >> text=Anna").click()
    visitor.see(".seat >> text=Anna")
    assert "White resigned" in visitor.see("#status .outcome").inner_text()
    visitor.wait_until("document.querySelector('#game-out').value.includes('Anna')")
    out = visitor.page.locator("#game-out").input_value()
    assert "1. e4 {best} 1... e5 (1... c5 $5 2. Nf3) 2. Nf3 0-1" in out
    assert '[Date "????.??.??"]' in out
