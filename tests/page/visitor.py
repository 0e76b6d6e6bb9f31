"""A person before the page: hands that click, drag, type and tap, and eyes that read the board."""

import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from plywise import Game, History

PATIENCE = 300_000  # ms after which something that should have come will not; a compiler may be at work
# A slow line to the server: what the page sends waits in `held` while there is such a list, and what
# it hears waits in `late` if it matches the expression `latePattern`. A review of tic-tac-toe has as long as
# it may ask for: each position is solved sooner, and a machine that stands still hides no mistake from it.
SLOW_LINE = """
window.held = null;
window.late = [];
const { send, addEventListener: listen } = WebSocket.prototype;
WebSocket.prototype.send = function (data) {
    const isReview = data.includes('"do":"review"') && document.querySelector('[data-game="tic_tac_toe"]');
    if (isReview) data = JSON.stringify({ ...JSON.parse(data), seconds: 5 });
    if (window.held) window.held.push(() => send.call(this, data));
    else send.call(this, data);
};
WebSocket.prototype.addEventListener = function (name, act) {
    listen.call(this, name, (event) => {
        if (window.latePattern?.test(event.data)) window.late.push(() => act(event));
        else act(event);
    });
};
"""


class Visitor:
    """One browser window. `errors` collects what no visitor should ever cause."""

    def __init__(self, browser: Any, address: str, **how: Any) -> None:
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **how}
        self.context = browser.new_context(**options)
        self.touches = bool(options.get("has_touch"))
        self.context.set_default_timeout(PATIENCE)
        self.address = address
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.away = False  # while the server is down, the browser may complain
        self.context.add_init_script(SLOW_LINE)
        self.page = self.context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", lambda request: self.away or self.errors.append(request.url))

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning") and not self.away:
            self.errors.append(message.text)

    def leave(self) -> None:
        """Close the window; it must have been a quiet visit that asked nobody else for anything."""
        self.context.close()
        assert self.errors == []
        home = self.address.split("//")[1]
        assert [url for url in self.requests if not url.split("//", 1)[-1].startswith(home)] == []

    # --- eyes -----------------------------------------------------------------------------------
    def see(self, selector: str, **how: Any) -> Any:
        """Wait until something is there, and give it."""
        found = self.page.locator(selector, **how).first
        found.wait_for()
        return found

    def cell(self, name: str) -> Any:
        """The first cell of that name."""
        return self.page.locator(f'.cell[aria-label^="{name},"]').first

    def pieces(self) -> int:
        """How many pieces are drawn."""
        return int(self.page.locator(".pieces .piece").count())

    def moves(self) -> list[str]:
        """The moves of the list."""
        return [str(one) for one in self.page.locator(".row .move").all_inner_texts()]

    def wait_for_moves(self, count: int) -> None:
        """Wait until the list has so many moves."""
        if count:
            self.page.locator(".row .move").nth(count - 1).wait_for(state="attached")

    def wait_until(self, expression: str) -> None:
        """Wait until an expression is true; the page's policy forbids the browser's own way of waiting."""
        until = time.monotonic() + PATIENCE / 1000
        while not self.page.evaluate(expression):
            assert time.monotonic() < until, expression
            self.page.wait_for_timeout(20)

    def wait_for_turn(self) -> None:
        """Wait until the page lets a person move."""
        self.see("#board.playable")

    def wait_for_new_address(self, before: str) -> None:
        """Wait until another game is on the page: each has an address of its own."""
        self.wait_until(f"location.hash.startsWith('#game/') && location.href !== {before!r}")

    def status(self) -> str:
        """What stands below the board."""
        return str(self.page.locator("#status").inner_text())

    # --- a slow line ----------------------------------------------------------------------------
    def hold_requests(self) -> None:
        """From now on nothing that the page asks reaches the server."""
        self.page.evaluate("window.held = []")

    def release_requests(self) -> None:
        """Let what was held go to the server, in order, and all that follows."""
        self.page.evaluate(
            "(waiting => { window.held = null; waiting.forEach((one) => one()); })(window.held)"
        )

    def hold_answers(self, pattern: str) -> None:
        """From now on no message that matches a regular expression reaches the page."""
        self.page.evaluate("pattern => { window.latePattern = new RegExp(pattern); }", pattern)

    def release_answers(self) -> None:
        """Let the page hear what was held, and all that follows."""
        self.page.evaluate("window.latePattern = null; for (const one of window.late.splice(0)) one();")

    # --- beginning ------------------------------------------------------------------------------
    def arrive(self, fragment: str = "") -> "Visitor":
        """Open the page, and wait for a board."""
        self.page.goto(self.address + fragment)
        self.see("#board .cell")
        return self

    def begin(self, game: str, position: str = "start") -> None:
        """A new game of two persons, by its address."""
        fragment = f"#new/{game}/{quote(position, safe='')}"
        before = self.page.url
        self.page.goto(self.address + fragment)
        self.wait_for_new_address(before)  # the board of a game before may look the same
        self.see(f'#board[data-game="{game}"].playable')

    # --- hands ----------------------------------------------------------------------------------
    def by_mouse(self, steps: Sequence[str]) -> None:
        """Click one cell after the other."""
        for name in steps:
            self.cell(name).click()

    def by_touch(self, steps: Sequence[str]) -> None:
        """Tap one cell after the other."""
        for name in steps:
            self.cell(name).tap()

    def by_drag(self, steps: Sequence[str]) -> None:
        """Drag from the first cell to the last with the mouse."""
        mouse = self.page.mouse
        mouse.move(*self.middle(steps[0]))
        mouse.down()
        mouse.move(*self.middle(steps[-1]), steps=4)
        mouse.up()

    def by_keys(self, steps: Sequence[str]) -> None:
        """Go to each cell with the arrows and press Enter there."""
        for name in steps:
            there = self.cell(name)
            here = self.page.locator('.cell[tabindex="0"]')
            dx, dy = (
                round(end - start) for start, end in zip(self._place(here), self._place(there), strict=True)
            )
            here.focus()
            for key, count in (("ArrowRight", dx), ("ArrowLeft", -dx), ("ArrowDown", dy), ("ArrowUp", -dy)):
                for _ in range(count):
                    self.page.keyboard.press(key)
            self.page.keyboard.press("Enter")

    def middle(self, name: str) -> tuple[float, float]:
        """Where a cell's middle is on the screen."""
        box = self.cell(name).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _place(self, cell: Any) -> tuple[float, float]:
        box = cell.bounding_box()
        return box["x"] / box["width"], box["y"] / box["height"]

    def play(self, game: Game, moves: Sequence[str], hand: str = "mouse", position: str = "start") -> History:
        """Play the moves on the board with one hand, and compare each with the rules."""
        history = game.history(position)
        act = getattr(self, f"by_{hand}")
        for count, move in enumerate(moves, 1):
            self.wait_for_turn()
            number = game.read_move(history.position, move)
            act(game.move_entry(history.position, number).steps)
            self.wait_for_moves(count)
            assert self.moves()[-1].rstrip("+#") == game.label(history.position, number).rstrip("+#")
            history = history.play(number)
        return history
