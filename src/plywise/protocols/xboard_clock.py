"""The clocks of XBoard: `level`, `st`, `sd`, `nps`, `time` and `otim`, and what they leave for a move."""

import re
import time
from collections.abc import Callable

from plywise.core.errors import PlywiseError
from plywise.core.history import History
from plywise.play.clock import Clock
from plywise.play.request import SearchRequest

_BASE = re.compile(r"(\d{1,6})(?::(\d{1,2}))?", re.ASCII)


class XBoardClock:
    """The engine's clock belongs to the engine, whichever side it plays."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.now = now
        self.moves_per_control, self.base, self.increment = 40, 300.0, 0.0
        self.seconds: float | None = None  # `st`: exactly so long for each move
        self.depth: int | None = None
        self.rate: int | None = None  # `nps`: nodes that count as a second; 0: the processor's seconds
        self.left = self.other = self.base
        self.started: float | None = None

    def new_game(self) -> None:
        """Clocks as at the start; the depth limit is gone."""
        self.left = self.other = self.base
        self.depth = self.started = self.rate = None

    # --- commands ---------------------------------------------------------------------------------
    def level(self, text: str) -> None:
        """`40 5 0`, `0 2:30 12`: moves to the control, minutes or minutes:seconds, increment."""
        words = text.split()
        base = _BASE.fullmatch(words[1]) if len(words) == 3 else None
        if base is None:
            raise PlywiseError("level wants: moves to the control, minutes[:seconds], increment in seconds")
        moves, increment = _number("moves", words[0]), _number("increment", words[2])
        self.moves_per_control, self.increment = int(moves), increment
        self.base = 60.0 * int(base[1]) + int(base[2] or 0)
        self.left = self.other = self.base
        self.seconds = None

    def set_seconds(self, text: str) -> None:
        seconds = _number("st", text)
        if seconds <= 0:
            raise PlywiseError("st wants seconds above 0")
        self.seconds = seconds

    def set_depth(self, text: str) -> None:
        self.depth = max(int(_number("sd", text)), 1)

    def set_nps(self, text: str) -> None:
        """So many nodes are a second, 0: the processor's seconds, less than 0: those on the wall again."""
        rate = int(_number("nps", text, negative=True))
        self.rate = rate if rate >= 0 else None

    def set_left(self, text: str) -> None:
        self.left = _number("time", text, negative=True) / 100

    def set_other(self, text: str) -> None:
        self.other = _number("otim", text, negative=True) / 100

    # --- what is left -----------------------------------------------------------------------------
    def snapshot(self, history: History) -> Clock | None:
        """Our clock for the next move; None with a fixed time for each."""
        if self.seconds is not None:
            return None
        to_go = None
        if self.moves_per_control:
            to_go = self.moves_per_control - (history.length // 2) % self.moves_per_control
        return Clock(max(self.left, 0.0), self.increment, to_go)

    def request(self, history: History, moves: tuple[str, ...] = (), ponder: bool = False) -> SearchRequest:
        """What to think: within our clock, our time for each move, our depth."""
        return SearchRequest(
            history,
            depth=self.depth,
            seconds=self.seconds,
            clock=self.snapshot(history),
            moves=moves,
            ponder=ponder,
            rate=self.rate,
        )

    def start(self, now: float) -> None:
        self.started = now

    def stop(self, history: History, used: float) -> None:
        """Run our clock ourselves: not every client tells the time before each move.

        `used` is what the search took by its own measure, which counts where there is a node rate.
        """
        if self.started is not None and self.seconds is None:
            self.left += self.increment - (self.now() - self.started if self.rate is None else used)
            moves = history.length // 2 + 1
            if self.moves_per_control and moves % self.moves_per_control == 0:
                self.left += self.base
        self.started = None

    def add_pause(self, seconds: float) -> None:
        """So long nobody's clock ran."""
        if self.started is not None:
            self.started += seconds


def _number(name: str, text: str, negative: bool = False) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not -1e9 < value < 1e9 or (value < 0 and not negative):
        raise PlywiseError(f"{name} wants a number{'' if negative else ' from 0 up'}, not {text[:40]!r}")
    return value
