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

from plywise.core.cache_folder import is_compiling
from plywise.core.errors import exception_text
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import Kind
from plywise.play.clock import Clock
from plywise.play.request import EngineSettings, SearchRequest, SearchTask
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Line, Progress, Result

MIN_SECONDS_TO_SWITCH = 0.1  # seconds left for which the compiled search takes over from the uncompiled one
STOP_REPEAT = 0.002  # seconds after which a stop is repeated: one that comes too early is forgotten
POLL = 0.05
NO_TIME_LIMIT = 1e9
NO_ANSWER_SHARE = 0.7  # of what the clock shows: so much a search without any answer yet may take
SHALLOW_SEARCH = 0.1  # seconds for one, even after a stop
PONDER_BONUS = 0.25  # more of a move's share where we ponder: now and then the next move is found already
COMPILE_WAIT = 5.0  # seconds to wait for a compiler at work; a game can begin without it
LOAD_WAIT = 60.0  # seconds to wait for code that only has to be loaded, however busy the machine is


class BackgroundPlayer:
    """Thinks about one position at a time.

    `notify(task, report)` is called from another thread for each report, and with None at the end;
    it must not wait for the player.
    """

    def __init__(
        self, game: Game, notify: Callable[[SearchTask, Progress | None], None], *, seed: int | None = None
    ) -> None:
        self.game, self.notify = game, notify
        self.settings = EngineSettings()
        self.task: SearchTask | None = None
        self._dice = random.Random(seed)
        self._lock = threading.Lock()
        self._engine_key: Any = None
        self._engine: Engine | None = None
        self._built = threading.Event()
        self._fallback_engine: Engine | None = None
        self._paused: tuple[SearchTask, float] | None = None

    # --- getting ready --------------------------------------------------------------------------
    def prepare(self) -> None:
        """See that the engine for the present settings is there soon; returns at once."""
        key = self.settings.evaluator, self.settings.hash, self.settings.threads
        with self._lock:
            if key == self._engine_key:
                return
            self._engine_key = key
            self._engine, self._built = None, threading.Event()
            threading.Thread(target=self._build, args=(key, self._built), daemon=True).start()

    def _build(self, key: tuple[str, int, int], built: threading.Event) -> None:
        evaluator, hash, threads = key
        try:
            engine = Engine(self.game, evaluator, hash=hash, threads=threads)
            # What is done only once is done now; to clear a table that was used also gets its memory.
            engine.search(self.game.history(), depth=1)
            engine.clear()
        except Exception:  # it will come again when it is used, and be told
            engine = self._uncompiled_engine(evaluator)
        with self._lock:
            if key == self._engine_key:
                self._engine = engine
        built.set()

    def wait_until_ready(self, compile_wait: float = COMPILE_WAIT, load_wait: float = LOAD_WAIT) -> bool:
        """Wait for the engine; whether it is there.

        A compiler at work is not waited for longer than `compile_wait`: a game can begin without it. What
        stands in the cache is worth any wait.
        """
        self.prepare()
        built, began = self._built, time.perf_counter()
        while not built.wait(POLL):
            waited = time.perf_counter() - began
            if waited > load_wait or (waited > compile_wait and is_compiling()):
                return built.is_set()
        return True

    def _uncompiled_engine(self, evaluator: str) -> Engine:
        if self._fallback_engine is None or self._fallback_engine.evaluation.name != evaluator:
            self._fallback_engine = Engine(self.game, evaluator, hash=1, compiled=False)
        return self._fallback_engine

    def clear(self) -> None:
        """A new game: nothing of the last one counts."""
        self.stop_and_wait()
        with self._lock:
            engine = self._engine
        if engine is not None:
            engine.clear()

    # --- thinking -------------------------------------------------------------------------------
    @property
    def is_thinking(self) -> bool:
        """Whether there is a search whose answer has not been told."""
        return self.task is not None and not self.task.answered

    def think(self, request: SearchRequest, now: float | None = None) -> SearchTask:
        """Begin to think; `now` is when this was asked for."""
        self.stop_and_wait()
        self._paused = None
        self.prepare()
        now = time.perf_counter() if now is None else now
        task = SearchTask(request, EngineSettings(**vars(self.settings)), now)
        task.waiting = request.infinite or request.ponder
        if not task.waiting:
            self._set_deadlines(task, now)
        self._start(task)
        return task

    def _start(self, task: SearchTask) -> None:
        self.task = task
        threading.Thread(target=self._work, args=(task,), daemon=True).start()

    def _set_deadlines(self, task: SearchTask, now: float) -> None:
        request = task.request
        time_for = request.allowance(task.settings.overhead)
        if time_for is None:
            return
        # What was found while pondering counts for the soft limit.
        task.soft_limit = time_for.soft
        if task.settings.ponder and request.seconds is None:
            task.soft_limit = min(task.soft_limit * (1 + PONDER_BONUS), time_for.hard)
        if request.rate is None:
            task.deadline = now + time_for.hard
            total = request.clock.left if request.seconds is None and request.clock else request.seconds
            task.no_answer_deadline = now + NO_ANSWER_SHARE * (total or 0.0)
        elif request.rate == 0:
            task.timer = time.process_time
            task.deadline = task.timer() + time_for.hard
        else:
            task.node_limit = max(round(time_for.hard * request.rate), 1)

    def stop(self) -> None:
        """Ask for the answer now; it comes in a moment."""
        task = self.task
        if task is not None:
            task.stopped = True
            if task.engine is not None:
                task.engine.stop()

    def stop_and_wait(self) -> SearchTask | None:
        """Stop, and wait until the search is at its end; the task if there was one."""
        task = self.task
        if task is not None and not task.finished.is_set():
            self.stop()
            task.finished.wait()
        return task

    def cancel(self) -> None:
        """End any thinking, if only paused; what it found is not wanted any more."""
        task = self.stop_and_wait()
        if task is not None:
            task.answered = True
        self._paused = None

    def pause(self, now: float | None = None) -> None:
        """Think no more until `resume`; time stands still meanwhile."""
        task = self.task
        if task is None or task.answered:
            return
        ended = task.finished.is_set()
        if not ended:
            self.stop_and_wait()
        task.answered = True
        self._paused = (
            replace(task, finished=threading.Event(), answered=False, stopped=False),
            (time.perf_counter() if now is None else now),
        )
        if ended:  # it has its answer, which waits
            self._paused[0].finished.set()

    @property
    def is_paused(self) -> bool:
        """Whether a search waits for `resume`."""
        return self._paused is not None

    def resume(self, now: float | None = None) -> float:
        """Think on; the seconds that passed in between.

        The search begins again over the table that it filled, and so is soon where it was.
        """
        if self._paused is None:
            return 0.0
        (task, since), self._paused = self._paused, None
        gap = (time.perf_counter() if now is None else now) - since
        task.started += gap
        if task.deadline is not None and task.timer is time.perf_counter:
            task.deadline += gap
        if task.no_answer_deadline is not None:
            task.no_answer_deadline += gap
        if task.finished.is_set():
            self.task = task
            self.notify(task, None)
        else:
            task.result = None
            self._start(task)
        return gap

    def ponder_hit(self, clock: Clock | None = None, now: float | None = None) -> None:
        """The move that was pondered on has been played: from now on the clock runs."""
        task = self.task
        if task is None or not task.waiting or not task.request.ponder:
            return
        now = time.perf_counter() if now is None else now
        if clock is not None:
            task.request = replace(task.request, clock=clock)
        task.waiting = False
        if task.request.infinite:
            task.waiting = True
            return
        self._set_deadlines(task, now)
        engine = task.engine
        if engine is None:
            return
        if task.seconds_left is not None:
            engine.hurry(max(task.seconds_left, 0.001))
            self._check_soft_limit(task, engine)
        else:
            engine.hurry(NO_TIME_LIMIT)

    # --- in the background ----------------------------------------------------------------------
    def _work(self, task: SearchTask) -> None:
        try:
            task.result = self._from_book(task) or self._search(task)
        except Exception as error:
            task.error = exception_text(error)
            task.result = _any_move(task.request.history)
        while task.waiting and not task.stopped:
            time.sleep(STOP_REPEAT)  # only a book, an error or a finished game comes here
        limit = task.strength
        if limit is not None and task.result.lines:
            task.line_index = limit.choose(task.result.lines, self.game, self._dice, task.result.unit)
        task.finished.set()
        self.notify(task, None)

    def _from_book(self, task: SearchTask) -> Result | None:
        request, settings = task.request, task.settings
        if settings.book is None or settings.analyse or task.waiting or request.moves or request.mate:
            return None
        move = settings.book(request.history)
        return None if move is None else _result_of_move(request.history, move)

    def _search(self, task: SearchTask) -> Result:
        result: Result | None = None
        if not self._wait_for_compiled(task):
            if task.deadline is None and not task.waiting:
                while not self._built.wait(STOP_REPEAT) and not task.stopped:
                    pass  # no clock runs: better late than from a few positions
            if not self._built.is_set():
                result = self._run(task, self._uncompiled_engine(task.settings.evaluator), True)
        if result is None or (self._has_time_to_switch(task) and self._built.is_set()):
            with self._lock:
                engine = self._engine
            if engine is not None:
                result = self._run(task, engine, False)
        if result is None or (result.depth == 0 and result.lines and not self._has_time_to_switch(task)):
            result = self._shallow_search(task) or result
        return result or _any_move(task.request.history)

    def _shallow_search(self, task: SearchTask) -> Result | None:
        """The best move at first sight, for who was stopped before anything was found."""
        request = task.request
        seconds = (
            SHALLOW_SEARCH
            if task.no_answer_deadline is None
            else min(SHALLOW_SEARCH, task.no_answer_deadline - time.perf_counter())
        )
        if seconds <= STOP_REPEAT:
            return None
        with self._lock:
            engine = self._engine
        engine = engine or self._uncompiled_engine(task.settings.evaluator)
        return engine.search(request.history, moves=request.moves, depth=1, time=seconds)

    def _wait_for_compiled(self, task: SearchTask) -> bool:
        """Whether the compiled search is there, or comes after a moment that this move can spare."""
        began, built = time.perf_counter(), self._built
        while not built.wait(STOP_REPEAT) and not task.stopped:
            most = min(POLL, (task.soft_limit or POLL) / 4)
            if task.soft_limit is not None and not is_compiling():
                most = task.soft_limit / 2  # it has only to be loaded, and makes up for the wait
            if time.perf_counter() - began > most:
                break
        return built.is_set()

    def _has_time_to_switch(self, task: SearchTask) -> bool:
        """Whether the compiled search still has time to do better than the uncompiled one."""
        if task.stopped:
            return False
        return task.seconds_left is None or task.seconds_left > MIN_SECONDS_TO_SWITCH

    def _run(self, task: SearchTask, engine: Engine, is_fallback: bool) -> Result:
        """Run one search in a thread and see that it ends in time."""
        answers: list[Any] = []
        ended = threading.Event()

        def run() -> None:
            try:
                answers.append(self._iterate(task, engine, is_fallback))
            except Exception as error:
                answers.append(error)
            ended.set()

        task.engine = engine
        threading.Thread(target=run, daemon=True).start()
        wait = STOP_REPEAT
        while not ended.wait(wait):
            due = self._seconds_left(task, is_fallback)
            left = POLL if due is None else due
            switch = is_fallback and self._built.is_set() and self._has_time_to_switch(task)
            if task.stopped or switch or left <= 0:
                engine.stop()
                left = 0.0
            elif task.request.ponder and not task.waiting:
                engine.hurry(left if due is not None else NO_TIME_LIMIT)
            wait = min(max(left / task.settings.threads, STOP_REPEAT), POLL)
        if isinstance(answers[0], Exception):
            raise answers[0]
        return answers[0]

    def _seconds_left(self, task: SearchTask, is_fallback: bool) -> float | None:
        """The seconds that a search still has; a slow one may see to its first answer."""
        left = task.seconds_left
        if (
            is_fallback
            and left is not None
            and task.depth_report is None
            and task.no_answer_deadline is not None
        ):
            return max(left, task.no_answer_deadline - time.perf_counter())
        return left

    def _iterate(self, task: SearchTask, engine: Engine, is_fallback: bool) -> Result:
        request, limit = task.request, task.strength
        lines, nodes = task.settings.lines, request.nodes
        if task.node_limit is not None:
            nodes = min(nodes or task.node_limit, task.node_limit)
        seconds = self._seconds_left(task, is_fallback) if request.rate is None else None
        if seconds is not None:
            seconds = max(seconds, 0.001)
        limits = Limits(request.depth, nodes, seconds, mate=request.mate, infinite=task.waiting)
        if limit is not None:
            lines, limits = max(lines, limit.lines), limit.within(limits)
        run = engine.run(request.history, limits, moves=request.moves, lines=lines)
        while True:
            try:
                report = next(run)
            except StopIteration as end:
                return end.value
            task.latest_report = report
            if report.current is None:
                task.depth_report = report
                task.best_moves.append(report.lines[0].numbers[0])
                task.scores.append(report.lines[0].score)
                self._check_soft_limit(task, engine)
            self.notify(task, report)

    def _check_soft_limit(self, task: SearchTask, engine: Engine) -> None:
        """Begin no further iteration when the time that this move is worth has been used."""
        if task.soft_limit is None or task.waiting or not task.best_moves or task.request.seconds:
            return
        if task.elapsed() > task.soft_limit * _soft_limit_factor(task):
            engine.stop()


def _soft_limit_factor(task: SearchTask) -> float:
    """More time for a move that has just changed or got worse, less for one that stays."""
    recent = task.best_moves[-5:]
    factor = 0.7 if len(recent) == 5 and len(set(recent)) == 1 else 1.0
    if len(recent) > 1 and recent[-1] != recent[-2]:
        factor = 1.4
    if len(task.scores) > 1 and task.scores[-1] < task.scores[-2] - 30:
        factor *= 1.4
    return factor


def _result_of_move(history: History, move: int) -> Result:
    """The answer that is known without a search."""
    text = history.game.move_text(history.position, move)
    line = Line(0, Kind.ESTIMATE, (text,), (move,))
    return Result(history.game, text, 0, line.kind, 0, 0, 0.0, (line,), move)


def _any_move(history: History) -> Result:
    """A legal move, so that a game goes on whatever has failed."""
    moves = history.game.moves(history.position)
    if not moves:
        return Result(history.game, None, 0, Kind.PROVEN, 0, 0, 0.0, ())
    return _result_of_move(history, moves[0])
