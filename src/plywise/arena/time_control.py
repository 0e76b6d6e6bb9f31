"""How long the players of a match may think: by a clock, or with limits for each move."""

import re
from dataclasses import dataclass

from plywise.core.errors import PlywiseError
from plywise.play.clock import Clock, RunningClock

MARGIN = 0.2  # seconds that a move may be late: a busy machine is not a slow player
DEFAULT_MOVE_TIME = 0.1  # seconds a move where no limit is given
_CPU = re.compile(r"cpu=(\d{1,6}(?:\.\d{1,9})?)", re.ASCII)
_CONTROL = re.compile(r"(?:(\d{1,6})/)?(\d{1,9}(?:\.\d{1,9})?)(?:\+(\d{1,9}(?:\.\d{1,9})?))?", re.ASCII)


class BadTimeControl(PlywiseError):
    """A time control that cannot be read, or limits that make no sense together."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A clock (`base` seconds for `moves` moves or the game, `increment` a move) or limits a move.

    `time`, `nodes`, `depth` and `cpu`, seconds of processor time, are for each move; the first limit that
    is reached ends the thinking.
    """

    base: float | None = None
    increment: float = 0.0
    moves: int | None = None
    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    cpu: float | None = None

    def __post_init__(self) -> None:
        if self.base is not None and self.time is not None:
            raise BadTimeControl("a clock and a fixed time a move exclude each other")
        if self.base is not None and self.cpu is not None:
            raise BadTimeControl("a clock and a processor time a move exclude each other")

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """`MOVES/SECONDS+INCREMENT`, of which only the seconds are needed, or `cpu=SECONDS` a move.

        >>> TimeControl.parse("40/60+0.5")
        TimeControl(base=60.0, increment=0.5, moves=40, time=None, nodes=None, depth=None, cpu=None)
        """
        cpu = _CPU.fullmatch(text.strip())
        if cpu is not None and float(cpu[1]) > 0:
            return cls(cpu=float(cpu[1]))
        found = _CONTROL.fullmatch(text.strip())
        if found is None or float(found[2]) <= 0 or found[1] == "0":
            raise BadTimeControl(
                "a clock reads MOVES/SECONDS+INCREMENT, like 40/60+0.5 or 10+0.1, and processor time a move"
                f" cpu=SECONDS, like cpu=0.1, not {text!r}"
            )
        return cls(float(found[2]), float(found[3] or 0), int(found[1]) if found[1] else None)

    @property
    def is_timed(self) -> bool:
        """Whether a player can be late."""
        return self.base is not None or self.time is not None

    def __str__(self) -> str:
        parts = []
        if self.base is not None:
            moves = f"{self.moves}/" if self.moves else ""
            parts.append(f"{moves}{self.base:g}+{self.increment:g} s")
        if self.time is not None:
            parts.append(f"{self.time:g} s a move")
        if self.cpu is not None:
            parts.append(f"{self.cpu:g} s of processor time a move")
        if self.nodes is not None:
            parts.append(f"{self.nodes} nodes a move")
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        return ", ".join(parts) or "no limit"


class PlayerClock:
    """The time of one player during a game. It is given the seconds that each move took."""

    def __init__(self, control: TimeControl, margin: float = MARGIN) -> None:
        self.control, self.margin = control, margin
        base = control.base or 0.0
        self._clock = RunningClock([base], control.increment, control.moves, base)

    @property
    def snapshot(self) -> Clock | None:
        """What the player sees before a move; None without a clock."""
        return None if self.control.base is None else self._clock.snapshot(0)

    @property
    def time_limit(self) -> float | None:
        """Seconds after which a move is surely too late; None if it cannot be."""
        if self.control.base is not None:
            return self._clock.snapshot(0).left + self.margin
        return None if self.control.time is None else self.control.time + self.margin

    def spend(self, seconds: float) -> bool:
        """Charge a move; whether it came in time. A delay within the margin costs nothing."""
        limit = self.time_limit
        if limit is None:
            return True
        if self.control.base is not None:
            self._clock.charge(0, min(seconds, self._clock.left[0]))
        return seconds <= limit
