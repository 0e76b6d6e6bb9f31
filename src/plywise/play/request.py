"""A request to a background player, the settings it is searched with, and the state of that search."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from plywise.core.history import History
from plywise.play.clock import OVERHEAD, Allowance, Clock, Lag, allowance, fixed_allowance
from plywise.play.levels import Level
from plywise.search.handle import Search
from plywise.search.result import Line, Progress, Result


@dataclass
class EngineSettings:
    """What a user can set. Strength limits are None at full strength; `overhead` is in seconds.

    `ponder` says that we think on the other side's time too. `analyse` wants the truth: no book, no
    limit of strength.
    """

    hash: int = 64
    threads: int = 1
    evaluator: str = "default"
    player: str = "default"
    weights: str | None = None
    without: tuple[str, ...] = ()
    lines: int = 1
    overhead: float = OVERHEAD
    strength: Level | None = None
    book: Callable[[History], int | None] | None = None
    ponder: bool = False
    analyse: bool = False


@dataclass(frozen=True)
class SearchRequest:
    """A position to think about, with limits, the clock and root moves; `ponder` waits for a hit.

    With a `rate` clocks do not count wall time: `rate` nodes are a second, or, at rate 0, a second of the
    processor.
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

    def allowance(self, overhead: float, lag: Lag | None = None) -> Allowance | None:
        """The time for this move, by how late earlier ones came; None if it has no limit by time."""
        if self.rate is not None:
            overhead = 0.0  # these clocks do not count the way of a message
        if self.seconds is not None:
            return fixed_allowance(self.seconds, overhead)
        return None if self.clock is None else allowance(self.clock, overhead, lag)


@dataclass
class SearchTask:
    """One request being worked on: its deadlines, its state, and in the end the answer."""

    request: SearchRequest
    settings: EngineSettings
    started: float
    soft_limit: float | None = None  # seconds after the start
    clock_started: float | None = None  # when the clock of a game began to run for this move
    deadline: float | None = None  # by `timer`
    no_answer_deadline: float | None = None  # by the wall clock: the end of a search without any answer yet
    node_limit: int | None = None  # the time as nodes, by the rate
    timer: Callable[[], float] = time.perf_counter
    cpu_start: float = field(default_factory=time.process_time)  # at the start
    waiting: bool = False  # pondering or infinite: no answer before it is asked for
    stopped: bool = False
    answered: bool = False
    unwanted: bool = False  # nobody waits for its answer
    search: Search | None = None  # the one that runs, or ran last
    depth_report: Progress | None = None  # of the last finished depth
    latest_report: Progress | None = None  # of the last finished depth or root move
    result: Result | None = None
    line_index: int = 0  # the line that is played
    error: str = ""
    best_moves: list[int] = field(default_factory=list)  # the best move after each depth
    scores: list[int] = field(default_factory=list)
    finished: threading.Event = field(default_factory=threading.Event)

    @property
    def line(self) -> Line | None:
        """The line to play; None where there is no move."""
        return self.result.lines[self.line_index] if self.result and self.result.lines else None

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the answer is due; None if nothing but its limits ends the search."""
        return None if self.deadline is None else self.deadline - self.timer()

    @property
    def strength(self) -> Level | None:
        """The limit of strength, if this is play and not analysis."""
        return None if self.request.infinite or self.settings.analyse else self.settings.strength

    @property
    def cpu_seconds(self) -> float:
        """The seconds of the processor since the start."""
        return time.process_time() - self.cpu_start

    def elapsed_seconds(self) -> float:
        """The seconds that the search has taken, as its clock counts them."""
        if self.request.rate is None:
            return time.perf_counter() - self.started
        if self.request.rate == 0:
            return self.cpu_seconds
        nodes = (
            self.result.nodes
            if self.result is not None
            else self.latest_report.nodes
            if self.latest_report is not None
            else 0
        )
        return nodes / self.request.rate
