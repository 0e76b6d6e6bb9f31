"""The search as a program uses it: iterative deepening on threads, with limits and progress.

Each thread deepens on its own over one shared table (lazy SMP). The caller's thread only waits: it
keeps the clock, passes on what the first thread reports, and so hears Ctrl-C at once even while
compiled code runs.
"""

import queue
import random
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from plywise.core.bits import mix
from plywise.core.errors import BadLimits, UnknownName
from plywise.core.game import Draws, Game
from plywise.core.history import History
from plywise.core.resources import BadWeights
from plywise.core.scores import WIN, Kind
from plywise.search.alphabeta import search_root
from plywise.search.deepening import SharedSearch
from plywise.search.limits import Limits
from plywise.search.margins import POLL
from plywise.search.result import Line, Progress, Result
from plywise.search.specialisation import Specialisation, evaluation_changes
from plywise.search.switches import UNSOUND_MASK, switches
from plywise.search.textbook import alphabeta_root, minimax_root
from plywise.search.thread_state import FLAGS, MAX_PAST, NODE, ThreadState, weights_record
from plywise.search.transposition import TranspositionTable

REPORT_EVERY = 0.05  # seconds between reports of the root move being searched
UNLIMITED = 1 << 62

# The search itself and the textbook players beside it.
PLAYERS: dict[str, Callable[..., int]] = {
    "default": search_root,
    "minimax": minimax_root,
    "alphabeta": alphabeta_root,
    "greedy": minimax_root,
    "random": minimax_root,
}


