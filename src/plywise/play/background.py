"""A player that thinks in the background, for protocols: start it, stop it, let it ponder or pause.

Its engine comes from a pool of its own. A move that is due before the compiled engine is there is found
by the uncompiled one, so that no flag falls meanwhile. That one searches for a second and then waits: the
compiler has the processor first.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from plywise.core.cache_folder import is_compiling
from plywise.core.errors import exception_text
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import Kind
from plywise.play.clock import Clock, Lag
from plywise.play.engine_pool import STAND_IN_SECONDS, EnginePool, LatestBuild
from plywise.play.readiness import Readiness, ReadinessListener
from plywise.play.request import EngineSettings, SearchRequest, SearchTask
from plywise.search.engine import Engine
from plywise.search.handle import Search
from plywise.search.limits import Limits
from plywise.search.result import Line, Progress, Result

MIN_SECONDS_TO_SWITCH = 0.1  # seconds that must be left for the compiled engine to take over
STOP_POLL = 0.002  # seconds between looks at whether a stop has come
POLL = 0.05
NO_TIME_LIMIT = 1e9
NO_ANSWER_SHARE = 0.7  # of the time on the clock: the limit of a search that has no answer yet
SHALLOW_SEARCH = 0.05  # seconds of a shallow search, even after a stop, which is answered within 0.1 s
PONDER_BONUS = 0.25  # of a move's share, added where we ponder: now and then the next move is found already
LOAD_WAIT = 60.0  # seconds to wait for code that only has to be loaded, however busy the machine is


class BackgroundPlayer:
    """Thinks about one position at a time.

    `notify(task, report)` is called from another thread for each report, and with None at the end; it
    must not wait for the player. `on_compile` is told, from another thread too, how far the game is compiled.
    """

    def __init__(
        self,
        game: Game,
        notify: Callable[[SearchTask, Progress | None], None],
        *,
        seed: int | None = None,
        on_compile: ReadinessListener | None = None,
    ) -> None:
        self.game, self.notify, self.on_compile = game, notify, on_compile
        self.settings = EngineSettings()
        self.task: SearchTask | None = None
        self._dice = random.Random(seed)
        self._pool: EnginePool | None = None
        self._pool_key: object = None
        self._start_build = LatestBuild()
        self._lag = Lag()  # of this game's moves
        self._paused: tuple[SearchTask, float] | None = None

    # --- getting ready --------------------------------------------------------------------------
    def prepare(self) -> EnginePool:
        """The pool for the present settings; it is compiled in the background if it is new.

        While a search runs it is the pool of that search, which may wait for it.
        """
        own = self.settings
        key = own.evaluator, own.player, own.weights, own.without, own.hash, own.threads
        is_searching = self.task is not None and not self.task.finished.is_set()
        if self._pool is None or (key != self._pool_key and not is_searching):
            self._pool_key = key
            self._pool = EnginePool(
                self.game,
                own.evaluator,
                1,
                player=own.player,
                weights=own.weights,
                without=own.without,
                small=own.hash,
                large=own.hash,
                threads=own.threads,
                start_build=self._start_build,
            )
            self._pool.on_compile("switch", self._switch_to_compiled)
            if self.on_compile is not None:
                self._pool.on_compile("tell", self.on_compile)
            self._pool.prepare()
        return self._pool

    @property
    def is_ready(self) -> bool:
        """Whether the engine for the present settings is there; if not, it is on its way."""
        return self.prepare().ready.is_set()

    def wait_until_ready(self, load_wait: float = LOAD_WAIT) -> bool:
        """Wait for the compiled engine of the pool that was prepared last; whether it is there.

        Code in the cache is worth a long wait. A compiler at work is not waited for: a game can begin
        without it, and whoever asks is answered at once. Any thread may wait, after `prepare`.
        """
        pool, began = self._pool or self.prepare(), time.perf_counter()
        while not pool.ready.is_set():
            if is_compiling() or time.perf_counter() - began > load_wait:
                return False
            pool.ready.wait(POLL)
            pool = self._pool or pool  # another may have taken its place, and it is never built
        return True

    def clear(self) -> None:
        """Begin a new game: forget what was searched."""
        self.stop_and_wait()
        self._lag = Lag()
        if self._pool is not None:
            self._pool.clear()

    # --- thinking -------------------------------------------------------------------------------
    @property
    def is_thinking(self) -> bool:
        """Whether there is a search whose answer has not been sent."""
        return self.task is not None and not self.task.answered

    def think(self, request: SearchRequest, now: float | None = None) -> SearchTask:
        """Begin to think; `now` is when the request came."""
        self.stop_and_wait()
        self._paused = None
        now = time.perf_counter() if now is None else now
        task = SearchTask(request, EngineSettings(**vars(self.settings)), now)
        task.waiting = request.infinite or request.ponder
        if not task.waiting:
            self._set_deadlines(task, now)
        self._start(task)
        return task

    def _start(self, task: SearchTask) -> None:
        pool, self.task = self.prepare(), task
        threading.Thread(target=self._work, args=(task, pool), daemon=True).start()

    def _set_deadlines(self, task: SearchTask, now: float) -> None:
        request = task.request
        lag = None
        if request.clock is not None and request.seconds is None and request.rate is None:
            lag, task.clock_started = self._lag, now
            lag.receive(request.clock, request.history.length)
        time_for = request.allowance(task.settings.overhead, lag)
        if time_for is None:
            return
        # The soft limit counts from the start: what was found while pondering saves time now.
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
            if task.search is not None:
                task.search.stop()

    def stop_and_wait(self) -> SearchTask | None:
        """Stop, and wait until the search is at its end; the task if there was one."""
        task = self.task
        if task is not None and not task.finished.is_set():
            self.stop()
            task.finished.wait()
        return task

    def cancel(self) -> None:
        """End the search, running or paused; nobody wants its answer."""
        if self.task is not None:
            self.task.unwanted = True
        task = self.stop_and_wait()
        if task is not None:
            task.answered = True
        self._paused = None

    def pause(self, now: float | None = None) -> None:
        """Stop thinking until `resume`; the time in between does not count."""
        task = self.task
        if task is None or task.answered:
            return
        ended = task.finished.is_set() and not task.unwanted
        self.stop_and_wait()
        task.answered = True
        self._paused = (
            replace(
                task,
                finished=threading.Event(),
                answered=False,
                stopped=False,
                unwanted=False,
                search=None,
            ),
            (time.perf_counter() if now is None else now),
        )
        if ended:  # `resume` will send the answer
            self._paused[0].finished.set()

    @property
    def is_paused(self) -> bool:
        """Whether a search waits for `resume`."""
        return self._paused is not None

    def resume(self, now: float | None = None) -> float:
        """Go on thinking; the seconds of the pause.

        The search begins again over the table that it filled, and so is soon where it was.
        """
        if self._paused is None:
            return 0.0
        (task, since), self._paused = self._paused, None
        gap = (time.perf_counter() if now is None else now) - since
        task.started += gap
        if task.clock_started is not None:
            task.clock_started += gap
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
        """The expected move was played: from now on the clock runs."""
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
        if task.search is not None:
            self._hurry(task, task.search)

    def _hurry(self, task: SearchTask, search: Search) -> None:
        """Give a search that has pondered the time of its move."""
        if task.seconds_left is None:
            search.hurry(NO_TIME_LIMIT)
            return
        search.hurry(max(task.seconds_left, 0.001))
        self._check_soft_limit(task, search)

    # --- in the background ----------------------------------------------------------------------
    def _work(self, task: SearchTask, pool: EnginePool) -> None:
        try:
            if self.game.moves(task.request.history.position):
                task.result = self._from_book(task) or self._search(task, pool)
            else:  # there is nothing to search, so no engine is waited for
                task.result = _any_move(task.request.history)
        except Exception as error:
            task.error = exception_text(error)
            task.result = _any_move(task.request.history)
        while task.waiting and not task.stopped:
            time.sleep(STOP_POLL)  # after a book move, an error, or at a finished game
        limit = task.strength
        if limit is not None and task.result.lines:
            task.line_index = limit.choose(task.result.lines, self.game, self._dice, task.result.unit)
        if task.clock_started is not None and task.deadline is not None:
            began = task.clock_started
            self._lag.send(time.perf_counter() - began, task.deadline - began)
        task.finished.set()
        self.notify(task, None)

    def _from_book(self, task: SearchTask) -> Result | None:
        request, settings = task.request, task.settings
        if settings.book is None or settings.analyse or task.waiting or request.moves or request.mate:
            return None
        move = settings.book(request.history)
        return None if move is None else _result_of_move(request.history, move)

    def _search(self, task: SearchTask, pool: EnginePool) -> Result:
        result: Result | None = None
        if not self._wait_for_compiled(task, pool):
            if task.deadline is None and not task.waiting:
                while not pool.ready.wait(STOP_POLL) and not task.stopped:
                    pass  # without a deadline a late answer is better than a shallow one
            if not pool.ready.is_set():
                result = self._run(task, pool, is_fallback=True)
                self._give_way(task, pool)
        if result is None or (self._has_time_to_switch(task) and pool.ready.is_set()):
            result = self._run(task, pool, is_fallback=False)
        if result.depth == 0 and result.lines and not (task.unwanted or self._has_time_to_switch(task)):
            result = self._shallow_search(task, pool) or result
        return result

    def _shallow_search(self, task: SearchTask, pool: EnginePool) -> Result | None:
        """The best move at first sight, after a stop that came before anything was found."""
        request = task.request
        seconds = (
            SHALLOW_SEARCH
            if task.no_answer_deadline is None
            else min(SHALLOW_SEARCH, task.no_answer_deadline - time.perf_counter())
        )
        if seconds <= STOP_POLL:
            return None
        with _borrow_best(pool) as engine:
            return engine.search(request.history, moves=request.moves, depth=1, time=seconds)

    def _wait_for_compiled(self, task: SearchTask, pool: EnginePool) -> bool:
        """Whether the compiled engine is there, or comes after a moment that this move can spare."""
        began, ready = time.perf_counter(), pool.ready
        while not ready.wait(STOP_POLL) and not task.stopped:
            most = min(POLL, (task.soft_limit or POLL) / 4)
            if task.soft_limit is not None and not is_compiling():
                most = task.soft_limit / 2  # it has only to be loaded, and makes up for the wait
            if time.perf_counter() - began > most:
                break
        return ready.is_set()

    def _give_way(self, task: SearchTask, pool: EnginePool) -> None:
        """Leave the processor to the compiler for the time that this move has left."""
        while self._has_time_to_switch(task) and not pool.ready.wait(STOP_POLL):
            if not task.waiting and task.soft_limit is not None and task.elapsed_seconds() > task.soft_limit:
                return

    def _has_time_to_switch(self, task: SearchTask) -> bool:
        """Whether the compiled engine still has time to do better than the uncompiled one."""
        if task.stopped:
            return False
        return task.seconds_left is None or task.seconds_left > MIN_SECONDS_TO_SWITCH

    def _switch_to_compiled(self, readiness: Readiness) -> None:
        """End an uncompiled search when the pool is ready, if there is time for a compiled one."""
        task = self.task
        if not readiness.done or task is None or task.search is None or not self._has_time_to_switch(task):
            return
        if not task.search.engine.specialisation.compiled:
            task.search.stop()

    def _run(self, task: SearchTask, pool: EnginePool, is_fallback: bool) -> Result:
        """One search of the task, with the uncompiled engine as the fallback."""
        if is_fallback:
            task.clock_started = None  # it may go on beyond its time to a first answer: that is no delay
        with _borrow_best(pool) as engine:
            search, waiting = self._start_search(task, engine, is_fallback)
            with search:
                task.search = search
                # A stop, a ponder hit or the end of compiling may have come before the search was reachable.
                if task.stopped or (is_fallback and pool.ready.is_set() and self._has_time_to_switch(task)):
                    search.stop()
                if waiting and not task.waiting:
                    self._hurry(task, search)
                if task.request.rate == 0:
                    threading.Thread(target=_watch_cpu_time, args=(task, search), daemon=True).start()
                for report in search:
                    self._take_report(task, search, report, is_fallback)
                return search.result()

    def _start_search(self, task: SearchTask, engine: Engine, is_fallback: bool) -> tuple[Search, bool]:
        """A search within the task's limits, and whether it waits for a ponder hit or a stop."""
        request, limit, waiting = task.request, task.strength, task.waiting
        lines, nodes = task.settings.lines, request.nodes
        if task.node_limit is not None:
            nodes = min(nodes or task.node_limit, task.node_limit)
        seconds = self._seconds_left(task, is_fallback) if request.rate is None else None
        if seconds is not None:
            seconds = max(seconds, 0.001)
        infinite = waiting and not is_fallback
        if waiting and is_fallback:
            seconds = STAND_IN_SECONDS
        limits = Limits(request.depth, nodes, seconds, mate=request.mate, infinite=infinite)
        if limit is not None:
            lines, limits = max(lines, limit.lines), limit.within(limits)
        return engine.start(request.history, limits, moves=request.moves, lines=lines), waiting

    def _seconds_left(self, task: SearchTask, is_fallback: bool) -> float | None:
        """The seconds that a search still has; a slow one may go on to its first answer."""
        left = task.seconds_left
        if (
            is_fallback
            and left is not None
            and task.depth_report is None
            and task.no_answer_deadline is not None
        ):
            return max(left, task.no_answer_deadline - time.perf_counter())
        return left

    def _take_report(self, task: SearchTask, search: Search, report: Progress, is_fallback: bool) -> None:
        task.latest_report = report
        if report.current is None:
            is_first = task.depth_report is None
            task.depth_report = report
            task.best_moves.append(report.lines[0].numbers[0])
            task.scores.append(report.lines[0].score)
            if is_fallback and is_first and task.seconds_left is not None and task.request.rate is None:
                # There is an answer: only its own time is left, and of that what the compiler spares.
                search.hurry(min(max(task.seconds_left, 0.0), STAND_IN_SECONDS))
            self._check_soft_limit(task, search)
        self.notify(task, report)

    def _check_soft_limit(self, task: SearchTask, search: Search) -> None:
        """End the search when the time that this move is worth has been used."""
        if task.soft_limit is None or task.waiting or not task.best_moves or task.request.seconds:
            return
        if task.elapsed_seconds() > task.soft_limit * _soft_limit_factor(task):
            search.stop()


