"""XBoard's commands about time: `level`, `st`, `sd`, `nps`, `time`, `otim`; and the request they make."""

import re
import time
from collections.abc import Callable
from dataclasses import replace

from plywise.core.errors import PlywiseError
from plywise.core.history import History
from plywise.play.clock import Clock, RunningClock
from plywise.play.request import SearchRequest

_BASE = re.compile(r"(\d{1,6})(?::(\d{1,2}))?", re.ASCII)
OWN, OTHER = 0, 1  # the sides of the clock: the engine's time is its own, whichever side it plays


class XBoardClock:
    """The time of a game as XBoard's commands set it."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.now = now
        self.seconds: float | None = None  # `st`: a fixed time for each move
        self.depth: int | None = None
        self.rate: int | None = None  # `nps`: nodes that count as a second; 0: the processor's seconds
        self.clock = RunningClock([300.0, 300.0], 0.0, 40, 300.0)

    def new_game(self) -> None:
        """Set the clocks as at the start, without limit of depth."""
        self._reset()
        self.depth = self.rate = None

    def _reset(self) -> None:
        self.clock = replace(self.clock, left=[self.clock.base] * 2, running=set())

    @property
    def left(self) -> float:
        """Seconds left of the engine, as of its last move."""
        return self.clock.left[OWN]

    @property
    def started(self) -> float | None:
        """When the engine's time began to run; None if it does not."""
        return self.clock.since if self.clock.running else None

    # --- commands ---------------------------------------------------------------------------------
    def level(self, text: str) -> None:
        """`40 5 0`, `0 2:30 12`: moves to the control, minutes or minutes:seconds, increment."""
        words = text.split()
        base = _BASE.fullmatch(words[1]) if len(words) == 3 else None
        if base is None:
            raise PlywiseError("level wants: moves to the control, minutes[:seconds], increment in seconds")
        moves, increment = _number("moves", words[0]), _number("increment", words[2])
        seconds = 60.0 * int(base[1]) + int(base[2] or 0)
        self.clock = replace(
            self.clock,
            left=[seconds, seconds],
            increment=increment,
            moves_per_control=int(moves) or None,
            base=seconds,
        )
        self.seconds = None

    def set_seconds(self, text: str) -> None:
        seconds = _number("st", text)
        if seconds <= 0:
            raise PlywiseError("st wants seconds above 0")
        self.seconds = seconds

    def set_depth(self, text: str) -> None:
        self.depth = max(int(_number("sd", text)), 1)

    def set_nps(self, text: str) -> None:
        """How many nodes count as a second; 0: the processor's seconds; below 0: wall time again."""
        rate = int(_number("nps", text, negative=True))
        self.rate = rate if rate >= 0 else None

    def set_left(self, text: str) -> None:
        self.clock.left[OWN] = _number("time", text, negative=True) / 100

    def set_other(self, text: str) -> None:
        self.clock.left[OTHER] = _number("otim", text, negative=True) / 100

    # --- time for a move -----------------------------------------------------------------------------
    def snapshot(self, history: History) -> Clock | None:
        """Our clock for the next move; None with a fixed time for each."""
        if self.seconds is not None:
            return None
        self.clock.moves_made[OWN] = history.length // 2
        return self.clock.snapshot(OWN)

    def request(self, history: History, moves: tuple[str, ...] = (), ponder: bool = False) -> SearchRequest:
        """A search within our clock, or our time for each move, and our depth."""
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
        self.clock.since, self.clock.running = now, {OWN}

    def stop(self, history: History, used: float) -> None:
        """Charge our move, since not every client sends the time before each move.

        `used` is what the search took by its own measure, which counts where there is a node rate.
        """
        if self.clock.running and self.seconds is None:
            self.clock.moves_made[OWN] = history.length // 2
            self.clock.charge(OWN, self.now() - self.clock.since if self.rate is None else used)
        self.clock.running = set()

    def add_pause(self, seconds: float) -> None:
        """Give back a time in which nobody's clock ran."""
        self.clock.add_pause(seconds)


def _number(name: str, text: str, negative: bool = False) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not -1e9 < value < 1e9 or (value < 0 and not negative):
        raise PlywiseError(f"{name} wants a number{'' if negative else ' from 0 up'}, not {text[:40]!r}")
    return value
