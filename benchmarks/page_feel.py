"""How quick is the page under a hand? A long game with many variations in a real browser, measured.

    python benchmarks/page_feel.py [--plies 600] [--variations 500] [--steps 200] [--moves 20]

It prints the median time from a press to the mark on the piece, from a click to the move in the list, and
the longest task of the page while a long game is gone through by the arrow keys. Run it on a quiet machine.
"""

import argparse
import random
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.page.server import Serving  # noqa: E402
from tests.page.visitor import Visitor  # noqa: E402

import plywise  # noqa: E402
from plywise.core.formats import Step  # noqa: E402
from plywise.games.chess.pgn import PgnGame, write_pgn  # noqa: E402

CHROMIUM = "/usr/bin/chromium"
CALM_PLIES = 90  # after so many reversible moves a pawn moves: the game must not end as a draw

WATCH_TASKS = """() => {
  window.tasks_ = [];
  new PerformanceObserver((list) => window.tasks_.push(...list.getEntries().map((one) => one.duration)))
    .observe({ type: "longtask" });
}"""
WATCH_HANDS = """() => {
  window.presses_ = [];
  window.listed_ = [];
  let pressed = 0;
  let released = 0;
  const board = document.querySelector("#board");
  document.addEventListener("pointerdown", () => (pressed = performance.now()), true);
  document.addEventListener("pointerup", () => (released = performance.now()), true);
  new MutationObserver(() => {
    if (!pressed || !board.querySelector(".cell.held")) return;
    window.presses_.push(performance.now() - pressed);
    pressed = 0;
  }).observe(board, { subtree: true, attributeFilter: ["class"] });
  const list = document.querySelector(".move-list");
  let count = list.querySelectorAll(".move").length;
  new MutationObserver(() => {
    const now = list.querySelectorAll(".move").length;
    if (now > count && released) window.listed_.push(performance.now() - released);
    count = now;
  }).observe(list, { childList: true, subtree: true });
}"""


def long_game(plies: int, variations: int) -> str:
    """A random game of chess in PGN that does not end, with variations of three moves."""
    chess, chance = plywise.load("chess"), random.Random(1)
    history = chess.history()
    steps: list[Step] = []
    while len(steps) < plies:
        moves = chess.moves(history.position)
        chance.shuffle(moves)
        wanted = history.clock >= CALM_PLIES
        moves.sort(key=lambda move: history.position.resets(move) != wanted)
        after = next((one for one in map(history.play, moves) if one.outcome is None), None)
        if after is None or after.move is None:
            break
        step = Step(after.move)
        for _ in range(variations * (len(steps) + 1) // plies - variations * len(steps) // plies):
            step.variations.append(_variation(history, chance))
        steps.append(step)
        history = after
    return write_pgn(PgnGame({"Event": "Long"}, steps=steps))


def _variation(history: Any, chance: random.Random) -> list[Step]:
    line: list[Step] = []
    for _ in range(3):
        moves = history.game.moves(history.position)
        if not moves or history.outcome is not None:
            break
        history = history.play(chance.choice(moves))
        line.append(Step(history.move))
    return line


def measure(visitor: Visitor, plies: int, variations: int, steps: int, moves: int) -> dict[str, float]:
    """The times, in milliseconds."""
    page, chess = visitor.page, plywise.load("chess")
    visitor.begin("chess")
    page.evaluate(WATCH_HANDS)
    history = chess.history()
    for count in range(1, moves + 1):
        visitor.wait_for_turn()
        after = next(one for one in map(history.play, chess.moves(history.position)) if one.outcome is None)
        assert after.move is not None
        visitor.by_mouse(chess.move_entry(history.position, after.move).steps)
        visitor.wait_for_moves(count)
        history = after
    presses, listed = page.evaluate("[window.presses_, window.listed_]")
    page.click("#tab-share")
    page.fill("#game-in", long_game(plies, variations))
    page.click("#panel-share button.primary")
    page.click("#tab-moves")
    visitor.see(
        ".branch >> nth=0" if variations else f".row >> nth={moves}"
    )  # the long game, not the one before
    page.keyboard.press("Home")
    page.evaluate(WATCH_TASKS)
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
    for _ in range(steps):
        page.keyboard.press("ArrowLeft")
    tasks = page.evaluate("window.tasks_") or [0.0]
    return {
        "press to mark": statistics.median(presses),
        "click to list": statistics.median(listed),
        "longest task": max(tasks),
        "nodes": page.locator(".move-list .move").count(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    for name, default in (("plies", 600), ("variations", 500), ("steps", 200), ("moves", 20)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        server = Serving(Path(folder))
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            visitor = Visitor(browser, server.address)
            found = measure(visitor, given.plies, given.variations, given.steps, given.moves)
            visitor.leave()
        finally:
            browser.close()
            server.close()
    print(f"from a press to the mark on the piece  {found['press to mark']:6.1f} ms (median)")
    print(f"from a click to the move in the list   {found['click to list']:6.1f} ms (median)")
    print(f"longest task, {found['nodes']:.0f} moves in the list  {found['longest task']:6.1f} ms")


if __name__ == "__main__":
    main()