class Engine:
    """A player for one game and one evaluation; it keeps its table from search to search.

    `player` is the search itself (`default`) or a textbook player: `minimax`, `alphabeta`, `greedy`
    (the best evaluation a turn ahead) or `random` (with its `seed`). `without` switches parts of
    the search off by name. `distance=False` lets textbook players count a win the same wherever it
    comes. `record` keeps so many nodes of each search in `log`.

    >>> import plywise
    >>> game = plywise.load("tic_tac_toe")
    >>> engine = plywise.Engine(game, hash=1)
    >>> engine.search(game.history("xx.oo.... x"), depth=9).move
    'c3'
    """

    def __init__(
        self,
        game: Game,
        evaluator: str = "default",
        *,
        player: str = "default",
        hash: int = 64,
        threads: int = 1,
        compiled: bool = True,
        without: Iterable[str] = (),
        weights: str | None = None,
        record: int = 0,
        seed: int = 0,
        distance: bool = True,
    ) -> None:
        if player not in PLAYERS:
            raise UnknownName("player", player, PLAYERS)
        if threads < 1:
            raise BadLimits(f"threads must be a whole number from 1 up, not {threads}")
        if hash < 1:
            raise BadLimits(f"hash must be megabytes from 1 up, not {hash}")
        self.game, self.threads = game, threads if player == "default" else 1
        self.evaluation = game.evaluation(evaluator)
        if weights is not None:
            game.weights(evaluator, weights)  # refused before anything is compiled
        self.without, self.weights = tuple(without), weights
        self.switches = switches(self.without)
        changes = dict(evaluation_changes(self.evaluation))
        if record:
            changes["RECORD"] = True
        self.player, self.distance = player, distance
        self.specialisation = Specialisation(PLAYERS[player], game, self.evaluation, changes, compiled)
        self._random = random.Random(seed)
        self.table = TranspositionTable(hash, self.specialisation.compiled)
        self._weights_path = weights
        self._stamps: Any = None
        self._weights: Any = None
        self._lock = threading.Lock()
        self._flags = _new_flags(self.specialisation.compiled)
        self._thread_states: list[ThreadState] = []
        self._deadline: float | None = None
        self._released = threading.Event()
        self.log = _new_log(record, self.specialisation.compiled) if record else None

    # --- control ------------------------------------------------------------------------------
    def stop(self) -> None:
        """End the search that is running, at once; its best move so far is the answer."""
        _set_stop(self._flags, 1)
        self._released.set()

    def hurry(self, seconds: float) -> None:
        """Give the running search a time limit from now (after a ponder hit)."""
        self._deadline = time.perf_counter() + seconds
        self._released.set()

    @property
    def nodes(self) -> int:
        """How many positions the search that is running, or the last one, has visited so far."""
        return sum(int(thread.record.nodes) for thread in self._thread_states[: self.threads])

    def clear(self) -> None:
        """Forget what earlier searches have learned."""
        with self._lock:
            self.table.clear()
            self._thread_states.clear()

    # --- searching ----------------------------------------------------------------------------
    def search(
        self,
        history: History,
        limits: Limits | None = None,
        *,
        moves: Sequence[str] = (),
        lines: int = 1,
        progress: Callable[[Progress], None] | None = None,
        **limit: Any,
    ) -> Result:
        """The best move. Limits may be given as keywords: depth, nodes, time, mate."""
        run = self.run(history, limits, moves=moves, lines=lines, **limit)
        while True:
            try:
                report = next(run)
            except StopIteration as end:
                return cast(Result, end.value)
            if progress is not None:
                progress(report)

    def run(
        self,
        history: History,
        limits: Limits | None = None,
        *,
        moves: Sequence[str] = (),
        lines: int = 1,
        **limit: Any,
    ) -> Generator[Progress, None, Result]:
        """Search, yielding a report for each finished depth and, in between, each root move.

        The generator's value is the result. Closing it stops the search. It begins with the first report
        asked for; a `stop` from now on counts for it.
        """
        limits = replace(limits or Limits(), **limit)
        if history.game is not self.game:
            raise BadLimits(f"this engine plays {self.game.name}, not {history.game.name}")
        if lines < 1:
            raise BadLimits(f"lines must be a whole number from 1 up, not {lines}")
        roots = self.game.moves(history.position)
        if moves:
            chosen = [self.game.read_move(history.position, move) for move in moves]
            roots = [move for move in roots if move in chosen]
        # A stop meant for a search that has ended must not end this one; one that is running clears up
        # behind itself.
        if self._lock.acquire(blocking=False):
            self._clear_stop()
            self._lock.release()
        return self._run_locked(history, limits, roots, bool(moves), lines)

    def _run_locked(
        self, history: History, limits: Limits, roots: list[int], restricted: bool, lines: int
    ) -> Generator[Progress, None, Result]:
        with self._lock:
            return (yield from self._run(history, limits, roots, restricted, lines))

    def _clear_stop(self) -> None:
        """No stop has been asked for."""
        self._released.clear()
        _set_stop(self._flags, 0)

    def _run(self, history: History, limits: Limits, roots: list[int], restricted: bool, lines: int) -> Any:
        started = time.perf_counter()
        if not roots:
            return _no_move_result(history)
        if self.player == "random":
            return self._random_move(history, roots)
        self._deadline = None if limits.time is None else started + limits.time
        self._reload_resources()
        self.table.age()
        shared = SharedSearch(self, history, limits, roots, restricted, min(lines, len(roots)), started)
        while len(self._thread_states) < self.threads:
            self._thread_states.append(self.specialisation.new_thread())
        threads = [shared.start(self._thread_states[i], i) for i in range(1 if limits.mate else self.threads)]
        try:
            yield from self._wait(shared, limits)
        finally:
            _set_stop(self._flags, 1)
            for thread in threads:
                thread.join()
            self._clear_stop()
        if shared.error is not None:
            raise shared.error
        return shared.result()

    def _random_move(self, history: History, roots: list[int]) -> Result:
        """Any legal move, and no opinion of it."""
        move = self._random.choice(roots)
        line = Line(0, Kind.ESTIMATE, (self.game.move_text(history.position, move),), (move,))
        unit = self.evaluation.unit
        return Result(self.game, line.moves[0], 0, line.kind, 0, 0, 0.0, (line,), move, unit)

    def _wait(self, shared: SharedSearch, limits: Limits) -> Iterator[Progress]:
        """Pass on reports until the first thread is done; keep the clock."""
        finished = False
        place = 0
        while not finished:
            wait = REPORT_EVERY
            if self._deadline is not None:
                left = self._deadline - time.perf_counter()
                if left <= 0:
                    _set_stop(self._flags, 1)
                wait = max(0.0005, min(wait, left))
            try:
                report = shared.reports.get(timeout=wait)
            except queue.Empty:
                now = shared.current_move()
                if now is not None and now.place != place:
                    place = now.place
                    yield now
                continue
            if report is None:
                finished = True
            else:
                place = 0
                yield report
        if limits.infinite and shared.error is None:
            self._released.wait()

    def _reload_resources(self) -> None:
        """Look at what is lent to the search; if anything is new, the table knows nothing of it."""
        resources = [(one.name, *one.current()) for one in self.game.lends]
        stamps: list[Any] = [stamp for _, _, stamp in resources]
        weights = self.evaluation.weights
        if weights is not None:
            path = weights.path if self._weights_path is None else self._weights_path
            stamps.append(_file_stamp(path))
        if self._stamps is not None and stamps == self._stamps:
            return
        if weights is not None:
            values = weights.values(self._weights_path)
            self._weights = weights_record(weights.layout, values, self.specialisation.compiled)
        if self._stamps is not None:
            self.table.clear()
        self._stamps, self._resources = stamps, resources
        self._thread_states.clear()

    def prepare_thread(self, thread: ThreadState, history: History, limits: Limits) -> None:
        """Set a thread's memory up for a search."""
        record = thread.record
        self.table.bind(thread)
        thread.bind("flags", self._flags)
        thread.bind("weights", self._weights)
        for name, data, _ in self._resources:
            thread.bind(name, data)
        if self.log is not None:
            thread.bind("log", self.log)
            record.log_rows = len(self.log)
        record.nodes = record.stopped = record.overflow = record.guesses = record.skips = 0
        record.most_nodes = UNLIMITED if limits.nodes is None else limits.nodes
        record.next_poll = min(POLL if self.specialisation.compiled else 1, record.most_nodes)
        record.switches = self.switches
        record.distance_factor = int(self.distance)
        if limits.mate is not None:
            record.switches &= ~UNSOUND_MASK
        record.exact_minimax = int(limits.mate is None and self.switches & UNSOUND_MASK == 0)
        record.draw_plies = _draw_plies(self.game.draws, history.clock)
        record.repetition_draws = int(self.game.draws.repetition > 0)
        record.most_moves = self.game.most_moves
        drawn = history.keys_drawn_on_return(MAX_PAST)
        past_hash = 0
        for i, key in enumerate(drawn):
            record.path[i] = key
            past_hash = mix(past_hash, key)
        record.past_plies, record.past_hash = len(drawn), past_hash
        record.reversible[0] = history.clock
        _fill(record.killers, -1)
        _fill(record.excluded, 0)
        _halve(record.history)


