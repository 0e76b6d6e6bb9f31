"""What a session is asked to think about, under which settings, and what has come of it so far."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from plywise.core.history import History
from plywise.play.clock import OVERHEAD, Allowance, Clock, allowance, exactly
from plywise.play.levels import Level
from plywise.search.engine import Engine
from plywise.search.result import Line, Progress, Result


@dataclass
class Settings:
    """What a user can set. Strength limits are None at full strength; `overhead` is in seconds.

    `ponder` says that we think on the other side's time too. `analyse` wants the truth: no book, no
    limit of strength.
    """

    hash: int = 64
    threads: int = 1
    evaluator: str = "default"
    lines: int = 1
    overhead: float = OVERHEAD
    strength: Level | None = None
    book: Callable[[History], int | None] | None = None
    ponder: bool = False
    analyse: bool = False


@dataclass(frozen=True)
class Request:
    """What to think about a position: limits, the clock, root moves; `ponder` waits for a hit.

    With a `rate` the seconds of clocks are not those on the wall: so many nodes are a second, or, at
    rate 0, a second of the processor.
    """

    history: History
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    seconds: float | None = None
    clock: Clock | None = None
    moves: tuple[str, ...] = ()
    infinite: bool = False
    ponder: bool = False
    rate: int | None = None

    def allowance(self, overhead: float) -> Allowance | None:
        """The time for this move; None if it has no limit by time."""
        if self.rate is not None:
            overhead = 0.0  # no time passes on the way
        if self.seconds is not None:
            return exactly(self.seconds, overhead)
        return None if self.clock is None else allowance(self.clock, overhead)


@dataclass
class Thought:
    """One search of a session: what was asked, how it stands, and in the end the answer."""

    request: Request
    settings: Settings
    started: float
    soft: float | None = None  # seconds after the start
    due: float | None = None  # by `clock`
    last: float | None = None  # on the wall: when a search that has nothing yet must have something
    nodes: int | None = None  # what a node rate makes of the time
    clock: Callable[[], float] = time.perf_counter
    processor: float = field(default_factory=time.process_time)  # at the start
    waiting: bool = False  # pondering or infinite: no answer before it is asked for
    stopped: bool = False
    done: bool = False
    engine: Engine | None = None
    report: Progress | None = None  # of the last finished depth
    now: Progress | None = None  # the latest of all
    result: Result | None = None
    place: int = 0  # the line that is played
    note: str = ""
    best: list[int] = field(default_factory=list)  # the best move after each depth
    scores: list[int] = field(default_factory=list)
    finished: threading.Event = field(default_factory=threading.Event)

    @property
    def line(self) -> Line | None:
        """The line to play; None where there is no move."""
        return self.result.lines[self.place] if self.result and self.result.lines else None

    @property
    def left(self) -> float | None:
        """Seconds until the answer is due; None if nothing but its limits ends the search."""
        return None if self.due is None else self.due - self.clock()

    @property
    def strength(self) -> Level | None:
        """The limit of strength, if this is play and not analysis."""
        return None if self.request.infinite or self.settings.analyse else self.settings.strength

    @property
    def processed(self) -> float:
        """The seconds of the processor since the start."""
        return time.process_time() - self.processor

    def used(self) -> float:
        """The seconds that the search has taken, as its clock counts them."""
        if self.request.rate is None:
            return time.perf_counter() - self.started
        if self.request.rate == 0:
            return self.processed
        nodes = (
            self.result.nodes if self.result is not None else self.now.nodes if self.now is not None else 0
        )
        return nodes / self.request.rate
