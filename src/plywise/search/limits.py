"""When a search ends."""

from dataclasses import dataclass

from plywise.core.errors import BadLimits
from plywise.search.thread_state import MAX_PLY

MAX_DEPTH = MAX_PLY - 8


@dataclass(frozen=True, slots=True)
class Limits:
    """The first limit that is reached ends the search; without any, it goes on until it is proven.

    `time` is in seconds; after `soft` seconds no new iteration begins. `mate` asks only whether
    the side to move can force a win within this number of its own turns. `infinite` waits for a stop.
    `cpu` is in seconds of processor time of this process: it is the same on a busy machine.
    """

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    soft: float | None = None
    mate: int | None = None
    infinite: bool = False
    cpu: float | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "mate"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < 1):
                raise BadLimits(f"{name} must be a whole number from 1 up, not {value!r}")
        for name in ("time", "soft", "cpu"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise BadLimits(f"{name} must be seconds above 0, not {value!r}")

    @property
    def is_timed(self) -> bool:
        """Whether time ends the search, by the wall clock or the processor's."""
        return self.time is not None or self.cpu is not None

    @property
    def deepest(self) -> int:
        """The last iteration's depth, in turns."""
        depth = MAX_DEPTH if self.depth is None else min(self.depth, MAX_DEPTH)
        return depth if self.mate is None else min(depth, 2 * self.mate - 1)
