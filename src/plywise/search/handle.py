"""A handle on one search: its reports, its stop, its result.

Each thread deepens on its own over one shared table (lazy SMP) and keeps the time itself: it reads the
clock where it counts nodes. The thread that asks for reports only waits and passes on what the first thread
reports, so Ctrl-C works at once even while compiled code runs; where compiled code has no clock, it stops
the search in time.
"""

import queue
import sys
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self

from plywise.core import monotonic
from plywise.core.bits import mix
from plywise.core.game import Draws
from plywise.core.history import History
from plywise.core.outcome import LOST, WON
from plywise.core.scores import Kind, loss_in, win_in
from plywise.search.deepening import DeepeningThread, SharedSearch, Task
from plywise.search.limits import Limits
from plywise.search.margins import FIRST_POLL, FIRST_TIME
from plywise.search.result import Line, Progress, Result
from plywise.search.specialisation import PLAIN_POLL
from plywise.search.switches import UNSOUND_MASK
from plywise.search.thread_state import FLAGS, MAX_PAST, ThreadState

if TYPE_CHECKING:
    from plywise.search.engine import Engine

REPORT_EVERY = 0.05  # seconds between reports of the root move being searched
STACK_BYTES = 64 << 20  # bytes of a searching thread: rules and search may nest deeply
UNLIMITED = 1 << 62
SECOND = 10**9  # nanoseconds
MAX_SECONDS = 1e9  # more, in nanoseconds, is no word of compiled code; nobody will see the difference
_stack_lock = threading.Lock()


