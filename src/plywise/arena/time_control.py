"""How long players may think: by a clock, or so much for each move."""

import re
from dataclasses import dataclass

from plywise.core.errors import PlywiseError
from plywise.play.clock import Clock

MARGIN = 0.2  # seconds that a move may be late: a busy machine is not a slow player
DEFAULT_MOVE_TIME = 0.1  # seconds a move where nothing is said
_CONTROL = re.compile(r"(?:(\d{1,6})/)?(\d{1,9}(?:\.\d{1,9})?)(?:\+(\d{1,9}(?:\.\d{1,9})?))?", re.ASCII)


class BadTimeControl(PlywiseError):
    """A time control that cannot be read, or limits that make no sense together."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A clock (`base` seconds for `moves` moves or the game, `increment` a move) or limits a move.

    `time`, `nodes` and `depth` are for each move; the first limit that is reached ends the thinking.
    """

    base: float | None = None
    increment: float = 0.0
    moves: int | None = None
    time: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.base is not None and self.time is not None:
            raise BadTimeControl("a clock and a fixed time a move exclude each other")

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """`MOVES/SECONDS+INCREMENT`, of which only the seconds are needed.

        >>> TimeControl.parse("40/60+0.5")
        TimeControl(base=60.0, increment=0.5, moves=40, time=None, nodes=None, depth=None)
        """
        found = _CONTROL.fullmatch(text.strip())
        if found is None or float(found[2]) <= 0 or found[1] == "0":
            raise BadTimeControl(
                f"a clock reads MOVES/SECONDS+INCREMENT, like 40/60+0.5 or 10+0.1, not {text!r}"
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
        if self.nodes is not None:
            parts.append(f"{self.nodes} nodes a move")
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        return ", ".join(parts) or "no limit"


class GameClock:
    """A player's clock during a game. It is told what each move took."""

    def __init__(self, control: TimeControl, margin: float = MARGIN) -> None:
        self.control, self.margin = control, margin
        self.left = control.base or 0.0
        self.moves_made = 0

    @property
    def snapshot(self) -> Clock | None:
        """What the player sees before a move; None if no clock runs."""
        if self.control.base is None:
            return None
        every = self.control.moves
        return Clock(
            max(self.left, 0.0), self.control.increment, every - self.moves_made % every if every else None
        )

    @property
    def time_limit(self) -> float | None:
        """Seconds after which a move is surely too late; None if it cannot be."""
        if self.control.base is not None:
            return max(self.left, 0.0) + self.margin
        return None if self.control.time is None else self.control.time + self.margin

    def spend(self, seconds: float) -> bool:
        """Take a move's time off; whether it came in time."""
        limit = self.time_limit
        if limit is None:
            return True
        if self.control.base is not None:
            self.moves_made += 1
            # What is over but within the margin is forgiven.
            self.left = max(self.left - seconds, 0.0) + self.control.increment
            if self.control.moves and self.moves_made % self.control.moves == 0:
                self.left += self.control.base
        return seconds <= limit
