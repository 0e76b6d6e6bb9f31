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

from plywise.core.errors import BadGame, BadLimits, UnknownName
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.lent import BadWeights
from plywise.core.scores import DECISIVE, INFINITE, SURE, WIN, is_decisive, is_sure
from plywise.search.limits import Limits
from plywise.search.margins import ASPIRATION, ASPIRATION_FROM, POLL
from plywise.search.memory import FLAGS, NODE, PAST, Memory, weights_record
from plywise.search.result import Kind, Line, Progress, Result
from plywise.search.runner import Runner, evaluation_changes
from plywise.search.switches import INEXACT, WINDOWS, switches
from plywise.search.table import Transpositions
from plywise.search.textbook import alphabeta_root, minimax_root
from plywise.search.visit import iterate

STACK = 64 << 20  # bytes of a searching thread: rules and search may nest deeply
REPORT_EVERY = 0.05  # seconds between reports of the root move being searched
UNLIMITED = 1 << 62

# The search itself and the textbook players beside it.
PLAYERS: dict[str, Callable[..., int]] = {
    "default": iterate,
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
        self.without, self.weights = tuple(without), weights
        self.switches = switches(self.without)
        changes = dict(evaluation_changes(self.evaluation))
        if record:
            changes["RECORD"] = True
        self.player, self.distance = player, distance
        self.runner = Runner(PLAYERS[player], game, self.evaluation, changes, compiled)
        self._random = random.Random(seed)
        self.table = Transpositions(hash, self.runner.compiled)
        self._weights_path = weights
        self._stamps: Any = None
        self._weights: Any = None
        self._lock = threading.Lock()
        self._flags = _flags(self.runner.compiled)
        self._memories: list[Memory] = []
        self._deadline: float | None = None
        self._released = threading.Event()
        self.log = _log(record, self.runner.compiled) if record else None

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
        return sum(int(memory.record.nodes) for memory in self._memories[: self.threads])

    def clear(self) -> None:
        """Forget what earlier searches have learned."""
        with self._lock:
            self.table.clear()
            self._memories.clear()

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
            self._rearm()
            self._lock.release()
        return self._begun(history, limits, roots, bool(moves), lines)

    def _begun(
        self, history: History, limits: Limits, roots: list[int], restricted: bool, lines: int
    ) -> Generator[Progress, None, Result]:
        with self._lock:
            return (yield from self._run(history, limits, roots, restricted, lines))

    def _rearm(self) -> None:
        """No stop has been asked for."""
        self._released.clear()
        _set_stop(self._flags, 0)

    def _run(self, history: History, limits: Limits, roots: list[int], restricted: bool, lines: int) -> Any:
        started = time.perf_counter()
        if not roots:
            return _over(history)
        if self.player == "random":
            return self._any(history, roots)
        self._deadline = None if limits.time is None else started + limits.time
        self._refresh()
        self.table.age()
        shared = _Shared(self, history, limits, roots, restricted, min(lines, len(roots)), started)
        while len(self._memories) < self.threads:
            self._memories.append(self.runner.memory())
        threads = [shared.start(self._memories[i], i) for i in range(1 if limits.mate else self.threads)]
        try:
            yield from self._wait(shared, limits)
        finally:
            _set_stop(self._flags, 1)
            for thread in threads:
                thread.join()
            self._rearm()
        if shared.error is not None:
            raise shared.error
        return shared.result()

    def _any(self, history: History, roots: list[int]) -> Result:
        """Any legal move, and no opinion of it."""
        move = self._random.choice(roots)
        line = Line(0, Kind.ESTIMATE, (self.game.move_text(history.position, move),), (move,))
        unit = self.evaluation.unit
        return Result(self.game, line.moves[0], 0, line.kind, 0, 0, 0.0, (line,), move, unit)

    def _wait(self, shared: "_Shared", limits: Limits) -> Iterator[Progress]:
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
                now = shared.current()
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

    def _refresh(self) -> None:
        """Look at what is lent to the search; if anything is new, the table knows nothing of it."""
        lent = [(one.name, *one.current()) for one in self.game.lends]
        stamps: list[Any] = [stamp for _, _, stamp in lent]
        weights = self.evaluation.weights
        if weights is not None:
            path = weights.path if self._weights_path is None else self._weights_path
            stamps.append(_stamp(path))
        elif self._weights_path is not None:
            raise BadLimits(f"evaluator {self.evaluation.name!r} of {self.game.name} has no weights")
        if self._stamps is not None and stamps == self._stamps:
            return
        if weights is not None:
            values = weights.values(self._weights_path)
            self._weights = weights_record(weights.layout, values, self.runner.compiled)
        if self._stamps is not None:
            self.table.clear()
        self._stamps, self._lent = stamps, lent
        self._memories.clear()

    def _prepare(self, memory: Memory, history: History, limits: Limits) -> None:
        """Set a thread's memory up for a search."""
        record = memory.record
        self.table.lend(memory)
        memory.lend("flags", self._flags)
        memory.lend("weights", self._weights)
        for name, data, _ in self._lent:
            memory.lend(name, data)
        if self.log is not None:
            memory.lend("log", self.log)
            record.room = len(self.log)
        record.nodes = record.stopped = record.overflow = record.guesses = record.skips = 0
        record.most_nodes = UNLIMITED if limits.nodes is None else limits.nodes
        record.poll = min(POLL if self.runner.compiled else 1, record.most_nodes)
        record.switches = self.switches
        record.counted = int(self.distance)
        if limits.mate is not None:
            record.switches &= ~INEXACT
        record.patience = self.game.draws.plies
        record.repeats = int(self.game.draws.repetition > 0)
        record.stride = 2 if self.game.alternating else 1
        record.most = self.game.most_moves
        past = history.keys(PAST)
        record.past = len(past)
        for i, key in enumerate(past):
            record.path[i] = key
        record.clocks[0] = history.clock
        _fill(record.killers, -1)
        _fill(record.barred, 0)
        _halve(record.history)


class _Shared:
    """One search: what its threads have in common."""

    def __init__(
        self,
        engine: Engine,
        history: History,
        limits: Limits,
        roots: list[int],
        restricted: bool,
        lines: int,
        started: float,
    ) -> None:
        self.engine, self.history, self.limits = engine, history, limits
        self.roots, self.restricted, self.lines, self.started = roots, restricted, lines, started
        self.reports: queue.SimpleQueue[Progress | None] = queue.SimpleQueue()
        self.memories: list[Memory] = []
        self.found: tuple[Line, ...] = ()
        self.depth = 0
        self.error: BaseException | None = None

    def start(self, memory: Memory, place: int) -> threading.Thread:
        self.engine._prepare(memory, self.history, self.limits)
        self.memories.append(memory)
        worker = _Worker(self, memory, place)
        with _stack_lock:
            before = threading.stack_size(STACK)
            try:
                thread = threading.Thread(target=worker.run, daemon=True)
                thread.start()
            finally:
                threading.stack_size(before)
        return thread

    def nodes(self) -> int:
        return sum(int(memory.record.nodes) for memory in self.memories)

    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def report(self, depth: int, lines: tuple[Line, ...]) -> None:
        """The first thread has finished a depth."""
        self.depth, self.found = depth, lines
        deepest = int(self.memories[0].record.deepest)
        self.reports.put(
            Progress(
                depth,
                self.nodes(),
                self.seconds(),
                lines,
                full=self.engine.table.full(),
                deepest=max(depth, deepest, len(lines[0].numbers)),
            )
        )

    def current(self) -> Progress | None:
        """The root move that the first thread is at."""
        record = self.memories[0].record
        place = int(record.done) + 1
        if place > len(self.roots):
            return None
        move = self.engine.game.move_text(self.history.position, int(record.moves[place - 1]))
        return Progress(self.depth + 1, self.nodes(), self.seconds(), self.found, move, place)

    def result(self) -> Result:
        if not self.found:  # stopped before depth 1 was done: any legal move is better than none
            text = self.engine.game.move_text(self.history.position, self.roots[0])
            self.found = (Line(0, Kind.ESTIMATE, (text,), (self.roots[0],)),)
        top = self.found[0]
        return Result(
            self.engine.game,
            top.moves[0],
            top.score,
            top.kind,
            self.depth,
            self.nodes(),
            self.seconds(),
            self.found,
            top.numbers[0],
            self.engine.evaluation.unit,
        )


class _Worker:
    """One thread: iterative deepening over the root moves."""

    def __init__(self, shared: _Shared, memory: Memory, place: int) -> None:
        self.shared, self.memory, self.record, self.place = shared, memory, memory.record, place
        self.engine, self.limits = shared.engine, shared.limits
        self.position = shared.history.position
        self.moves = list(shared.roots)
        self.exact = self.engine.switches & INEXACT == 0
        self.lines: list[Line] = []

    def run(self) -> None:
        try:
            if self.engine.player != "default":
                self.textbook()
            elif self.limits.mate is not None:
                self.mate(self.limits.mate)
            else:
                self.deepen()
        except BaseException as error:
            self.shared.error = self.shared.error or error
        finally:
            if self.place == 0:
                self.shared.reports.put(None)

    # --- the iterations ---------------------------------------------------------------------
    def deepen(self) -> None:
        soft, deepest = self.limits.soft, self.limits.deepest
        for depth in range(1, deepest + 1):
            if self.place % 2 and depth > 2 and depth < deepest and depth % 2 == 0:
                continue  # helpers of odd place look two turns further, so that threads spread out
            lines: list[Line] = []
            for first in range(self.shared.lines):
                before = self.lines[first].score if first < len(self.lines) else None
                line = self.line(depth, first, before)
                if line is None:
                    break
                lines.append(line)
                if self.record.stopped:
                    break
            if lines:
                lines.sort(key=lambda line: -line.score)
                self.lines = lines + self.lines[len(lines) :]
                if self.place == 0:
                    done = depth if not self.record.stopped else depth - 1
                    self.shared.report(max(done, 1), tuple(self.lines))
            if self.record.stopped:
                break
            if all(line.kind is Kind.PROVEN for line in self.lines):
                break
            if soft is not None and self.shared.seconds() > soft:
                break
            if len(self.moves) == 1 and self.limits.time is not None and not self.limits.infinite:
                break  # there is nothing to choose

    def line(self, depth: int, first: int, before: int | None) -> Line | None:
        """The best of the root moves from `first` on, or None if the search was stopped."""
        alpha, beta, width = -INFINITE, INFINITE, ASPIRATION
        record = self.record
        if (
            record.switches & WINDOWS
            and before is not None
            and depth >= ASPIRATION_FROM
            and abs(before) < SURE
        ):
            alpha, beta = before - width, before + width
        while True:
            score = self.iterate(depth, first, alpha, beta)
            if record.stopped:
                return self.partial(score, first)
            self.bring(first)
            if alpha < score < beta:
                break
            width *= 4
            if width > 16 * ASPIRATION or is_sure(score):
                width = 2 * INFINITE
            alpha = max(-INFINITE, score - width) if score <= alpha else alpha
            beta = min(INFINITE, score + width) if score >= beta else beta
        complete = record.guesses == 0
        line = self.noted(score, self.kind(score, complete), first)
        if is_decisive(score) and not complete:
            line = self.verified(depth, first, line)
        return line

    def iterate(self, depth: int, first: int, alpha: int, beta: int) -> int:
        """One pass over the root moves in their present order."""
        record, moves = self.record, self.moves
        for i, move in enumerate(moves):
            record.moves[i] = move
            record.order[i] = len(moves) - i
            record.efforts[i] = 0
        record.first, record.last, record.done = first, len(moves), first
        record.whole = int(first == 0 and not self.shared.restricted)
        record.best, record.iteration = -1, min(depth, 127)
        record.guesses = record.skips = record.deepest = 0
        score = self.engine.runner(self.position, self.memory, depth, alpha, beta)
        if record.overflow:
            raise BadGame(
                f"{self.engine.game.name}: a position has {record.overflow} moves, more than the"
                f" {self.engine.game.most_moves} promised by @game(most_moves=...)"
            )
        return score

    def bring(self, first: int) -> None:
        """Put the best root move in front; the rest follow by the work they took."""
        record, best = self.record, int(self.record.best)
        efforts = {int(record.moves[i]): int(record.efforts[i]) for i in range(first, len(self.moves))}
        rest = self.moves[first:]
        rest.sort(key=lambda move: (move != best, -efforts[move]))
        self.moves[first:] = rest

    def noted(self, score: int, kind: Kind, first: int) -> Line:
        """The line that stands in memory, as text."""
        length = int(self.record.lengths[0])
        numbers = [int(self.record.lines[i]) for i in range(length)] or [self.moves[first]]
        game, position, texts = self.engine.game, self.position, []
        for move in numbers:
            texts.append(game.move_text(position, move))
            position = position.play(move)
        return Line(score, kind, tuple(texts), tuple(numbers))

    def kind(self, score: int, complete: bool) -> Kind:
        if complete or (is_sure(score) and not is_decisive(score)):
            return Kind.PROVEN
        if is_decisive(score):
            return Kind.BOUND
        return Kind.EXACT if self.exact else Kind.ESTIMATE

    def partial(self, score: int, first: int) -> Line | None:
        """What a stopped iteration still tells: a move that beat the last one was found."""
        record = self.record
        if record.best < 0 or first > 0 or (record.done <= first + 1 and self.lines):
            return None
        best = int(record.best)
        place = next(i for i in range(len(self.moves)) if int(record.moves[i]) == best)
        return self.noted(int(record.order[place]), Kind.ESTIMATE, first)

    def verified(self, depth: int, first: int, line: Line) -> Line:
        """Make sure that a win is the shortest, a loss the longest: the same without pruning.

        A forced win is true as soon as it is seen; that there is no shorter one is known only
        when all moves were searched as deep as it is long.
        """
        while True:
            # A ply more than the win is long: that a side has no move shows only when it looks.
            deep = max(depth, WIN - abs(line.score) + 1)
            if deep > self.limits.deepest + 1:
                return line
            if line.score > 0:
                score = self.iterate(deep, first, line.score - 1, INFINITE)
            else:
                score = self.iterate(deep, first, -INFINITE, line.score + 1)
            if self.record.stopped:
                return line
            self.bring(first)
            if self.record.lengths[0] and int(self.record.best) >= 0:
                better = self.noted(score, Kind.PROVEN, first)
            else:
                better = replace(line, score=score, kind=Kind.PROVEN)
            if score == line.score:
                return better
            if not is_decisive(score):
                return replace(line, kind=Kind.BOUND)
            line = better

    def textbook(self) -> None:
        """Straight to the depth; deepening only under limits that may come first."""
        deepest = 1 if self.engine.player == "greedy" else self.limits.deepest
        straight = self.limits.time is None and self.limits.nodes is None
        for depth in range(deepest if straight else 1, deepest + 1):
            lines: list[Line] = []
            for first in range(self.shared.lines):
                score = self.iterate(depth, first, -INFINITE, INFINITE)
                if self.record.stopped:
                    return
                proven = self.record.guesses == 0 or (is_decisive(score) and self.engine.distance)
                lines.append(self.noted(score, Kind.PROVEN if proven else Kind.EXACT, first))
                self.bring(first)
            self.shared.report(depth, tuple(lines))
            if all(line.kind is Kind.PROVEN for line in lines):
                return

    def mate(self, moves: int) -> None:
        """Whether the side to move can force a win within so many of its own moves."""
        for depth in range(1, 2 * moves, 2):
            # A ply more than the win is long: that a side has no move shows only when it looks for one.
            score = self.iterate(depth + 1, 0, WIN - depth - 1, WIN)
            if self.record.stopped:
                return
            self.bring(0)
            if score > DECISIVE:
                self.shared.report(depth, (self.noted(score, Kind.PROVEN, 0),))
                return
            move = self.moves[0]
            text = self.engine.game.move_text(self.position, move)
            self.shared.report(depth, (Line(0, Kind.BOUND, (text,), (move,)),))


_stack_lock = threading.Lock()
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
    own = {name: options.pop(name) for name in _OPTIONS if name in options}
    engine = Engine(history.game, evaluator, **own)
    return engine.run(history, limits, moves=moves, lines=lines, **options)


def _over(history: History) -> Result:
    """The answer where there is no move to play."""
    verdict = history.game.verdict(history.position)
    score = {1: WIN, -1: -WIN}.get(verdict, 0)
    return Result(history.game, None, score, Kind.PROVEN, 0, 0, 0.0, ())


def _flags(native: bool) -> Any:
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


def _log(rows: int, native: bool) -> Any:
    import numpy as np

    log = np.zeros(rows, np.dtype(list(NODE.fields)))
    return log if native else log.view(np.recarray)


def _stamp(path: Any) -> Any:
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
