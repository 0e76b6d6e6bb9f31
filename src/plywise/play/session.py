"""A player in the background: it is told a position, thinks, and can be stopped or hurried.

Every protocol talks to this. Compiling happens in a thread of its own; a move that is due before the
compiled search is there is found by the same search uncompiled, so that no clock falls meanwhile.
"""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from plywise.core.game import Game
from plywise.core.history import History
from plywise.play.clock import OVERHEAD, Allowance, Clock, allowance, exactly
from plywise.play.levels import Level
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Kind, Line, Progress, Result

WORTH_A_CHANGE = 0.1  # seconds left for which the compiled search takes over from the uncompiled one
AGAIN = 0.002  # seconds after which a stop is repeated: one that comes too early is forgotten
LOOK = 0.05
UNHURRIED = 1e9


@dataclass
class Settings:
    """What a user can set. Strength limits are None at full strength; `overhead` is in seconds."""

    hash: int = 64
    threads: int = 1
    evaluator: str = "default"
    lines: int = 1
    overhead: float = OVERHEAD
    strength: Level | None = None
    book: Callable[[History], int | None] | None = None


@dataclass(frozen=True)
class Request:
    """What to think about a position: limits, the clock, root moves; `ponder` waits for a hit."""

    history: History
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    seconds: float | None = None
    clock: Clock | None = None
    moves: tuple[str, ...] = ()
    infinite: bool = False
    ponder: bool = False

    def allowance(self, overhead: float) -> Allowance | None:
        """The time for this move; None if it has no limit by time."""
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
    due: float | None = None  # by the process's clock
    waiting: bool = False  # pondering or infinite: no answer before it is asked for
    stopped: bool = False
    done: bool = False
    engine: Engine | None = None
    report: Progress | None = None
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


