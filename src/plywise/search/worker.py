"""The threads of one search, each deepening on its own, and what they have in common.

The engine starts them and keeps the clock; here is what a thread does between its first iteration
and its last, and how what it finds becomes lines, reports and the result.
"""

import queue
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from plywise.core.errors import BadGame
from plywise.core.history import History
from plywise.core.scores import DECISIVE, INFINITE, SURE, WIN, distance, is_decisive, is_sure
from plywise.search.limits import DEEPEST, Limits
from plywise.search.margins import ASPIRATION, ASPIRATION_FROM
from plywise.search.memory import Memory
from plywise.search.result import Kind, Line, Miss, Progress, Result
from plywise.search.switches import INEXACT, WINDOWS

if TYPE_CHECKING:
    from plywise.search.engine import Engine

MISSES_FROM = 1.0  # seconds: before, a line that is searched again is there at once
STACK = 64 << 20  # bytes of a searching thread: rules and search may nest deeply
_stack_lock = threading.Lock()


class Shared:
    """One search: what its threads have in common."""

    def __init__(
        self,
        engine: "Engine",
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
        self.engine.prepare(memory, self.history, self.limits)
        self.memories.append(memory)
        worker = Worker(self, memory, place)
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
        """The first thread has finished a depth, or was stopped in the one after it.

        What was seen of the very first is told as depth 1, but not counted in the result.
        """
        self.depth, self.found = depth, lines
        deepest, depth = int(self.memories[0].record.deepest), max(depth, 1)
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

    def missed(self, depth: int, miss: Miss) -> None:
        """The first thread begins a depth again: the score fell out of its window."""
        record = self.memories[0].record
        self.reports.put(
            Progress(
                depth,
                self.nodes(),
                self.seconds(),
                self.found,
                miss.line.moves[0],
                miss.number,
                self.engine.table.full(),
                max(depth, int(record.deepest), len(miss.line.numbers)),
                miss,
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


class Worker:
    """One thread: iterative deepening over the root moves."""

    def __init__(self, shared: Shared, memory: Memory, place: int) -> None:
        self.shared, self.memory, self.record, self.place = shared, memory, memory.record, place
        self.engine, self.limits = shared.engine, shared.limits
        self.position = shared.history.position
        self.moves = list(shared.roots)
        self.ranked = [False] * len(self.moves)  # the moves from each place on were searched before
        self.exact = self.engine.switches & INEXACT == 0
        self.lines: list[Line] = []
        self.apart: set[int] = set()  # moves whose lines were searched without some that are not proven

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
                self.lines = self.merged(lines) if self.record.stopped else self.finished(lines)
                if self.place == 0:
                    self.shared.report(depth if not self.record.stopped else depth - 1, tuple(self.lines))
            if self.record.stopped:
                break
            if all(line.kind is Kind.PROVEN for line in self.lines):
                break
            if soft is not None and self.shared.seconds() > soft:
                break
            if len(self.moves) == 1 and self.limits.time is not None and not self.limits.infinite:
                break  # there is nothing to choose

    def merged(self, lines: list[Line]) -> list[Line]:
        """The lines that an iteration found before it was stopped, then those of the one before.

        A move that has no new line was not found better than those that have one, whatever it looked like
        a turn earlier: its old score is cut to theirs, unless it is proven. Exact is what belongs to the
        depth that the result names, so what is of another depth is an estimate.
        """
        known = {line.numbers[0] for line in lines}
        least = min(line.score for line in lines)
        new = [replace(line, kind=Kind.ESTIMATE) if line.kind is Kind.EXACT else line for line in lines]
        old = [
            line
            if line.score <= least or line.kind is Kind.PROVEN
            else replace(line, score=least, kind=Kind.ESTIMATE)
            for line in self.lines
            if line.numbers[0] not in known
        ]
        self.apart = self.apart - known | without_unproven(lines)
        return self.for_all(in_order(new + old[: self.shared.lines - len(new)]))

    def finished(self, lines: list[Line]) -> list[Line]:
        """The lines of a finished iteration, the best first."""
        self.apart = without_unproven(lines)
        return self.for_all(in_order(lines))

    def for_all(self, lines: list[Line]) -> list[Line]:
        """The lines, the first of them with a claim that holds for all root moves.

        A line that was proven without moves of which nothing is proven says enough of its own move. In
        front it would say that none of those is better: a win is then a bound, all else an estimate.
        """
        top = lines[0]
        if top.kind is not Kind.PROVEN or top.numbers[0] not in self.apart:
            return lines
        return [replace(top, kind=Kind.BOUND if top.score > SURE else Kind.ESTIMATE), *lines[1:]]

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
                return self.partial(first)
            self.bring(first)
            if alpha < score < beta:
                break
            if self.place == 0 and self.shared.seconds() >= MISSES_FROM:
                line = self.noted(score, Kind.BOUND, first)
                self.shared.missed(depth, Miss(line, score >= beta, first + 1))
            width *= 4
            if width > 16 * ASPIRATION or is_sure(score):
                width = 2 * INFINITE
            alpha = max(-INFINITE, score - width) if score <= alpha else alpha
            beta = min(INFINITE, score + width) if score >= beta else beta
        complete = record.guesses == 0
        line = self.noted(score, self.kind(score, complete), first)
        if is_decisive(score) and not complete:
            line = self.verified(depth, first, line, self.limits.deepest)
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
        record.fresh = int(not self.ranked[first])
        record.best, record.iteration = -1, min(depth, 127)
        record.guesses = record.skips = record.vague = record.deepest = 0
        score = self.engine.runner(self.position, self.memory, depth, alpha, beta)
        if record.overflow:
            raise BadGame(
                f"{self.engine.game.name}: a position has {record.overflow} moves, more than the"
                f" {self.engine.game.most_moves} promised by @game(most_moves=...)"
            )
        return score

    def bring(self, first: int) -> None:
        """Put the best root move in front; the rest follow by the work they took.

        The first time they were tried in the order of any node (and so stand in memory).
        """
        record, best = self.record, int(self.record.best)
        tried = range(first, len(self.moves))
        efforts = {int(record.moves[i]): int(record.efforts[i]) for i in tried}
        rest = [int(record.moves[i]) for i in tried]
        rest.sort(key=lambda move: (move != best, -efforts[move]))
        self.moves[first:] = rest
        self.ranked[first] = True

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

    def partial(self, first: int) -> Line | None:
        """What a stopped iteration still tells: a move that beat the last one was found."""
        record = self.record
        if record.best < 0 or first > 0 or (record.done <= first + 1 and self.lines):
            return None
        best = int(record.best)
        place = next(i for i in range(len(self.moves)) if int(record.moves[i]) == best)
        return self.noted(int(record.order[place]), Kind.ESTIMATE, first)

    def verified(self, depth: int, first: int, line: Line, most: int) -> Line:
        """Make sure that a win is the shortest, a loss the longest: the same without pruning.

        A forced win is true as soon as it is seen; that there is no shorter one is known only
        when all moves were searched as deep as it is long, `most` turns at most. Until then the line is
        a bound.
        """
        while True:
            # A ply more than the win is long: that a side has no move shows only when it looks.
            deep = max(depth, WIN - abs(line.score) + 1)
            if deep > most + 1:
                return line
            alpha = line.score - 1 if line.score > 0 else -INFINITE
            beta = INFINITE if line.score > 0 else line.score + 1
            score = self.iterate(deep, first, alpha, beta)
            # A win of a database, of whose length nothing is known, may be the shorter one.
            if self.record.stopped or self.record.vague or not alpha < score < beta:
                return line
            self.bring(first)
            better = self.noted(score, Kind.BOUND, first)
            if score == line.score:
                return replace(better, kind=Kind.PROVEN)
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
                # Beyond as many plies as turns were looked at, there may be a shorter win of more turns.
                plies = distance(score) if self.engine.distance else None
                proven = self.record.guesses == 0 or (plies is not None and plies <= depth)
                lines.append(self.noted(score, Kind.PROVEN if proven else Kind.EXACT, first))
                self.bring(first)
            self.shared.report(depth, tuple(in_order(lines)))
            if all(line.kind is Kind.PROVEN for line in lines):
                return

    def mate(self, moves: int) -> None:
        """Whether the side to move can force a win within so many of its own turns."""
        for depth in range(1, 2 * moves, 2):
            # A turn more than the win takes: that a side has no move shows only when it looks for one.
            score = self.iterate(depth + 1, 0, DECISIVE, INFINITE)
            if self.record.stopped:
                return
            self.bring(0)
            if score > DECISIVE:
                # A win of no more plies than turns were looked at is the shortest; where a side acts
                # several times in a turn, there may be a shorter one of more turns.
                if WIN - score <= depth and not self.record.vague:
                    line = self.noted(score, Kind.PROVEN, 0)
                else:
                    line = self.verified(depth, 0, self.noted(score, Kind.BOUND, 0), DEEPEST)
                self.shared.report(depth, (line,))
                return
            move = self.moves[0]
            text = self.engine.game.move_text(self.position, move)
            self.shared.report(depth, (Line(0, Kind.BOUND, (text,), (move,)),))


def without_unproven(lines: list[Line]) -> set[int]:
    """The moves of those lines that were searched without a move that may be better than it looks."""
    result, known = set[int](), True
    for line in lines:
        if not known:
            result.add(line.numbers[0])
        known = known and (line.kind is Kind.PROVEN or line.kind is Kind.BOUND and line.score < 0)
    return result


def in_order(lines: list[Line]) -> list[Line]:
    """The lines, the best first."""
    return sorted(lines, key=lambda line: -line.score)
