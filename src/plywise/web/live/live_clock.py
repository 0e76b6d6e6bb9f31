"""The clocks of a live game, and the timer that notices when a flag falls."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from plywise.play.clock import Clock, RunningClock

FLAG_DELAY = 0.005  # seconds after which a flag that should have fallen has


class LiveClock:
    """The clocks of both sides; in a game without clocks there is nothing to run, and no flag falls.

    `on_flag` is called in a thread of its own when a flag may have fallen. Callers of the rest hold
    the game's lock.
    """

    def __init__(
        self,
        setting: dict[str, float] | None,
        left: list[float] | None,
        on_flag: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.start: list[float] | None = None  # seconds of each side when the game began
        self._clocks: RunningClock | None = None
        self._on_flag, self._now = on_flag, now
        self._timer: threading.Timer | None = None
        if setting:
            self.start = [float(setting["base"])] * 2
            self._clocks = RunningClock(list(left or self.start), setting["increment"])

    @property
    def left(self) -> list[float] | None:
        """Seconds left of each side."""
        if self._clocks is None:
            return None
        return [round(seconds, 3) for seconds in self._clocks.remaining(self._now())]

    @property
    def is_running(self) -> bool:
        return self._clocks is not None and bool(self._clocks.running)

    @property
    def flagged_side(self) -> int | None:
        """The side whose time is up, if one's is."""
        return None if self._clocks is None else self._clocks.flagged_side(self._now())

    def payload(self) -> dict[str, Any] | None:
        """The clocks as the page shows them."""
        if self._clocks is None:
            return None
        return {
            "left": self.left,
            "running": min(self._clocks.running, default=None),
            "increment": self._clocks.increment,
        }

    def clock_of(self, side: int) -> Clock | None:
        """The clock by which an engine of a side plans its time."""
        return None if self._clocks is None else self._clocks.snapshot(side, self._now())

    def after_turn(self, sides: Iterable[int], left: list[float] | None = None) -> list[float] | None:
        """What the clocks will show after a turn of these sides: from now, or from what they showed then."""
        if self._clocks is None:
            return None
        after = list(left) if left is not None else self._clocks.remaining(self._now())
        for side in sides:
            after[side] += self._clocks.increment
        return [round(seconds, 3) for seconds in after]

    # --- running ------------------------------------------------------------------------------------
    def run(self, sides: Iterable[int]) -> None:
        """Let the clocks of these sides run from now on, and no others, until a flag falls."""
        if self._clocks is None:
            return
        now = self._now()
        self._clocks.run(sides, now)
        self.stop_timer()
        soonest = self._clocks.seconds_to_flag(now)
        if soonest is not None:
            self._timer = threading.Timer(max(soonest, 0.0) + FLAG_DELAY, self._on_flag)
            self._timer.daemon = True
            self._timer.start()

    def stop(self) -> None:
        """Stop both clocks."""
        if self._clocks is not None:
            self._clocks.run((), self._now())

    def stop_timer(self) -> None:
        """Do not wait for a flag any more; clocks that run go on."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def show(self, left: list[float] | None) -> None:
        """Stop both clocks and let them show this; None leaves them alone."""
        if self._clocks is not None and left is not None:
            self.stop()
            self._clocks.left = list(left)

    def drop_flag(self, side: int) -> None:
        """Stop both clocks: a side has no time left."""
        assert self._clocks is not None
        self.stop()
        self._clocks.left[side] = 0.0

    def snapshot(self) -> RunningClock | None:
        """The clocks as they are, for `restore`."""
        return None if self._clocks is None else replace(self._clocks, left=list(self._clocks.left))

    def restore(self, snapshot: RunningClock | None) -> None:
        """Go on as if nothing had been changed since the snapshot."""
        self._clocks = snapshot