@contextmanager
def _borrow_best(pool: EnginePool) -> Iterator[Engine]:
    """The compiled engine if there is one, else the uncompiled one, also where compiling failed."""
    with pool.borrow(large=True, compiled=pool.ready.is_set() and not pool.failed) as engine:
        assert engine is not None
        yield engine


def _watch_cpu_time(task: SearchTask, search: Search) -> None:
    """Stop a search whose clock counts the processor's seconds; nothing else watches that clock."""
    left = task.seconds_left
    while left is None or left > 0:
        wait = POLL if left is None else left / task.settings.threads
        if task.finished.wait(min(max(wait, STOP_POLL), POLL)):
            return
        left = task.seconds_left
    search.stop()


def _soft_limit_factor(task: SearchTask) -> float:
    """More time when the best move has just changed or got worse, less when it stays the same."""
    recent = task.best_moves[-5:]
    factor = 0.7 if len(recent) == 5 and len(set(recent)) == 1 else 1.0
    if len(recent) > 1 and recent[-1] != recent[-2]:
        factor = 1.4
    if len(task.scores) > 1 and task.scores[-1] < task.scores[-2] - 30:
        factor *= 1.4
    return factor


def _result_of_move(history: History, move: int) -> Result:
    """A result without a search."""
    text = history.game.move_text(history.position, move)
    line = Line(0, Kind.ESTIMATE, (text,), (move,))
    return Result(history.game, text, 0, line.kind, 0, 0, 0.0, (line,), move, history=history)


def _any_move(history: History) -> Result:
    """Any legal move, so that the game goes on whatever has failed; none where there is none."""
    moves = history.game.moves(history.position)
    if not moves:
        return Result(history.game, None, 0, Kind.PROVEN, 0, 0, 0.0, (), history=history)
    return _result_of_move(history, moves[0])
