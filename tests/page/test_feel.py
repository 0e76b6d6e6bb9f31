"""How the page feels: settings that stay, arrows and circles, hover boards, questions, what is read out."""

from collections.abc import Callable
from xml.etree import ElementTree

import plywise
from tests.page.test_around import new_game
from tests.page.visitor import Visitor


def settings(visitor: Visitor, **ticks: bool) -> None:
    visitor.page.click("#open-settings")
    for name, on in ticks.items():
        visitor.page.set_checked(f"#set-{name}", on)
    visitor.page.keyboard.press("Escape")


def test_arrows_and_circles_are_drawn_with_the_right_button(visitor: Visitor) -> None:
    visitor.begin("chess")
    mouse = visitor.page.mouse
    for start, end in (("g1", "f3"), ("e4", "e4")):
        mouse.move(*visitor.middle(start))
        mouse.down(button="right")
        mouse.move(*visitor.middle(end))
        mouse.up(button="right")
    visitor.see(".arrows .drawn circle")
    ring = visitor.page.locator(".arrows circle.drawn")
    assert ring.evaluate("one => getComputedStyle(one).fill") == "none"
    assert visitor.page.locator(".arrows g.drawn g.drawn").count() == 1
    visitor.cell("a4").click()
    assert visitor.page.locator(".arrows .drawn *").count() == 0


def test_looks_are_chosen_and_stay(visitor: Visitor) -> None:
    visitor.begin("chess")
    before = visitor.page.evaluate("getComputedStyle(document.querySelector('.cell.dark')).backgroundColor")
    visitor.page.click("#open-settings")
    visitor.page.select_option("#set-board", "brown")
    visitor.page.select_option("#set-pieces", "letters")
    visitor.page.reload()
    visitor.see("#board .cell")
    after = visitor.page.evaluate("getComputedStyle(document.querySelector('.cell.dark')).backgroundColor")
    assert before != after
    letter = "getComputedStyle(document.querySelector('#board .piece'), '::before').content"
    assert visitor.page.evaluate(letter) == '"R"'


