"""Is the page smooth with a million recorded nodes? The tab "Why" in a real browser, measured.

    python benchmarks/why_page.py [--game chess] [--nodes 1000000] [--zooms 12]

A server is started in its own process and a small search recorded first, so that compiled code and
libraries are loaded; then the large one is recorded. It prints how much the server's memory grows, the
time from the end of the search to the first picture in the browser, the time of the server's answers for
the children of random nodes, and the time between frames while the picture is zoomed and dragged. At the end
it asks why a move is bad, and prints the time to the first sentence, and that from a click to the tree there.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.page.server import Serving  # noqa: E402
from tests.page.visitor import Visitor  # noqa: E402
from tests.web.page import Page  # noqa: E402

CHROMIUM = "/usr/bin/chromium"

# Times between frames while something moves; the page's own loop is not touched.
FRAMES = """(() => {
  window.frames_ = [];
  let before = 0;
  const tick = (now) => {
    if (!window.frames_) return;
    if (before) window.frames_.push(now - before);
    before = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})()"""


def resident(pid: int) -> float:
    """Resident memory of a process in megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise LookupError(f"process {pid} does not say what it takes")


def of(values: list[float], share: float) -> float:
    """The quantile of the values."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def children(port: int, game: str, nodes: int) -> tuple[list[float], float, float]:
    """Milliseconds of `why-children` for random nodes, and of the first picture, at the server."""
    dice = random.Random(1)
    with Page(port) as page:
        id = page.new(game)
        number = page.ask("why-record", game=id, node=0, nodes=nodes)["record"]
        done = page.wait_for(
            "why", lambda one: one["record"] == number and one["state"] in ("done", "failed"), 280
        )
        ended = time.perf_counter()
        root = max(done["iterations"], key=lambda one: one["nodes"])["root"]
        page.ask("why-picture", record=number, node=root, share=1 / 700, levels=15)
        picture = 1000 * (time.perf_counter() - ended)
        times = []
        for _ in range(400):
            node = dice.randrange(done["recorded"])
            begun = time.perf_counter()
            page.ask("why-children", record=number, node=node)
            times.append(1000 * (time.perf_counter() - begun))
        begun = time.perf_counter()
        page.ask("why-children", record=number, node=root)
        return times, picture, 1000 * (time.perf_counter() - begun)


def record(visitor: Visitor, nodes: int) -> None:
    """Record a search through the form, and wait for its picture."""
    page = visitor.page
    page.evaluate("performance.clearMarks()")
    page.select_option('[aria-label="Search up to"]', "nodes")
    page.fill(".why-amount", str(nodes))
    page.click("#panel-why button[type=submit]")
    visitor.wait_until("performance.getEntriesByName('why-drawn').length > 0")


def first_picture(page: Any) -> float:
    """Milliseconds from the news that the search has ended to the picture."""
    marks = page.evaluate("performance.getEntriesByType('mark').map((one) => [one.name, one.startTime])")
    at = dict(reversed([tuple(mark) for mark in marks]))
    return float(at["why-drawn"] - at["why-recorded"])


def frames(page: Any, act: Any) -> list[float]:
    """Milliseconds between frames while something is done."""
    page.evaluate(FRAMES)
    act()
    found: list[float] = page.evaluate(
        "(() => { const f = window.frames_; window.frames_ = null; return f; })()"
    )
    return found


def zooming(page: Any, zooms: int) -> None:
    """Click into the tree and out again."""
    canvas = page.locator(".why-icicle")
    for i in range(zooms):
        box = canvas.bounding_box()
        x = box["x"] + box["width"] * (0.1 + 0.8 * (i % 7) / 7)
        page.mouse.click(x, box["y"] + 20 * (2 + i % 3) + 10)
        page.wait_for_timeout(380)
        if i % 2:
            canvas.press("Escape")
            page.wait_for_timeout(380)


def panning(page: Any) -> None:
    """Look closer, and drag to and fro."""
    canvas = page.locator(".why-icicle")
    for _ in range(4):
        canvas.press("+")
    box = canvas.bounding_box()
    y = box["y"] + 30
    for way in ((0.9, 0.1), (0.1, 0.9), (0.9, 0.1)):
        page.mouse.move(box["x"] + box["width"] * way[0], y)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * way[1], y, steps=40)
        page.mouse.up()
    page.wait_for_timeout(300)


def reason(visitor: Visitor) -> tuple[float, float]:
    """Milliseconds from "why is this bad?" to the first sentence, and from a click to the tree."""
    page = visitor.page
    move = page.locator("#typed").get_attribute("placeholder").partition("like ")[2]
    page.fill("#typed", move)
    page.press("#typed", "Enter")
    visitor.wait_for_moves(1)
    page.locator("h1").click()
    page.keyboard.press("w")  # once before, so that what is imported late is there
    visitor.see("#reason .reason-line")
    begun = time.perf_counter()
    page.keyboard.press("w")
    page.locator("#reason p:text-is('Searching…')").wait_for(state="visible")
    visitor.see("#reason .reason-line")
    sentence = time.perf_counter() - begun
    page.evaluate("delete document.querySelector('.why-result').dataset.shown")
    begun = time.perf_counter()
    page.click("#reason button:text-is('Show the tree here')")
    visitor.see(f".why-crumbs b:text-is({json.dumps(move)})")
    return 1000 * sentence, 1000 * (time.perf_counter() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="chess")
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--zooms", type=int, default=12)
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        server = Serving(Path(folder))
        try:
            with sync_playwright() as running:
                browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                measure(browser, server, options)
                browser.close()
            times, picture, root = children(server.port, options.game, options.nodes)
        finally:
            server.close()
    print(f"first picture from the server alone: {picture:.0f} ms")
    print(
        f"children of {len(times)} random nodes: median {statistics.median(times):.1f} ms,"
        f" 99 of 100 within {of(times, 0.99):.1f} ms, slowest {max(times):.1f} ms;"
        f" of the root {root:.1f} ms (50 is the limit)"
    )


def measure(browser: Any, server: Serving, options: argparse.Namespace) -> None:
    """What is seen in the browser, and what the server takes meanwhile."""
    size = {"width": 1440, "height": 900}
    visitor = Visitor(browser, server.address, viewport=size, reduced_motion="no-preference")
    visitor.begin(options.game)
    visitor.see("#tab-why").click()
    record(visitor, 30_000)
    page = visitor.page
    before = resident(server.process.pid)
    record(visitor, options.nodes)
    grown = resident(server.process.pid) - before
    view = page.locator("#panel-why .facts").first.inner_text()
    print(f"{options.game}: {view}")
    print(f"server memory: +{grown:.0f} MB for the record (100 is the limit)")
    print(f"end of the search to the first picture: {first_picture(page):.0f} ms (1000 is the limit)")
    still = frames(page, lambda: page.wait_for_timeout(1500))
    for name, act in (("zooming", lambda: zooming(page, options.zooms)), ("dragging", lambda: panning(page))):
        found = frames(page, act)
        print(
            f"{name}: {len(found)} frames, median {statistics.median(found):.1f} ms,"
            f" 95 of 100 within {of(found, 0.95):.1f} ms, longest {max(found):.1f} ms"
            f" (at rest: median {statistics.median(still):.1f}, 95 of 100 within {of(still, 0.95):.1f})"
        )
    sentence, tree = reason(visitor)
    print(f"why is this bad: first sentence after {sentence:.0f} ms (1000 is the limit),")
    print(f"the tree at that move {tree:.0f} ms after a click (2000 is the limit)")
    if visitor.errors:
        print(json.dumps(visitor.errors))
    visitor.leave()


if __name__ == "__main__":
    main()
