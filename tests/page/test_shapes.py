"""Boards of hexagons, points and pits under mouse, finger and keys."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import EXAMPLES, named
from tests.page.server import Serving
from tests.page.test_accessibility import check
from tests.page.visitor import Visitor

GAMES = {
    "hex": "c2 f6 e6 f5 g5 e7",
    "morris": "a7 d7 g7 b6 d6 f6 a4 c4 a1 xd7",
    "kalah": "c b E a",
    "gomoku": "h8 h9 i9",
    "othello": "d3 c3 c4",
}


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Serving]:
    """A server that offers the examples."""
    server = Serving(tmp_path_factory.mktemp("games"), EXAMPLES)
    yield server
    server.close()


def labels(visitor: Visitor) -> set[str]:
    """What the cells are called."""
    found = visitor.page.eval_on_selector_all(".cell", "all => all.map((one) => one.ariaLabel)")
    return set(map(str, found))


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_made_by_mouse(name: str, examples: Serving, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(examples, color_scheme="light")
    visitor.begin(name)
    visitor.play(named(f"examples/{name}"), GAMES[name].split())
    check(visitor)


@pytest.mark.parametrize("name", ["hex", "morris", "kalah"])
def test_moves_are_made_by_a_finger_on_a_phone(
    name: str, examples: Serving, visitors: Callable[..., Visitor]
) -> None:
    visitor = visitors(
        examples, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark"
    )
    visitor.begin(name)
    visitor.play(named(f"examples/{name}"), GAMES[name].split(), "touch")
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 390
    check(visitor)


def test_a_man_is_dragged_along_a_line(examples: Serving, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(examples)
    position = "wbwbwb......wbwbwb...... 18 w"
    visitor.begin("morris", position)
    visitor.play(named("examples/morris"), ["d6d5"], "drag", position)


def test_every_cell_is_reached_by_arrow_keys(examples: Serving, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(examples)
    for name in ("hex", "morris", "kalah"):
        visitor.begin(name)
        wanted = labels(visitor)
        seen = set(visitor.page.evaluate(WALK))
        assert seen == wanted, f"{name}: {sorted(wanted - seen)}"


# Presses many arrow keys at random, and tells where they led.
WALK = """() => {
    const keys = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"];
    const found = new Set();
    let seed = 7;
    document.querySelector('.cell[tabindex="0"]').focus();
    for (let i = 0; i < 8000; i++) {
        found.add(document.activeElement.ariaLabel);
        seed = (seed * 1103515245 + 12345) % 2147483648;
        const key = keys[Math.floor(seed / 65536) % 4];
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }
    return [...found];
}"""


def test_stones_are_told_in_words(examples: Serving, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(examples)
    visitor.begin("kalah")
    assert {"c, south 4 stones", "store, south 0 stones"} <= labels(visitor)
    visitor.by_mouse(["c"])
    visitor.wait_for_moves(1)
    visitor.see('.cell[aria-label="c, south 0 stones"]')
    visitor.see('.cell[aria-label="store, south 1 stone"]')
    assert visitor.page.locator('.piece[data-count="0"] circle').count() == 0


def test_a_man_that_was_taken_is_shown_beside_the_seat(
    examples: Serving, visitors: Callable[..., Visitor]
) -> None:
    visitor = visitors(examples)
    visitor.begin("morris", "start moves a7 d7 g7 b6 d6 f6 a4 c4 a1 xd7")
    assert visitor.see(".taken:not([hidden])").get_attribute("aria-label") == "taken: 1 black disc"
    assert visitor.page.locator(".pile").count() == 0


def test_a_preview_shows_the_stone_to_be(examples: Serving, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(examples)
    visitor.begin("hex")
    visitor.cell("f6").hover()
    ghost = visitor.see(".ghosts .piece").bounding_box()
    x, y = visitor.middle("f6")
    assert abs(ghost["x"] + ghost["width"] / 2 - x) < 2
    assert abs(ghost["y"] + ghost["height"] / 2 - y) < 2


def test_the_board_is_turned_as_a_whole(examples: Serving, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(examples)
    visitor.begin("hex")
    before = visitor.middle("a1")
    last = visitor.middle("k11")
    visitor.page.keyboard.press("f")
    visitor.wait_until("document.querySelector('.cell').ariaLabel.startsWith('k11')")
    after = visitor.middle("k11")
    # Labels take room on one side, so the two corners change places up to that room.
    assert abs(after[1] - before[1]) < 40 and abs(visitor.middle("a1")[1] - last[1]) < 40
    visitor.by_mouse(["k11"])
    visitor.wait_for_moves(1)
    assert visitor.moves() == ["k11"]


def test_labels_begin_with_a_capital_unless_a_side_is_a_letter(
    examples: Serving, visitors: Callable[..., Visitor]
) -> None:
    visitor = visitors(examples)
    visitor.begin("kalah")
    assert "South: You · North: You" in visitor.page.inner_text("#playing")
    assert visitor.status().startswith("South to move.")
    visitor.begin("tic_tac_toe")
    assert "x: You · o: You" in visitor.page.inner_text("#playing")
    assert visitor.status().startswith("x to move.")