def test_a_move_is_asked_for_if_one_wants_it(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    settings(visitor, confirm=True)
    visitor.by_mouse(["b2"])
    visitor.see("#question >> text=Cancel").click()
    visitor.page.locator("#question").wait_for(state="detached")
    assert visitor.moves() == []
    visitor.by_mouse(["b2"])
    visitor.see("#question button.primary").click()
    visitor.wait_for_moves(1)


def test_a_pawn_becomes_a_queen_at_once_if_one_wants_it(visitor: Visitor) -> None:
    visitor.begin("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1")
    settings(visitor, first=True)
    visitor.by_mouse(["a7", "a8"])
    visitor.wait_for_moves(1)
    assert visitor.moves() == ["a8=Q"]


def test_sounds_are_off_until_they_are_wanted(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.page.evaluate(
        """() => {
            window.tones = 0;
            const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function (...rest) {
                window.tones++;
                return start.apply(this, rest);
            };
        }"""
    )
    visitor.by_mouse(["b2"])
    visitor.wait_for_moves(1)
    assert visitor.page.evaluate("window.tones") == 0
    settings(visitor, sounds=True)
    visitor.by_mouse(["a1"])
    visitor.wait_until("window.tones === 1")


def test_little_time_is_shown_in_tenths_and_heard(visitor: Visitor) -> None:
    visitor.arrive()
    settings(visitor, sounds=True)
    visitor.page.evaluate(
        """() => {
            window.warnings = 0;
            const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function (...rest) {
                if (this.type === "square") window.warnings++;
                return start.apply(this, rest);
            };
        }"""
    )
    visitor.page.keyboard.press("n")
    visitor.see('.card:has(input[value="tic_tac_toe"])').click()
    visitor.page.select_option("#new-seat-1", "person")
    visitor.page.select_option("#new-clock", "own")
    visitor.page.fill("#new-minutes", "0.15")
    visitor.page.click("#new-game button[type=submit]")
    visitor.see('#board[data-game="tic_tac_toe"]')
    visitor.by_mouse(["b2"])
    visitor.wait_for_moves(1)
    visitor.see(".clock.low")
    text = "document.querySelector('.clock[data-side=\"1\"]').textContent"
    visitor.wait_until(f"/^0:0\\d\\.\\d$/.test({text})")
    visitor.wait_until("window.warnings > 0")


def test_the_material_difference_is_shown(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), ["e2e4", "d7d5", "e4d5"])
    assert visitor.see("#seat-near .lead").inner_text() == "+1"
    assert visitor.page.locator("#seat-far .lead").count() == 0


def test_a_line_of_the_analysis_shows_where_it_leads(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "xx.oo.... x")
    visitor.page.keyboard.press("a")
    visitor.page.click("#tab-analysis")
    visitor.see("#panel-analysis > .facts:has-text('done')")  # the lines stay as they are now
    visitor.see(".lines .play").hover()
    visitor.see(".hover-board .piece")
    assert visitor.page.locator(".hover-board [tabindex]").count() == 0, "keys do not lead there"
    visitor.page.mouse.move(5, 5)
    visitor.page.locator(".hover-board").wait_for(state="detached")


def test_space_plays_the_best_move_of_the_analysis(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "xx.oo.... x")
    visitor.page.keyboard.press("a")
    visitor.page.click("#tab-analysis")
    visitor.see(".lines .play")
    visitor.page.locator("h1").click()
    visitor.page.keyboard.press("Space")
    visitor.page.click("#tab-moves")
    visitor.wait_for_moves(1)
    assert visitor.moves() == ["c3"]


def test_pieces_and_rays_are_read_out(visitor: Visitor) -> None:
    visitor.begin("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    for typed, words in (
        ("pieces", "White rook: a1"),
        ("scan a1", "right: e1 White king"),
        ("last", "No move yet"),
    ):
        visitor.page.fill("#typed", typed)
        visitor.page.keyboard.press("Enter")
        visitor.wait_until(f"document.querySelector('#live').textContent.includes({words!r})")


def test_a_threat_is_shown_where_a_side_may_pass(visitor: Visitor) -> None:
    visitor.begin("chess", "4k3/8/8/8/3q4/8/4P3/R3K2N w - - 0 1")
    visitor.page.keyboard.press("x")
    visitor.see(".arrows .threat")
    assert "Threat: Qx" in visitor.status()
    visitor.page.keyboard.press("x")
    visitor.wait_until("!document.querySelector('.arrows .threat')")


def test_a_game_in_which_nobody_may_pass_says_so(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.page.keyboard.press("x")
    visitor.see("#notices .notice >> text=nobody may pass")


def test_the_time_for_each_move_is_drawn(visitor: Visitor) -> None:
    visitor.arrive()
    new_game(visitor, "tic_tac_toe", "person", "person", clock="300+3")
    for count, cell in enumerate(("b2", "a1", "c3"), 1):
        visitor.by_mouse([cell])
        visitor.wait_for_moves(count)
    visitor.page.click("#tab-analysis")
    visitor.see(".times")
    assert visitor.page.locator(".times rect").count() == 3


def test_the_board_is_saved_as_a_picture(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.page.click("#tab-share")
    with visitor.page.expect_download() as saved:
        visitor.page.click("text=Save a picture")
    assert saved.value.suggested_filename == "chess.svg"
    root = ElementTree.fromstring(saved.value.path().read_text(encoding="utf-8"))
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{name}g[@transform]")) == 32


def test_a_game_is_saved_as_a_moving_picture_and_goes_through_a_link(
    visitors: Callable[..., Visitor],
) -> None:
    visitor = visitors()
    visitor.begin("chess")
    for count, move in enumerate((["e2", "e4"], ["e7", "e5"], ["g1", "f3"]), 1):
        visitor.by_mouse(move)
        visitor.wait_for_moves(count)
    visitor.page.click("#tab-share")
    with visitor.page.expect_download() as saved:
        visitor.page.click("text=Save a moving picture")
    assert saved.value.suggested_filename == "chess-game.svg"
    assert "2. Nf3" in saved.value.path().read_text(encoding="utf-8")
    visitor.wait_until("document.getElementById('whole-out').value.includes('#import/chess/')")
    friend = visitors()
    friend.page.goto(visitor.page.input_value("#whole-out"))
    friend.wait_for_moves(3)
    friend.wait_until("location.hash.startsWith('#game/')")


def test_a_damaged_link_says_so_and_leaves_a_game_on_the_board(visitor: Visitor) -> None:
    visitor.page.goto(visitor.address + "#import/chess/abcd")
    visitor.see("#notices", has_text="This link is damaged")
    visitor.see("#board .cell")
