"""Studying on the page: the game stays the main line; variations are tried, edited and undone."""

from collections.abc import Callable

import pytest

import plywise
from tests.page.visitor import Visitor

RUY = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
LABELS = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]


@pytest.fixture
def studying(visitor: Visitor) -> Visitor:
    """Six moves of a game; from the start d3 d5 was tried."""
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), RUY)
    visitor.page.keyboard.press("Home")
    visitor.see(".move.start[aria-current]")
    for steps, label in ((["d2", "d3"], "d3"), (["d7", "d5"], "d5")):
        visitor.by_mouse(steps)
        visitor.see(f'.branch .move[aria-current] >> text="{label}"')
    return visitor


def variations(visitor: Visitor) -> list[str]:
    """The variations of the list, as they are read."""
    return [" ".join(words.split()) for words in visitor.page.locator(".branch").all_inner_texts()]


def wait_for_variations(visitor: Visitor, count: int) -> None:
    visitor.wait_until(f"document.querySelectorAll('.branch').length === {count}")


def test_a_try_leaves_the_game_the_main_line_and_has_numbers(studying: Visitor) -> None:
    assert studying.moves() == LABELS
    assert variations(studying) == ["1)1.d3d5"]


def test_a_variation_is_promoted_and_the_edit_undone_by_keys(studying: Visitor) -> None:
    studying.page.keyboard.press("Shift+P")
    studying.see('.row .move >> text="d3"')
    assert studying.moves() == ["d3", "d5"]
    studying.page.keyboard.press("Control+z")
    studying.see('.row .move >> text="a6"')
    assert studying.moves() == LABELS
    studying.page.keyboard.press("Control+y")
    studying.see('.row .move >> text="d3"')


def test_a_variation_is_deleted_and_comes_back(studying: Visitor) -> None:
    studying.page.keyboard.press("ArrowLeft")
    studying.see('.move[aria-current] >> text="d3"')
    studying.page.keyboard.press("Delete")
    wait_for_variations(studying, 0)
    studying.see(".move.start[aria-current]")
    studying.page.click('[aria-label="Undo the last edit"]')
    wait_for_variations(studying, 1)
    assert variations(studying) == ["1)1.d3d5"]


def test_a_comment_and_a_glyph_are_written_and_come_back_with_the_page(studying: Visitor) -> None:
    studying.page.keyboard.press("c")
    studying.page.keyboard.type("<b>quiet</b> & solid")
    studying.page.keyboard.press("Enter")
    studying.see(".comment >> text=<b>quiet</b> & solid")
    studying.page.click('[data-nag="5"]')
    studying.see(".branch .glyphs >> text=!?")
    studying.page.reload()
    studying.see(".comment >> text=<b>quiet</b> & solid")
    studying.see(".branch .glyphs >> text=!?")


def test_shift_and_arrows_go_between_variations(studying: Visitor) -> None:
    page = studying.page
    for key, label in (
        ("Shift+ArrowLeft", "Start"),
        ("Shift+ArrowRight", "d3"),
        ("Shift+ArrowDown", "e4"),
        ("Shift+ArrowUp", "d3"),
    ):
        page.keyboard.press(key)
        studying.see(f'.move[aria-current] >> text="{label}"')


def test_the_menu_of_a_move_works_by_mouse_and_keys(studying: Visitor) -> None:
    studying.page.locator('.branch .move >> text="d3"').click(button="right")
    studying.see(".menu button >> text=Make this the main line").click()
    studying.see('.row .move >> text="d3"')
    studying.page.locator('.branch .move >> text="e4"').click(button="right")
    studying.see(".menu")
    studying.page.keyboard.press("Escape")
    studying.page.locator(".menu").wait_for(state="detached")


def test_a_long_press_opens_the_menu(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 390, "height": 844}, has_touch=True)
    visitor.begin("tic_tac_toe")
    visitor.play(plywise.load("tic_tac_toe"), ["b2", "a1"], hand="touch")
    move = visitor.page.locator('.row .move >> text="b2"')
    move.evaluate("(move) => move.scrollIntoView({ block: 'end' })")
    box = move.bounding_box()
    spot = {"x": box["x"] + 10, "y": box["y"] + 10}
    device = visitor.context.new_cdp_session(visitor.page)
    device.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
    visitor.see(".menu")
    device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_an_engines_side_may_be_tried_beside_the_game(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.play(plywise.load("tic_tac_toe"), ["b2", "a1", "c3"])
    visitor.page.keyboard.press("ArrowLeft")
    visitor.page.keyboard.press("ArrowLeft")
    visitor.see('.move[aria-current] >> text="b2"')
    visitor.by_mouse(["c1"])
    visitor.see('.branch .move[aria-current] >> text="c1"')
    assert visitor.moves() == ["b2", "a1", "c3"]
    assert "Viewing a variation" in visitor.status()
