"""Take the pictures of the page that README and docs show, with Debian's Chromium and a real server.

    python docs/take_pictures.py [NAME ...]

Each is saved to docs/pictures/NAME.png. Needs playwright and /usr/bin/chromium; run it from the repository.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import sync_playwright

EXAMPLES = Path(__file__).parents[1] / "examples"
OUT = Path(__file__).with_name("pictures")
DESK = {"viewport": {"width": 1200, "height": 760}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

GAMES = {
    "chess": "start moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 e1g1 a7a6 c4b3 c5a7 h2h3 h7h6",
    "checkers": "start moves 11-15 23-19 8-11 22-17 11-16 24-20 16x23 27x11 7x16 20x11 3-7 28-24 7x16 24-20",
    "polis": "start moves b2c3 d7e6 a1b2 d8e7 b2c3 g7f6 c4d4 a7b6 e5e4 b8c7",
    "skirmish": "2fv2a_Obstacles",
    "connect_four": "4453443526",
    "tic_tac_toe": "x.o...... x",
    "hex": "start moves c2 f6 e6 f5 g5 e7 d7 d8 c8",
    "morris": "start moves a7 d7 g7 b6 d6 f6 a4 c4 a1 xd7 b4 g4",
    "kalah": "start moves c b E a A d",
}


def cell(page: Any, name: str) -> Any:
    return page.locator(f'.cell[aria-label^="{name},"]').first


def analysed(page: Any) -> None:
    """Three lines of analysis with their arrows, deep enough to be worth a look."""
    page.click("#tab-analysis")
    page.click("#panel-analysis .bar button")
    page.locator("#panel-analysis > .facts", has_text=re.compile(r"depth \d\d")).wait_for(timeout=120_000)
    page.click("#panel-analysis .bar button >> nth=0", trial=True)


def hopping(page: Any) -> None:
    """What a move in Polis would do, before it is made."""
    cell(page, "e4").click()
    cell(page, "d5").hover()
    page.locator(".ghosts .piece").first.wait_for()


def choosing(page: Any) -> None:
    page.keyboard.press("n")


def watching(page: Any) -> None:
    """A match with its table, its curve and its games."""
    page.click("#open-watch")
    page.click("#watch li button")
    page.locator(".watch-chart").wait_for()


def nothing(page: Any) -> None:
    page.locator(".piece").first.wait_for()


PICTURES: dict[str, tuple[str, str, dict[str, Any], Callable[[Any], None]]] = {
    "chess-light": ("chess", "light", DESK, analysed),
    "chess-dark": ("chess", "dark", DESK, analysed),
    "chess-phone": ("chess", "dark", PHONE, nothing),
    "checkers-light": ("checkers", "light", DESK, nothing),
    "polis-light": ("polis", "light", DESK, hopping),
    "skirmish-light": ("skirmish", "light", DESK, nothing),
    "skirmish-phone": ("skirmish", "light", PHONE, nothing),
    "connect-four-dark": ("connect_four", "dark", DESK, nothing),
    "tic-tac-toe-light": ("tic_tac_toe", "light", DESK, nothing),
    "hex-light": ("hex", "light", DESK, nothing),
    "morris-light": ("morris", "light", DESK, nothing),
    "kalah-dark": ("kalah", "dark", DESK, nothing),
    "new-game": ("polis", "light", DESK, choosing),
    "match-light": ("chess", "light", DESK, watching),
}
NOTEBOOK = "notebook"  # what a notebook shows, in a window of its own


def take(browser: Any, address: str, name: str) -> None:
    """One picture, with as few colours as it needs."""
    game, scheme, screen, act = PICTURES[name]
    context = browser.new_context(**screen, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{address}#new/{game}/{quote(GAMES[game], safe='')}")
    page.locator(f'#board[data-game="{game}"].playable').wait_for()
    act(page)
    page.wait_for_timeout(400)  # the last picture of the analysis is drawn
    path = OUT / f"{name}.png"
    page.screenshot(path=path)
    print(f"{path}: {path.stat().st_size // 1000} KB")
    context.close()


def take_notebook(browser: Any) -> None:
    """A result and a recorded tree, as a notebook shows them."""
    import plywise
    from plywise.explain import record

    history = plywise.load("chess").history("start moves e2e4 e7e5 g1f3 b8c6 f1b5")
    shown = [
        plywise.analyse(history, nodes=200_000, lines=3)._repr_html_(),
        record(plywise.load("connect_four").history("4453"), depth=7)._repr_html_(),
    ]
    page = browser.new_page(viewport={"width": 860, "height": 400})
    page.set_content(f'<body style="font: 14px system-ui, sans-serif">{"<hr>".join(shown)}')
    page.screenshot(path=OUT / f"{NOTEBOOK}.png", full_page=True)


def play_match(folder: Path) -> None:
    """A match between two players that choose by dice, to be watched."""
    from plywise.arena import Match, create_journal

    texts = ["plywise:player=random,name=first dice", "plywise:player=random,name=second dice"]
    match = Match.of("tic_tac_toe", texts, pairs=60, seed=4)
    journal = create_journal(match, folder / "matches" / "dice.match")
    match.run(journal=journal)
    journal.close()


def main() -> None:
    names = [*PICTURES, NOTEBOOK]
    wanted = sys.argv[1:] or names
    unknown = [name for name in wanted if name not in names]
    if unknown:
        sys.exit(f"no picture is called {unknown[0]!r}; there are {', '.join(names)}")
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        play_match(Path(folder))
        command = [sys.executable, "-m", "plywise", "serve", str(EXAMPLES), "--port", "0", "--no-browser"]
        environment = {**os.environ, "PLYWISE_DATA": folder}
        server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        try:
            with sync_playwright() as running:
                browser = running.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
                for name in wanted:
                    if name == NOTEBOOK:
                        take_notebook(browser)
                    else:
                        take(browser, found[0], name)
                browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