_OPTIONS = ("player", "hash", "threads", "compiled", "without", "weights", "seed", "distance")


def analyse(
    history: History,
    limits: Limits | None = None,
    *,
    evaluator: str = "default",
    moves: Sequence[str] = (),
    lines: int = 1,
    **options: Any,
) -> Result:
    """The best move here: one search with a fresh engine.

    Options are limits (depth, nodes, time, mate) and those of `Engine` (hash, threads, ...).
    """
    run = progress(history, limits, evaluator=evaluator, moves=moves, lines=lines, **options)
    while True:
        try:
            next(run)
        except StopIteration as end:
            return cast(Result, end.value)


def progress(
    history: History,
    limits: Limits | None = None,
    *,
    evaluator: str = "default",
    moves: Sequence[str] = (),
    lines: int = 1,
    **options: Any,
) -> Generator[Progress, None, Result]:
    """The search as it goes: a report for each finished depth and root move."""
    engine_options = {name: options.pop(name) for name in _OPTIONS if name in options}
    engine = Engine(history.game, evaluator, **engine_options)
    return engine.run(history, limits, moves=moves, lines=lines, **options)


def _no_move_result(history: History) -> Result:
    """The answer where there is no move to play."""
    verdict = history.game.verdict(history.position)
    score = {1: WIN, -1: -WIN}.get(verdict, 0)
    return Result(history.game, None, score, Kind.PROVEN, 0, 0, 0.0, ())


def _draw_plies(draws: Draws, reversible: int) -> int:
    """The plies without progress that are a draw; where nobody claimed it, those of the last limit."""
    return next((plies for plies in (draws.plies, draws.last_plies) if reversible < plies), 0)


def _new_flags(native: bool) -> Any:
    if not native:
        from types import SimpleNamespace

        return [SimpleNamespace(stop=0)]
    import numpy as np

    return np.zeros(1, np.dtype(list(FLAGS.fields)))


def _set_stop(flags: Any, value: int) -> None:
    if isinstance(flags, list):
        flags[0].stop = value
    else:
        flags["stop"][0] = value


def _new_log(rows: int, native: bool) -> Any:
    import numpy as np

    log = np.zeros(rows, np.dtype(list(NODE.fields)))
    return log if native else log.view(np.recarray)


def _file_stamp(path: Any) -> Any:
    import os

    try:
        info = os.stat(path)
    except OSError as error:
        raise BadWeights(f"weights {path}: {error.strerror}") from None
    return str(path), info.st_mtime_ns, info.st_size, info.st_ino


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
