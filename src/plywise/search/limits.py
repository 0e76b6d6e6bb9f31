"""When a search ends."""

from dataclasses import dataclass

from plywise.core.errors import BadLimits
from plywise.search.memory import PLIES

DEEPEST = PLIES - 8


@dataclass(frozen=True, slots=True)
class Limits:
    """The first limit that is reached ends the search; without any, it goes on until it is proven.

    `time` is in seconds; after `soft` seconds no new iteration is begun. `mate` asks only whether
    the side to move can force a win within so many of its own turns. `infinite` waits for a stop.
    """

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    soft: float | None = None
    mate: int | None = None
    infinite: bool = False

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "mate"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < 1):
                raise BadLimits(f"{name} must be a whole number from 1 up, not {value!r}")
        for name in ("time", "soft"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise BadLimits(f"{name} must be seconds above 0, not {value!r}")

    @property
    def deepest(self) -> int:
        """The last iteration's depth, in turns."""
        depth = DEEPEST if self.depth is None else min(self.depth, DEEPEST)
        return depth if self.mate is None else min(depth, 2 * self.mate - 1)
