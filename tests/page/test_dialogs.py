"""Dialogs in small and large windows: nothing in them is cut off, and what is wrong is seen."""

from collections.abc import Callable, Iterator

import pytest

from tests.page.server import Serving
from tests.page.visitor import Visitor

CUT = """() => {
  const dialog = document.querySelector("dialog[open]");
  const { left, right } = dialog.getBoundingClientRect();
  const all = [...dialog.querySelectorAll("button, input, select, .surface, td, th")];
  const isOut = (box) => box.width && (box.right > right || box.left < left);
  const out = all.filter((one) => isOut(one.getBoundingClientRect()));
  return out.map((one) => one.id || one.textContent || one.tagName);
}"""


def open_dialogs(visitor: Visitor) -> Iterator[str]:
    """Open one dialog after the other, with all that they can show."""
    page = visitor.page
    page.click("#open-new")
    page.select_option("#new-seat-1", "text")
    page.select_option("#new-start", "own")
    page.select_option("#new-clock", "own")
    yield "#new-game"
    page.click("text=Beat the level")
    visitor.see("#ladder td button")
    yield "#ladder"
    page.keyboard.press("Escape")
    for name, dialog in (("saved", "#saved-games"), ("settings", "#settings"), ("help", "#help")):
        page.click(f"#open-{name}")
        yield dialog
        page.keyboard.press("Escape")
    page.keyboard.press("e")
    visitor.see("#editor .tool")
    yield "#editor"


@pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844), (1366, 768)])
def test_nothing_in_a_dialog_is_cut_off(visitors: Callable[..., Visitor], width: int, height: int) -> None:
    visitor = visitors(viewport={"width": width, "height": height})
    visitor.begin("chess")
    for dialog in open_dialogs(visitor):
        visitor.see(f"{dialog}[open]")
        assert visitor.page.evaluate(CUT) == [], dialog


def test_what_is_wrong_in_a_long_dialog_comes_into_sight(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 390, "height": 844})
    visitor.begin("chess")
    page = visitor.page
    page.click("#open-new")
    page.select_option("#new-start", "own")
    page.fill("#new-position", "rnbqkbnr/pppp/8 w")
    page.click("#new-game button[type=submit]")
    box = visitor.see("#new-game .notice").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 844


def test_saved_games_are_searched_on_a_small_phone(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 320, "height": 640})
    visitor.begin("chess")
    visitor.page.click("#open-saved")
    visitor.see(".saved li")
    assert visitor.page.locator("#search-saved").bounding_box()["width"] > 150


def test_commands_are_shown_as_code(own_server: Serving, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(own_server).arrive("#watch")
    visitor.see("#watch code:text-is('plywise match')")
    assert "`" not in visitor.page.locator("#watch").inner_text()


def test_the_editor_has_a_row_of_pieces_for_each_side(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.page.keyboard.press("e")
    visitor.see("#editor .tool")
    titles = "(row) => [...row.children].map((one) => one.title)"
    rows = f"[...document.querySelectorAll('.tools > div')].map({titles})"
    white, black, last = visitor.page.evaluate(rows)
    assert [name.replace("White ", "") for name in white] == [name.replace("Black ", "") for name in black]
    assert len(white) == 6 and last == ["Remove a piece"]


def test_why_uses_the_room_of_a_large_screen(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 3840, "height": 2160})
    visitor.begin("chess")
    visitor.page.click("#tab-why")
    board, panel = (visitor.page.locator(one).first.bounding_box() for one in (".surface", "#panel"))
    assert board["width"] + panel["width"] > 0.7 * 3840
