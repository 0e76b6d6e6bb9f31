"""axe-core, a checker of accessibility that developers install, finds nothing wrong on any tab or dialog.

`npm install axe-core` puts it into `node_modules`; it is looked for there, in the folders above, and in the
one that PLYWISE_AXE names.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plywise
from tests.page.visitor import Visitor

PLACES = [Path(os.environ.get("PLYWISE_AXE", "")) / "axe.min.js"]
PLACES += [folder / "node_modules" / "axe-core" / "axe.min.js" for folder in Path(__file__).parents]
TABS = ("moves", "analysis", "why", "compare", "share", "rules")
RUN = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    const words = (one, node) => `${one.id} (${one.impact}): ${node.target.join(" ")}`;
    return violations.flatMap((one) => one.nodes.map((node) => words(one, node)));
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The checker's source."""
    found = next((place for place in PLACES if place.is_file()), None)
    if found is None:
        pytest.skip("no axe-core here: npm install axe-core, and set PLYWISE_AXE to its folder")
    return found.read_text(encoding="utf-8")


def check(visitor: Visitor, axe: str) -> None:
    """Nothing that is on the page now shuts somebody out."""
    visitor.page.evaluate(f"window.axe ?? (() => {{ {axe} }})()")
    found: list[Any] = visitor.page.evaluate(RUN)
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tabs_have_no_violation(scheme: str, axe: str, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(color_scheme=scheme)
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), ["e2e4", "e7e5", "f1c4", "b8c6"])
    visitor.page.keyboard.press("Home")
    visitor.by_mouse(["d2", "d3"])  # a variation
    visitor.see(".branch .move[aria-current]")
    for tab in TABS:
        visitor.page.click(f"#tab-{tab}")
        check(visitor, axe)
    visitor.page.click("#tab-analysis")
    visitor.page.click("#panel-analysis .terms summary")
    visitor.page.keyboard.press("a")
    visitor.see(".lines li")
    visitor.page.keyboard.press("a")
    visitor.page.click("text=Review the game")
    visitor.see(".summary table >> text=accuracy")
    check(visitor, axe)
    visitor.page.click("#tab-moves")
    visitor.page.click(".row .move", button="right")
    visitor.see(".menu")
    check(visitor, axe)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dialogs_have_no_violation(scheme: str, axe: str, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(color_scheme=scheme)
    visitor.begin("tic_tac_toe")
    visitor.begin("chess")
    page = visitor.page

    def look(dialog: str) -> None:
        visitor.see(f"{dialog}[open]")
        check(visitor, axe)

    def leave() -> None:
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="hidden")

    page.click("#open-new")
    page.select_option("#new-seat-1", "text")
    page.select_option("#new-start", "own")
    page.select_option("#new-clock", "own")
    look("#new-game")
    page.fill("#new-position", "rnbqkbnr/pppp/8 w")
    page.select_option("#new-seat-1", "person")
    page.click("#new-game button[type=submit]")
    visitor.see("#new-game .notice")
    look("#new-game")
    page.click("text=Beat the level")
    look("#ladder")
    leave()
    page.click("#open-saved")
    look("#saved-games")
    page.click(".saved [aria-label^='Delete Tic']")
    visitor.see("text=Bin (1)").click()
    look("#saved-games")
    leave()
    for opener, dialog in (("watch", "#watch"), ("settings", "#settings"), ("help", "#help")):
        page.click(f"#open-{opener}")
        look(dialog)
        leave()
    page.keyboard.press("e")
    look("#editor")
    leave()
    page.click("text=Resign")
    look("#question")
    leave()
    page.click("#tab-share")
    page.fill("#game-in", '[White "Anna"]\n\n1. e4 *\n\n[White "Cleo"]\n\n1. d4 *\n')
    page.click("#panel-share button.primary")
    look("#choose-game")
    leave()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [name for name in plywise.shipped() if name != "chess"])
def test_boards_have_no_violation(name: str, scheme: str, axe: str, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(color_scheme=scheme, viewport={"width": 390, "height": 844}, has_touch=True)
    visitor.begin(name)
    check(visitor, axe)
    visitor.page.click(f"#tab-{TABS[-1]}")
    check(visitor, axe)
