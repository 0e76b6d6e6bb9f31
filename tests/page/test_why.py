"""The tab "Why" in a real browser: the picture, the table, the board under the cursor, lessons."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.page.visitor import Visitor

ROW = 20  # px of a level of the picture


def record(visitor: Visitor, kind: str = "depth", amount: int = 3) -> None:
    """Record a search of the position on the board, and wait for its picture."""
    visitor.see("#tab-why").click()
    visitor.page.select_option('[aria-label="Search up to"]', kind)
    visitor.page.fill(".why-amount", str(amount))
    visitor.page.click("#panel-why button[type=submit]")
    visitor.see(".why-result[data-shown]")
    visitor.see(".why-node h3")


def facts(visitor: Visitor) -> dict[str, str]:
    """What the panel says of the node looked at."""
    names = visitor.page.locator(".why-node dt").all_inner_texts()
    return dict(zip(names, visitor.page.locator(".why-node dd").all_inner_texts(), strict=True))


def shown(visitor: Visitor, said: str) -> Any:
    """Wait until the panel is about the node that these moves lead to."""
    return visitor.see(f'.why-node h3:text-is("{said}")')


@pytest.fixture
def recorded(visitor: Visitor) -> Visitor:
    """A visitor with the tree of a small search."""
    visitor.begin("tic_tac_toe", "xo....... x")
    record(visitor)
    return visitor


def test_the_board_shows_the_node_under_the_cursor_and_is_the_games_again_after(recorded: Visitor) -> None:
    before = recorded.pieces()
    canvas = recorded.page.locator(".why-icicle")
    canvas.hover(position={"x": 60, "y": ROW * 2.5})
    recorded.see(".why-node h3:not(:text-is('The position searched'))")
    assert len(recorded.page.locator(".why-node h3").inner_text().split()) == 2
    recorded.wait_until(f"document.querySelectorAll('.pieces .piece').length === {before + 2}")
    assert set(facts(recorded)) == {"To move", "Window", "Value", "Bound", "Cause", "Order", "Below"}
    recorded.page.locator("h1").hover()
    recorded.page.locator(".pieces .piece").nth(before).wait_for(state="detached")
    shown(recorded, "The position searched")


def test_a_zoom_is_not_lost_because_the_picture_moves(recorded: Visitor) -> None:
    """Finer bars are asked for after a movement; they do not overtake the picture that was wanted before."""
    recorded.hold_requests()
    canvas = recorded.page.locator(".why-icicle")
    canvas.click(position={"x": 60, "y": ROW * 1.5})
    canvas.dispatch_event("wheel", {"deltaX": 4, "deltaY": 0, "bubbles": True, "cancelable": True})
    recorded.page.wait_for_timeout(300)  # longer than a rest of the pointer
    recorded.release_requests()
    recorded.see(".why-crumbs button")


def test_a_click_zooms_in_and_keys_go_through_the_tree_and_out_again(recorded: Visitor) -> None:
    page = recorded.page
    canvas = page.locator(".why-icicle")
    canvas.click(position={"x": 60, "y": ROW * 1.5})
    crumbs = page.locator(".why-crumbs")
    recorded.see(".why-crumbs button")
    first = crumbs.locator("b").inner_text()
    canvas.focus()
    page.keyboard.press("Home")
    shown(recorded, first)
    page.keyboard.press("ArrowDown")
    recorded.see(f'.why-node h3:text-matches("^{first} ..$")')
    page.keyboard.press("Enter")
    recorded.see(".why-crumbs button >> nth=1")
    page.keyboard.press("Escape")
    crumbs.locator("button").nth(1).wait_for(state="detached")
    page.keyboard.press("Backspace")
    crumbs.locator("button").wait_for(state="detached")
    assert crumbs.locator("b").inner_text() == "start"


def test_the_table_is_walked_by_keys_alone_and_tells_what_a_reader_needs(recorded: Visitor) -> None:
    page = recorded.page
    page.locator("summary:text-is('The tree as a table')").focus()
    page.keyboard.press("Enter")
    root = recorded.see('.why-tree tr[aria-level="1"]')
    recorded.see('.why-tree tr[aria-level="2"]')
    page.keyboard.press("Tab")
    assert root.evaluate("(row) => row === document.activeElement")
    page.keyboard.press("ArrowDown")
    row = page.locator(".why-tree tr:focus")
    assert (row.get_attribute("aria-level"), row.get_attribute("aria-posinset")) == ("2", "1")
    searched = page.locator('.why-tree tr[aria-level="2"]').count()
    assert searched >= 7, "every move, and some of them twice"
    assert row.get_attribute("aria-setsize") == str(searched)
    shown(recorded, row.locator("td").first.inner_text())
    page.keyboard.press("ArrowRight")
    recorded.see('.why-tree tr[aria-level="3"]')
    page.keyboard.press("ArrowRight")
    assert page.locator(".why-tree tr:focus").get_attribute("aria-level") == "3"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.locator('.why-tree tr[aria-level="3"]').count() == 0
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert root.get_attribute("aria-expanded") == "false"


def test_a_branch_that_was_cut_is_a_stub_that_can_be_opened(recorded: Visitor) -> None:
    page = recorded.page
    page.locator(".why-passes input").focus()
    page.keyboard.press("ArrowLeft")  # the iteration before: in the last one nothing is cut by a move
    recorded.see(".why-passes output:text-matches('^depth 2')")
    page.click("summary:text-is('The tree as a table')")
    cut = recorded.see(".why-tree tr[aria-level='2']:has(i.why-cut)")
    cut.locator(".name").click()
    stub = recorded.see(".why-tree tr.stub")
    assert "not searched: a move before it is already good enough" in stub.inner_text()
    stub.focus()
    page.keyboard.press("Enter")
    assert "leaving it out was right" in recorded.see(".why-tree tr.stub.right").inner_text()


def test_the_slider_goes_through_the_iterations(recorded: Visitor) -> None:
    page = recorded.page
    last = page.locator(".why-passes output").inner_text()
    assert last.startswith("depth 3")
    page.locator(".why-passes input").focus()
    page.keyboard.press("Home")
    recorded.see(".why-passes output:text-matches('^depth 1')")
    recorded.see(".why-result[data-shown='0']")


def test_counters_switches_and_why_not(recorded: Visitor) -> None:
    page = recorded.page
    page.click("summary:text-is('Counters of this iteration')")
    recorded.see("text=Plain minimax")
    assert "by the first move tried" in page.locator(".why-figures").first.inner_text()
    page.click("summary:has-text('Switches')")
    page.click("text=Compare all")
    recorded.see(".why-compared tbody tr >> nth=5")
    names = page.locator(".why-compared tbody th").all_inner_texts()
    assert names[0] == "the whole search, depth 2" and "without move ordering, depth 2" in names
    page.click("summary:has-text('Why not this move?')")
    page.select_option('[aria-label="A move that was not chosen"]', "c2")
    page.click("button:text-is('Why not?')")
    recorded.see(".why-words p:has-text('c2')")


def test_a_lesson_is_stepped_through_with_alpha_and_beta(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "xo.o..x.. x")
    visitor.see("#tab-why").click()
    page = visitor.page
    page.click("summary:has-text('Lesson')")
    page.click(".why-lesson button:text-is('Begin')")
    visitor.see(".why-step:has-text('Look at the root (x is MAX)')")
    paper = page.locator(".why-paper")
    assert "\N{GREEK SMALL LETTER ALPHA} \N{MINUS SIGN}∞" in paper.locator(".current").text_content()
    pieces = visitor.pieces()
    paper.press("ArrowRight")
    page.locator(".pieces .piece").nth(pieces).wait_for()
    paper.press("End")
    visitor.see(".why-step:has-text('the root (x is MAX) is done')")
    assert page.locator(".why-lesson-tree .cuts:not(.unseen-yet) .slash").count() > 0
    page.select_option('[aria-label="Player"]', "minimax")
    page.fill('[aria-label="Depth of the lesson"]', "1")
    page.click(".why-lesson button:text-is('Begin')")
    visitor.see(".why-step:has-text('1 of 17')")
    assert page.locator(".why-lesson-tree .slash").count() == 0


def test_nonsense_is_answered_in_a_sentence_and_the_tab_goes_on(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "xx.oo.... x")
    visitor.by_mouse(["c3"])
    visitor.wait_for_moves(1)
    visitor.see("#tab-why").click()
    visitor.page.click("#panel-why button[type=submit]")
    visitor.see("#notices >> text=the game is over here")
    visitor.page.click("summary:has-text('Lesson')")
    visitor.page.keyboard.press("Home")
    visitor.page.locator("h1").click()
    visitor.page.keyboard.press("Home")
    record(visitor, "nodes", 12)
    assert "12 nodes recorded" in visitor.page.locator("#panel-why .facts").first.inner_text()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_picture_is_crisp_and_fits_a_phone(visitors: Callable[..., Visitor], colours: str) -> None:
    size = {"width": 390, "height": 844}
    visitor = visitors(viewport=size, device_scale_factor=3, has_touch=True, color_scheme=colours)
    visitor.begin("tic_tac_toe", "xo....... x")
    record(visitor)
    canvas = visitor.page.locator(".why-icicle")
    drawn, seen = canvas.evaluate("(canvas) => [canvas.width, canvas.clientWidth]")
    assert drawn == 3 * seen
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    canvas.tap(position={"x": 60, "y": ROW * 1.5})
    visitor.see(".why-node h3:not(:text-is('The position searched'))")
    assert visitor.page.locator(".why-crumbs button").count() == 0
    canvas.tap(position={"x": 60, "y": ROW * 1.5})
    visitor.see(".why-crumbs button")
