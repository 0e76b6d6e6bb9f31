"""A player in the background: it is told a position, thinks, and can be stopped or hurried.

Every protocol talks to this. Compiling happens in a thread of its own; a move that is due before the
compiled search is there is found by the same search uncompiled, so that no clock falls meanwhile.
"""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plywise.core.cache import making
from plywise.core.game import Game
from plywise.core.history import History
from plywise.play.clock import Clock
from plywise.play.thought import Request, Settings, Thought
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Kind, Line, Progress, Result

WORTH_A_CHANGE = 0.1  # seconds left for which the compiled search takes over from the uncompiled one
AGAIN = 0.002  # seconds after which a stop is repeated: one that comes too early is forgotten
LOOK = 0.05
UNHURRIED = 1e9
LAST = 0.7  # of what the clock shows: so much a search without any answer yet may take
GLANCE = 0.1  # seconds for one, even after a stop
SPARED = 0.25  # more of a move's share where we ponder: now and then the next move is found already
PATIENCE = 5.0  # seconds to wait for a compiler at work; a game can begin without it
LOAD = 60.0  # seconds to wait for code that only has to be loaded, however busy the machine is


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
        self._paused: tuple[Thought, float] | None = None

    # --- getting ready --------------------------------------------------------------------------
    def prepare(self) -> None:
        """See that the engine for the present settings is there soon; returns at once."""
        wanted = self.settings.evaluator, self.settings.hash, self.settings.threads
        with self._lock:
            if wanted == self._wanted:
                return
            self._wanted = wanted
            self._engine, self._built = None, threading.Event()
            threading.Thread(target=self._build, args=(wanted, self._built), daemon=True).start()

    def _build(self, wanted: tuple[str, int, int], built: threading.Event) -> None:
        evaluator, hash, threads = wanted
        try:
            engine = Engine(self.game, evaluator, hash=hash, threads=threads)
            # What is done only once is done now; to clear a table that was used also gets its memory.
            engine.search(self.game.history(), depth=1)
            engine.clear()
        except Exception:  # it will come again when it is used, and be told
            engine = self._uncompiled(evaluator)
        with self._lock:
            if wanted == self._wanted:
                self._engine = engine
        built.set()

    def ready(self, patience: float = PATIENCE, load: float = LOAD) -> bool:
        """Wait for the engine; whether it is there.

        A compiler at work is not waited for longer than `patience`: a game can begin without it. What
        stands in the cache is worth any wait.
        """
        self.prepare()
        built, began = self._built, time.perf_counter()
        while not built.wait(LOOK):
            waited = time.perf_counter() - began
            if waited > load or (waited > patience and making()):
                return built.is_set()
        return True

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
        self._paused = None
        self.prepare()
        now = time.perf_counter() if now is None else now
        thought = Thought(request, Settings(**vars(self.settings)), now)
        thought.waiting = request.infinite or request.ponder
        if not thought.waiting:
            self._time(thought, now)
        self._begin(thought)
        return thought

    def _begin(self, thought: Thought) -> None:
        self.thought = thought
        threading.Thread(target=self._work, args=(thought,), daemon=True).start()

    def _time(self, thought: Thought, now: float) -> None:
        request = thought.request
        time_for = request.allowance(thought.settings.overhead)
        if time_for is None:
            return
        # What was thought while pondering counts for the soft limit.
        thought.soft = time_for.soft
        if thought.settings.ponder and request.seconds is None:
            thought.soft = min(thought.soft * (1 + SPARED), time_for.hard)
        if request.rate is None:
            thought.due = now + time_for.hard
            total = request.clock.left if request.seconds is None and request.clock else request.seconds
            thought.last = now + LAST * (total or 0.0)
        elif request.rate == 0:
            thought.clock = time.process_time
            thought.due = thought.clock() + time_for.hard
        else:
            thought.nodes = max(round(time_for.hard * request.rate), 1)

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

    def drop(self) -> None:
        """End any thinking, if only paused; what it found is not wanted any more."""
        thought = self.finish()
        if thought is not None:
            thought.done = True
        self._paused = None

    def pause(self, now: float | None = None) -> None:
        """Think no more until `resume`; time stands still meanwhile."""
        thought = self.thought
        if thought is None or thought.done:
            return
        ended = thought.finished.is_set()
        if not ended:
            self.finish()
        thought.done = True
        self._paused = (
            replace(thought, finished=threading.Event(), done=False, stopped=False),
            (time.perf_counter() if now is None else now),
        )
        if ended:  # it has its answer, which waits
            self._paused[0].finished.set()

    @property
    def paused(self) -> bool:
        """Whether a search waits for `resume`."""
        return self._paused is not None

    def resume(self, now: float | None = None) -> float:
        """Think on; the seconds that passed in between.

        The search begins again over the table that it filled, and so is soon where it was.
        """
        if self._paused is None:
            return 0.0
        (thought, since), self._paused = self._paused, None
        gap = (time.perf_counter() if now is None else now) - since
        thought.started += gap
        if thought.due is not None and thought.clock is time.perf_counter:
            thought.due += gap
        if thought.last is not None:
            thought.last += gap
        if thought.finished.is_set():
            self.thought = thought
            self.tell(thought, None)
        else:
            thought.result = None
            self._begin(thought)
        return gap

    def hit(self, clock: Clock | None = None, now: float | None = None) -> None:
        """The move that was pondered on has been played: from now on the clock runs."""
        thought = self.thought
        if thought is None or not thought.waiting or not thought.request.ponder:
            return
        now = time.perf_counter() if now is None else now
        if clock is not None:
            thought.request = replace(thought.request, clock=clock)
        thought.waiting = False
        if thought.request.infinite:
            thought.waiting = True
            return
        self._time(thought, now)
        engine = thought.engine
        if engine is None:
            return
        if thought.left is not None:
            engine.hurry(max(thought.left, 0.001))
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
        limit = thought.strength
        if limit is not None and thought.result.lines:
            thought.place = limit.choose(thought.result.lines, self.game, self._dice, thought.result.unit)
        thought.finished.set()
        self.tell(thought, None)

    def _from_book(self, thought: Thought) -> Result | None:
        request, settings = thought.request, thought.settings
        if settings.book is None or settings.analyse or thought.waiting or request.moves or request.mate:
            return None
        move = settings.book(request.history)
        return None if move is None else _only(request.history, move)

    def _search(self, thought: Thought) -> Result:
        result: Result | None = None
        if not self._soon(thought):
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
        if result is None or (result.depth == 0 and result.lines and not self._may_go_on(thought)):
            result = self._glance(thought) or result
        return result or _any_move(thought.request.history)

    def _glance(self, thought: Thought) -> Result | None:
        """The best move at first sight, for who was stopped before anything was found."""
        request = thought.request
        seconds = GLANCE if thought.last is None else min(GLANCE, thought.last - time.perf_counter())
        if seconds <= AGAIN:
            return None
        with self._lock:
            engine = self._engine
        engine = engine or self._uncompiled(thought.settings.evaluator)
        return engine.search(request.history, moves=request.moves, depth=1, time=seconds)

    def _soon(self, thought: Thought) -> bool:
        """Whether the compiled search is there, or comes after a moment that this move can spare."""
        began, built = time.perf_counter(), self._built
        while not built.wait(AGAIN) and not thought.stopped:
            most = min(LOOK, (thought.soft or LOOK) / 4)
            if thought.soft is not None and not making():
                most = thought.soft / 2  # it has only to be loaded, and makes up for the wait
            if time.perf_counter() - began > most:
                break
        return built.is_set()

    def _may_go_on(self, thought: Thought) -> bool:
        """Whether the compiled search still has time to do better than the uncompiled one."""
        if thought.stopped:
            return False
        return thought.left is None or thought.left > WORTH_A_CHANGE

    def _run(self, thought: Thought, engine: Engine, helping: bool) -> Result:
        """Run one search in a thread and see that it ends in time."""
        answer: list[Any] = []
        ended = threading.Event()

        def run() -> None:
            try:
                answer.append(self._follow(thought, engine, helping))
            except Exception as error:
                answer.append(error)
            ended.set()

        thought.engine = engine
        threading.Thread(target=run, daemon=True).start()
        wait = AGAIN
        while not ended.wait(wait):
            due = self._left(thought, helping)
            left = LOOK if due is None else due
            change = helping and self._built.is_set() and self._may_go_on(thought)
            if thought.stopped or change or left <= 0:
                engine.stop()
                left = 0.0
            elif thought.request.ponder and not thought.waiting:
                engine.hurry(left if due is not None else UNHURRIED)
            wait = min(max(left / thought.settings.threads, AGAIN), LOOK)
        if isinstance(answer[0], Exception):
            raise answer[0]
        return answer[0]

    def _left(self, thought: Thought, helping: bool) -> float | None:
        """The seconds that a search still has; a slow one may see to its first answer."""
        left = thought.left
        if helping and left is not None and thought.report is None and thought.last is not None:
            return max(left, thought.last - time.perf_counter())
        return left

    def _follow(self, thought: Thought, engine: Engine, helping: bool) -> Result:
        request, limit = thought.request, thought.strength
        lines, nodes = thought.settings.lines, request.nodes
        if thought.nodes is not None:
            nodes = min(nodes or thought.nodes, thought.nodes)
        seconds = self._left(thought, helping) if request.rate is None else None
        if seconds is not None:
            seconds = max(seconds, 0.001)
        limits = Limits(request.depth, nodes, seconds, mate=request.mate, infinite=thought.waiting)
        if limit is not None:
            lines, limits = max(lines, limit.lines), limit.within(limits)
        run = engine.run(request.history, limits, moves=request.moves, lines=lines)
        while True:
            try:
                report = next(run)
            except StopIteration as end:
                return end.value
            thought.now = report
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
        if thought.used() > thought.soft * _patience(thought):
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
