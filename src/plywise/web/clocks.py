"""Clocks of both sides, kept by the server: they run while a side has to choose and a page looks on."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Clocks:
    """What both clocks show. Times of day are passed in, in seconds."""

    left: list[float]
    increment: float
    running: set[int] = field(default_factory=set)
    since: float = 0.0

    def remaining(self, now: float) -> list[float]:
        """Seconds left of each side."""
        return [
            max(0.0, left - (now - self.since if side in self.running else 0.0))
            for side, left in enumerate(self.left)
        ]

    def run(self, sides: Iterable[int], now: float) -> None:
        """Let the clocks of these sides run from now on, and no others."""
        self.left, self.since, self.running = self.remaining(now), now, set(sides)

    def flagged_side(self, now: float) -> int | None:
        """The side whose time is up, if one's is."""
        remaining = self.remaining(now)
        return next((side for side in sorted(self.running) if remaining[side] <= 0), None)

    def seconds_to_flag(self, now: float) -> float | None:
        """Seconds until a flag can fall."""
        remaining = self.remaining(now)
        return min((remaining[side] for side in self.running), default=None)
