"""Everybody can use it: names, roles, contrast, focus, spoken moves, weight, and no third party."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plywise
from tests.page.server import Serving
from tests.page.visitor import Visitor

STATIC = Path(plywise.__file__).parent / "web" / "static"
HEAVIEST = 400_000  # bytes of all that the page loads

HERE = Path(__file__).parent
LOOK = (HERE / "look.js").read_text(encoding="utf-8").partition("\n")[2]
CONTRAST = (HERE / "contrast.js").read_text(encoding="utf-8").partition("\n")[2]


def check(visitor: Visitor) -> None:
    """The page as it stands has nothing that shuts somebody out."""
    found: dict[str, Any] = visitor.page.evaluate(LOOK)
    assert found == {
        "nameless": [],
        "headings": 1,
        "early": 0,
        "twice": [],
        "stops": 1,
        "rows": True,
        "cells": True,
        "tabs": True,
        "language": "en",
        "inline": 0,
    }
    assert visitor.page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_part_of_the_page_can_be_read_and_named(scheme: str, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(color_scheme=scheme)
    visitor.begin("checkers", "B:W11,18,26,K7:BK8,1")
    visitor.by_mouse(["8", "31"])
    visitor.wait_for_moves(1)
    check(visitor)
    for tab in ("analysis", "why", "share", "rules"):
        visitor.page.click(f"#tab-{tab}")
        check(visitor)
    visitor.page.click("#tab-analysis")
    visitor.page.keyboard.press("a")
    visitor.see(".lines li")
    visitor.page.click("summary")
    visitor.see(".terms table")
    check(visitor)
    visitor.page.keyboard.press("a")
    for opener, dialog in (
        ("#open-new", "#new-game"),
        ("#open-saved", "#saved-games"),
        ("#open-help", "#help"),
    ):
        visitor.page.click(opener)
        visitor.see(f"{dialog}[open]")
        if dialog == "#saved-games":
            visitor.see(".saved li")
        check(visitor)
        visitor.page.keyboard.press("Escape")


def test_the_letters_of_games_without_pictures_can_be_read(
    tmp_path: Path, visitors: Callable[..., Visitor]
) -> None:
    examples = HERE.parents[1] / "examples"
    server = Serving(tmp_path, examples / "breakthrough.py", examples / "morris.py")
    try:
        visitor = visitors(server)
        visitor.begin("tic_tac_toe")
        visitor.page.keyboard.press("n")
        visitor.see(".card .symbol")
        assert visitor.page.evaluate(CONTRAST) == []
        visitor.context.close()
    finally:
        server.close()


@pytest.mark.parametrize("name", ["chess", "polis", "skirmish", "connect_four", "tic_tac_toe"])
def test_every_game_can_be_read_on_a_phone_in_the_dark(name: str, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark"
    )
    visitor.begin(name)
    check(visitor)
    wide = visitor.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390  # nothing sticks out at the side
    stage = visitor.page.evaluate(
        "(one => [one.scrollWidth, one.clientWidth])(document.querySelector('#stage'))"
    )
    assert stage[0] <= stage[1], "the whole board is in sight"


def test_a_finger_beside_a_small_cell_means_the_nearest_useful_one(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visitor.begin("skirmish")
    side = visitor.page.locator("#board .cell").first.bounding_box()["width"]
    assert side < 24, "F1 is in hand, and a cell beside it is too small for a finger"
    x, y = visitor.middle("5,4")
    visitor.page.touchscreen.tap(x, y - 0.9 * side)  # a cell too high
    visitor.see('#board .cell[aria-label^="5,4, footman F1"]')


@pytest.mark.parametrize("name", ["chess", "skirmish"])
def test_a_phone_may_be_held_sideways(name: str, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    visitor.begin(name)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 844
    box = visitor.page.locator(".surface").first.bounding_box()
    assert box["y"] + box["height"] < 390  # the whole board is in sight


def test_the_focus_is_seen_wherever_tab_leads(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    seen = set()
    for _ in range(30):
        visitor.page.keyboard.press("Tab")
        shown = visitor.page.evaluate(
            """() => {
                const made = document.activeElement;
                if (made === document.body) return ["the end", true];
                const style = getComputedStyle(made);
                const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
                const name = made.id || made.textContent.trim() || made.className;
                return [name, ring || style.boxShadow.includes("inset")];
            }"""
        )
        seen.add(shown[0])
        assert shown[1], f"no ring around {shown[0]}"
    assert {"open-new", "tab-moves", "typed"} <= seen


def test_moves_are_spoken_with_what_they_cause(visitor: Visitor) -> None:
    visitor.begin("chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    visitor.by_mouse(["a1", "a8"])
    visitor.wait_for_moves(1)
    live = visitor.see("#live p")
    assert live.inner_text().startswith("White: Ra8+")
    assert "check" in live.inner_text()
    assert visitor.page.locator("#live").get_attribute("aria-live") == "polite"


def test_the_theme_is_the_systems_until_the_visitor_chooses(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(color_scheme="dark")
    visitor.begin("tic_tac_toe")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    dark = visitor.page.evaluate(ground)
    visitor.page.keyboard.press("t")
    assert visitor.page.evaluate(ground) != dark
    visitor.page.reload()
    visitor.see(".cell")
    assert visitor.page.evaluate(ground) != dark


def test_the_page_is_light_and_asks_nobody_else(visitor: Visitor) -> None:
    visitor.arrive()
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < HEAVIEST
    loaded = {url.rsplit("/", 1)[-1].split("#")[0] for url in visitor.requests}
    assert {"main.js", "page.css", "pictures.svg"} <= loaded
    unused = {path.name for path in files if path.suffix == ".js"} - loaded
    assert unused == set()


def test_rules_are_text_whatever_they_contain(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    written = visitor.page.evaluate(
        """async (text) => {
            const { markdown } = await import("/static/panel/markdown.js");
            const box = document.createElement("div");
            box.append(...markdown(text));
            return box.innerHTML;
        }""",
        "#1 heading\n<img src=x onerror=alert(1)> **b** [link](javascript:1)\n\n| a |\n|---|\n| 1 |\n|\n-",
    )
    assert "<img" not in written
    assert "javascript" not in written
    assert written.startswith("<p>#1 heading &lt;img")
    assert "<strong>b</strong> link</p>" in written
    assert "<td>1</td>" in written