class Session:
    """Thinks about one position at a time.

    `tell(thought, report)` is called from another thread for each report, and with None at the end;
    it must not wait for the session.
    """

    def __init__(
        self, game: Game, tell: Callable[[Thought, Progress | None], None], *, seed: int | None = None
    ) -> None:
        self.game, self.tell = game, tell
        self.settings = Settings()
        self.thought: Thought | None = None
        self._dice = random.Random(seed)
        self._lock = threading.Lock()
        self._wanted: Any = None
        self._engine: Engine | None = None
        self._built = threading.Event()
        self._helper: Engine | None = None

    # --- getting ready --------------------------------------------------------------------------
    def prepare(self) -> None:
        """See that the engine for the present settings is there soon; returns at once."""
        wanted = self.settings.evaluator, self.settings.hash, self.settings.threads
        with self._lock:
            if wanted == self._wanted:
                return
            before, self._wanted = self._wanted, wanted
            if self._engine is not None and before[0] == wanted[0]:
                # Compiled already: only the table and the threads are new.
                self._engine = Engine(self.game, wanted[0], hash=wanted[1], threads=wanted[2])
                return
            self._engine, self._built = None, threading.Event()
            threading.Thread(target=self._build, args=(wanted, self._built), daemon=True).start()

    def _build(self, wanted: tuple[str, int, int], built: threading.Event) -> None:
        evaluator, hash, threads = wanted
        try:
            engine = Engine(self.game, evaluator, hash=hash, threads=threads)
            engine.search(self.game.history(), depth=1)  # what is done only once is done now
            engine.clear()
        except Exception:  # it will come again when it is used, and be told
            engine = self._uncompiled(evaluator)
        with self._lock:
            if wanted == self._wanted:
                self._engine = engine
        built.set()

    def ready(self, patience: float | None = None) -> bool:
        """Wait for the engine, but not for ever; whether it is there."""
        self.prepare()
        return self._built.wait(patience)

    def _uncompiled(self, evaluator: str) -> Engine:
        if self._helper is None or self._helper.evaluation.name != evaluator:
            self._helper = Engine(self.game, evaluator, hash=1, compiled=False)
        return self._helper

    def forget(self) -> None:
        """A new game: nothing of the last one counts."""
        self.finish()
        with self._lock:
            engine = self._engine
        if engine is not None:
            engine.clear()

    # --- thinking -------------------------------------------------------------------------------
    @property
    def thinking(self) -> bool:
        """Whether there is a search whose answer has not been told."""
        return self.thought is not None and not self.thought.done

    def think(self, request: Request, now: float | None = None) -> Thought:
        """Begin to think; `now` is when this was asked for."""
        self.finish()
        self.prepare()
        now = time.perf_counter() if now is None else now
        thought = Thought(request, Settings(**vars(self.settings)), now)
        thought.waiting = request.infinite or request.ponder
        if not thought.waiting:
            self._time(thought, now)
        self.thought = thought
        threading.Thread(target=self._work, args=(thought,), daemon=True).start()
        return thought

    def _time(self, thought: Thought, now: float) -> None:
        time_for = thought.request.allowance(thought.settings.overhead)
        if time_for is not None:
            # What was thought while pondering counts for the soft limit.
            thought.soft, thought.due = time_for.soft, now + time_for.hard

    def stop(self) -> None:
        """Ask for the answer now; it comes in a moment."""
        thought = self.thought
        if thought is not None:
            thought.stopped = True
            if thought.engine is not None:
                thought.engine.stop()

    def finish(self) -> Thought | None:
        """Stop, and wait until the thought is at its end; the thought if there was one."""
        thought = self.thought
        if thought is not None and not thought.finished.is_set():
            self.stop()
            thought.finished.wait()
        return thought

    def hit(self, clock: Clock | None = None, now: float | None = None) -> None:
        """The move that was pondered on has been played: from now on the clock runs."""
        thought = self.thought
        if thought is None or not thought.waiting or not thought.request.ponder:
            return
        now = time.perf_counter() if now is None else now
        if clock is not None:
            thought.request = Request(**{**vars(thought.request), "clock": clock})
        thought.waiting = False
        if thought.request.infinite:
            thought.waiting = True
            return
        self._time(thought, now)
        engine = thought.engine
        if engine is None:
            return
        if thought.due is not None:
            engine.hurry(max(thought.due - now, 0.001))
            self._soft(thought, engine)
        else:
            engine.hurry(UNHURRIED)

    # --- in the background ----------------------------------------------------------------------
    def _work(self, thought: Thought) -> None:
        try:
            thought.result = self._from_book(thought) or self._search(thought)
        except Exception as error:
            thought.note = f"{type(error).__name__}: {error}"
            thought.result = _any_move(thought.request.history)
        while thought.waiting and not thought.stopped:
            time.sleep(AGAIN)  # only a book, an error or a finished game comes here
        limit = thought.settings.strength
        if limit is not None and thought.result.lines and not thought.request.infinite:
            thought.place = limit.choose(thought.result.lines, self.game, self._dice, thought.result.unit)
        thought.finished.set()
        self.tell(thought, None)

    def _from_book(self, thought: Thought) -> Result | None:
        request = thought.request
        if thought.settings.book is None or thought.waiting or request.moves or request.mate:
            return None
        move = thought.settings.book(request.history)
        return None if move is None else _only(request.history, move)

    def _search(self, thought: Thought) -> Result:
        result: Result | None = None
        if not self._built.wait(min(LOOK, (thought.soft or LOOK) / 4)):
            if thought.due is None and not thought.waiting:
                while not self._built.wait(AGAIN) and not thought.stopped:
                    pass  # no clock runs: better late than from a few positions
            if not self._built.is_set():
                result = self._run(thought, self._uncompiled(thought.settings.evaluator), True)
        if result is None or (self._may_go_on(thought) and self._built.is_set()):
            with self._lock:
                engine = self._engine
            if engine is not None:
                result = self._run(thought, engine, False)
        return result or _any_move(thought.request.history)

    def _may_go_on(self, thought: Thought) -> bool:
        """Whether the compiled search still has time to do better than the uncompiled one."""
        if thought.stopped:
            return False
        return thought.due is None or thought.due - time.perf_counter() > WORTH_A_CHANGE

    def _run(self, thought: Thought, engine: Engine, helping: bool) -> Result:
        """Run one search in a thread and see that it ends in time."""
        answer: list[Any] = []
        ended = threading.Event()

        def run() -> None:
            try:
                answer.append(self._follow(thought, engine))
            except Exception as error:
                answer.append(error)
            ended.set()

        thought.engine = engine
        threading.Thread(target=run, daemon=True).start()
        wait = AGAIN
        while not ended.wait(wait):
            left = LOOK if thought.due is None else thought.due - time.perf_counter()
            change = helping and self._built.is_set() and self._may_go_on(thought)
            if thought.stopped or change or left <= 0:
                engine.stop()
                left = 0.0
            elif thought.request.ponder and not thought.waiting:
                engine.hurry(left if thought.due is not None else UNHURRIED)
            wait = min(max(left, AGAIN), LOOK)
        if isinstance(answer[0], Exception):
            raise answer[0]
        return answer[0]

    def _follow(self, thought: Thought, engine: Engine) -> Result:
        request, settings = thought.request, thought.settings
        lines, own = settings.lines, settings.strength
        seconds = None if thought.due is None else max(thought.due - time.perf_counter(), 0.001)
        limits = Limits(request.depth, request.nodes, seconds, mate=request.mate, infinite=thought.waiting)
        if own is not None and not request.infinite:
            lines, limits = max(lines, own.lines), own.within(limits)
        run = engine.run(request.history, limits, moves=request.moves, lines=lines)
        while True:
            try:
                report = next(run)
            except StopIteration as end:
                return end.value
            if report.current is None:
                thought.report = report
                thought.best.append(report.lines[0].numbers[0])
                thought.scores.append(report.lines[0].score)
                self._soft(thought, engine)
            self.tell(thought, report)

    def _soft(self, thought: Thought, engine: Engine) -> None:
        """Begin no further iteration when the time that this move is worth has been used."""
        if thought.soft is None or thought.waiting or not thought.best or thought.request.seconds:
            return
        if time.perf_counter() - thought.started > thought.soft * _patience(thought):
            engine.stop()


def _patience(thought: Thought) -> float:
    """More time for a move that has just changed or got worse, less for one that stays."""
    recent = thought.best[-5:]
    factor = 0.7 if len(recent) == 5 and len(set(recent)) == 1 else 1.0
    if len(recent) > 1 and recent[-1] != recent[-2]:
        factor = 1.4
    if len(thought.scores) > 1 and thought.scores[-1] < thought.scores[-2] - 30:
        factor *= 1.4
    return factor


def _only(history: History, move: int) -> Result:
    """The answer that is known without a search."""
    text = history.game.move_text(history.position, move)
    line = Line(0, Kind.ESTIMATE, (text,), (move,))
    return Result(history.game, text, 0, line.kind, 0, 0, 0.0, (line,), move)


def _any_move(history: History) -> Result:
    """A legal move, so that a game goes on whatever has failed."""
    moves = history.game.moves(history.position)
    if not moves:
        return Result(history.game, None, 0, Kind.PROVEN, 0, 0, 0.0, ())
    return _only(history, moves[0])
