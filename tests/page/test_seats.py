"""More players on the page, and a page of one's own that asks for moves."""

import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.server import Serving
from tests.page.test_around import new_game
from tests.page.visitor import PATIENCE, Visitor

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_textbook_player_written_as_text_plays(visitor: Visitor) -> None:
    visitor.arrive()
    visitor.page.keyboard.press("n")
    visitor.see('.card:has(input[value="tic_tac_toe"])').click()
    visitor.page.select_option("#new-seat-0", "person")
    visitor.page.select_option("#new-seat-1", "text")
    about = visitor.page.locator("#new-seat-1-about")
    visitor.page.fill("#new-seat-1-text", "minimx")
    visitor.page.locator("#new-seat-1-text").press("Tab")
    visitor.see("#new-seat-1-about.wrong")
    assert "did you mean 'minimax'" in about.inner_text()
    visitor.page.click("#new-game button[type=submit]")
    visitor.see("#new-seat-1-text:focus")
    assert visitor.page.locator("#new-game .notice").count() == 0
    assert same_height(visitor, "#new-seat-0", "#new-seat-1")
    visitor.page.fill("#new-seat-1-text", "minimax,depth=2")
    visitor.page.locator("#new-seat-1-text").press("Tab")
    visitor.see("#new-seat-1-about:not(.wrong)")
    visitor.page.click("#new-game button[type=submit]")
    visitor.see('#board[data-game="tic_tac_toe"]')
    visitor.by_mouse(["b2"])
    visitor.wait_for_moves(2)
    assert "minimax,depth=2" in visitor.page.locator(".who").all_inner_texts()[0]
    visitor.page.keyboard.press("n")
    assert visitor.page.input_value("#new-seat-1-text") == "minimax,depth=2"


def same_height(visitor: Visitor, one: str, other: str) -> bool:
    boxes = [visitor.page.locator(each).bounding_box() for each in (one, other)]
    return bool(boxes[0]["height"] == boxes[1]["height"] and boxes[0]["y"] == boxes[1]["y"])


def test_a_person_meets_the_scripted_archers(visitor: Visitor) -> None:
    visitor.arrive()
    new_game(visitor, "skirmish", "person", "player scripted")
    assert "scripted" in " ".join(visitor.page.locator(".who").all_inner_texts())
    visitor.wait_for_turn()


@pytest.fixture
def foreign_origin() -> Iterator[str]:
    """The folder of the examples, served by another program on a port of its own."""
    handler = functools.partial(_Silent, directory=str(EXAMPLES))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{other.server_address[1]}"
        other.shutdown()


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words: Any) -> None:
        pass


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Callable[..., Serving]]:
    made: list[Serving] = []

    def start(*options: str) -> Serving:
        made.append(Serving(tmp_path, options=options))
        return made[-1]

    yield start
    for server in made:
        server.close()


def test_a_page_of_ones_own_plays_against_plywise(
    browser: Any, foreign_origin: str, servers: Callable[..., Serving]
) -> None:
    server = servers("--allow-origin", foreign_origin)
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{foreign_origin}/own-page.html?server={server.address.rstrip('/')}")
    page.locator("button").nth(4).click()
    page.get_by_text("Plywise plays ").wait_for()
    assert sorted(page.locator("button").all_inner_texts()) == sorted(
        [".", ".", ".", ".", ".", ".", ".", "o", "x"]
    )
    page.close()


def test_without_the_option_it_is_refused(
    browser: Any, foreign_origin: str, servers: Callable[..., Serving]
) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    answers: list[int] = []
    page.on("response", lambda one: answers.append(one.status) if "best-move" in one.url else None)
    page.goto(f"{foreign_origin}/own-page.html?server={servers().address.rstrip('/')}")
    page.locator("button").nth(4).click()
    page.get_by_text("Failed to fetch").wait_for()
    assert answers in ([403], []), "what a browser may not read it may also not show"
    assert page.locator("button").all_inner_texts().count("o") == 0
    page.close()