class Search:
    """One search of an engine: an iterator of its reports, made by `Engine.start`.

    It begins with the first report asked for, and waits then until the engine's search before it has
    ended. `stop` and `hurry` may come from any thread at any time, also before the beginning; they are
    never lost and concern this search only. Everything else belongs to one thread. Leaving a `with`
    block, or dropping the last reference, closes the search.

    >>> import plywise
    >>> game = plywise.load("tic_tac_toe")
    >>> search = plywise.Engine(game, hash=1).start(game.history("xx.oo.... x"))
    >>> search.result().move
    'c3'
    """

    def __init__(
        self,
        engine: "Engine",
        history: History,
        limits: Limits,
        roots: list[int],
        restricted: bool,
        lines: int,
    ) -> None:
        self.engine, self.history, self.limits = engine, history, limits
        self._roots, self._restricted, self._lines = roots, restricted, lines
        self._flags = new_flags(engine.specialisation.compiled)
        self._released = threading.Event()  # an infinite search may end
        self._time_up: int | None = None  # by the limits, in nanoseconds of core/monotonic.py
        self._cpu_up: float | None = None  # of the process's time, by the limits
        self._hurried: int | None = None  # by `hurry`: it replaces the limits' time
        self._shared: SharedSearch | None = None  # while the search runs
        self._threads: list[threading.Thread] = []
        self._place = 0  # of the root move reported last
        self._nodes = 0
        self._result: Result | None = None
        self._error: BaseException | None = None

    # --- control, from any thread -------------------------------------------------------------
    def stop(self) -> None:
        """End this search at once; its best move so far is the result."""
        self._set_stop()
        self._released.set()

    def hurry(self, seconds: float) -> None:
        """Give this search a time limit from now on (after a ponder hit)."""
        self._hurried = _deadline(seconds)
        self._set_flag("deadline", self._hurried)
        self._released.set()

    @property
    def nodes(self) -> int:
        """How many positions have been visited so far."""
        shared = self._shared
        return self._nodes if shared is None else shared.nodes()

    # --- reports and result, from one thread --------------------------------------------------
    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Progress:
        """The next report: a finished depth, or the root move being searched."""
        if self._error is not None:
            raise self._error
        if self._result is None and self._shared is None:
            self._begin()
        if self._shared is None:
            raise StopIteration
        try:
            report = self._wait(self._shared)
        except BaseException:
            self.close()
            raise
        if report is None:
            self._end(self._shared)
            raise StopIteration
        return report

    def result(self) -> Result:
        """Run the search to its end; what it has found."""
        for _ in self:
            pass
        assert self._result is not None
        return self._result

    def close(self) -> None:
        """Stop the search; its result is what was found until now. A search that never began never will."""
        self.stop()
        if self._shared is not None:
            try:
                self._end(self._shared)
            except BaseException as error:
                self._error = error
        elif self._result is None and self._error is None:
            self._result = self._any_move()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # When Python exits, its threads stand still: there is nothing to wait for.
        if getattr(self, "_shared", None) is not None and not sys.is_finalizing():
            self.close()

    # --- the course of a search ---------------------------------------------------------------
    def _begin(self) -> None:
        """Take the engine and start the threads; where there is nothing to search, the result is there."""
        engine, limits = self.engine, self.limits
        if not self._roots or engine.player == "random":
            self._result = self._any_move()
            return
        engine.acquire(self)
        try:
            started = time.perf_counter()
            self._cpu_up = None if limits.cpu is None else time.process_time() + limits.cpu
            if limits.time is not None:
                self._time_up = _deadline(limits.time)
                self._set_flag("deadline", self._time_up if self._hurried is None else self._hurried)
            task = Task(
                self.history,
                limits,
                self._roots,
                self._restricted,
                min(self._lines, len(self._roots)),
                engine.specialisation,
                engine.table,
                engine.player,
                engine.distance,
                engine.switches,
                engine.evaluation.unit,
                engine.margins["aspiration_window"],
                engine.margins["aspiration_min_depth"],
            )
            states = engine.thread_states(1 if limits.mate else engine.threads)
            for state in states:
                self.prepare_thread(state)
            self._place, self._shared = 0, SharedSearch(task, states, started)
            workers = [DeepeningThread(self._shared, i) for i in range(len(states))]
            for worker in workers:
                self._threads.append(start_thread(worker.run))
        except BaseException:
            if self._shared is not None:
                self.close()
            else:
                engine.release(0)
            raise

    def _wait(self, shared: SharedSearch) -> Progress | None:
        """The next report, or None when the first thread is done; meanwhile keep the time."""
        while True:
            wait = REPORT_EVERY
            deadline = self._time_up if self._hurried is None else self._hurried
            if deadline is not None:
                left = (deadline - monotonic.now()) / SECOND
                if left <= 0:
                    self._set_stop()
                wait = max(0.0005, min(wait, left))
            if self._cpu_up is not None:
                left = self._cpu_up - time.process_time()
                if left <= 0:
                    self._set_stop()
                # The threads together cannot use it up sooner than this.
                wait = max(0.0005, min(wait, left / len(self._threads)))
            try:
                report = shared.reports.get(timeout=wait)
            except queue.Empty:
                report = shared.current_move()
                if report is not None and report.place != self._place:
                    self._place = report.place
                    return report
                continue
            self._place = 0
            if report is None and self.limits.infinite and shared.error is None:
                self._released.wait()
            return report

    def _end(self, shared: SharedSearch) -> None:
        """Join the threads, give the engine back and keep the result."""
        self._set_stop()
        try:
            for thread in self._threads:
                thread.join()
        finally:
            self._nodes = shared.nodes()
            self._shared = None
            self.engine.release(self._nodes)
        if shared.error is not None:
            self._error = shared.error
            raise shared.error
        self._result = shared.result()

    def _any_move(self) -> Result:
        """The result without a search: a random player's move, the first one, or that there is none."""
        game = self.history.game
        if not self._roots:
            score = {WON: win_in(0), LOST: loss_in(0)}.get(game.verdict(self.history.position), 0)
            return Result(game, None, score, Kind.PROVEN, 0, 0, 0.0, (), history=self.history)
        is_random = self.engine.player == "random"
        move = self.engine.choose_randomly(self._roots) if is_random else self._roots[0]
        line = Line(0, Kind.ESTIMATE, (game.move_text(self.history.position, move),), (move,))
        unit = self.engine.evaluation.unit
        return Result(game, line.moves[0], 0, line.kind, 0, 0, 0.0, (line,), move, unit, self.history)

    def _set_stop(self) -> None:
        self._set_flag("stop", 1)

    def _set_flag(self, name: str, value: int) -> None:
        if isinstance(self._flags, list):
            setattr(self._flags[0], name, value)
        else:
            self._flags[name][0] = value

    def prepare_thread(self, thread: ThreadState) -> None:
        """Set a thread state up for this search."""
        engine, limits, record = self.engine, self.limits, thread.record
        engine.bind(thread)
        thread.bind("flags", self._flags)
        record.nodes = record.stopped = record.overflow = record.guesses = record.skips = record.proving = 0
        record.most_nodes = UNLIMITED if limits.nodes is None else limits.nodes
        compiled = engine.specialisation.compiled
        record.poll_nodes = FIRST_POLL if compiled else PLAIN_POLL
        record.next_poll = min(record.poll_nodes if compiled else 1, record.most_nodes)
        record.poll_time = monotonic.now()
        record.iteration, record.grace = 0, record.poll_time + FIRST_TIME
        record.switches = engine.switches
        record.distance_factor = int(engine.distance)
        if limits.mate is not None:
            record.switches &= ~UNSOUND_MASK
        record.exact_minimax = int(engine.switches & UNSOUND_MASK == 0)
        record.draw_plies = _draw_plies(engine.game.draws, self.history.clock)
        record.repetition_draws = int(engine.game.draws.repetition > 0)
        record.most_moves = engine.game.most_moves
        drawn = self.history.positions_drawn_on_return(MAX_PAST)
        past_hash = 0
        for i, key in enumerate(drawn):
            record.path[i] = key
            past_hash = mix(past_hash, key)
        record.past_plies, record.past_hash = len(drawn), past_hash
        for side, plies in enumerate(engine.past_win_plies(drawn.values())):
            record.past_win_plies[side] = plies
        record.reversible[0] = self.history.clock
        _fill(record.killers, -1)
        _fill(record.excluded, 0)
        _fill(record.all_moves, 0)
        _halve(record.history)


def start_thread(run: Callable[[], None]) -> threading.Thread:
    """Start a thread whose stack is large enough for a search."""
    with _stack_lock:
        before = threading.stack_size(STACK_BYTES)
        try:
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
        finally:
            threading.stack_size(before)
    return thread


def _deadline(seconds: float) -> int:
    """The time by core/monotonic.py in this many seconds."""
    return monotonic.now() + int(min(seconds, MAX_SECONDS) * SECOND)


def _draw_plies(draws: Draws, reversible: int) -> int:
    """The plies without progress that are a draw; where nobody claimed it, those of the last limit."""
    return next((plies for plies in (draws.plies, draws.last_plies) if reversible < plies), 0)


def new_flags(native: bool) -> Any:
    """A stop flag that is down."""
    if not native:
        return [SimpleNamespace(stop=0, deadline=0)]
    import numpy as np

    return np.zeros(1, np.dtype(list(FLAGS.fields)))


def _fill(array: Any, value: int) -> None:
    if isinstance(array, list):
        array[:] = [value] * len(array)
    else:
        array.fill(value)


def _halve(array: Any) -> None:
    if isinstance(array, list):
        array[:] = [value // 2 for value in array]
    else:
        array //= 2
