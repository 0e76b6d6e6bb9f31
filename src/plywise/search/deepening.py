"""Iterative deepening: what one searching thread does between its first iteration and its last.

`search/handle.py` starts the threads and watches the clock; here is how what a thread finds becomes lines,
reports and the result.
"""

import queue
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from plywise.core.errors import BadGame
from plywise.core.history import History
from plywise.core.scores import (
    DATABASE_WIN,
    DECISIVE,
    INFINITE,
    SURE,
    WIN,
    Kind,
    distance,
    is_decisive,
    is_sure,
    win_in,
)
from plywise.search.limits import MAX_DEPTH, Limits
from plywise.search.result import Line, Miss, Progress, Result
from plywise.search.specialisation import Specialisation
from plywise.search.switches import ASPIRATION, UNSOUND_MASK
from plywise.search.thread_state import MAX_PLY, ThreadState
from plywise.search.transposition import TranspositionTable

MISS_REPORTS_AFTER = 1.0  # seconds: before, a line that is searched again is there at once


@dataclass(frozen=True)
class Task:
    """What the threads of one search are to do, and with what."""

    history: History
    limits: Limits
    roots: list[int]
    restricted: bool  # not all root moves are among `roots`
    lines: int
    specialisation: Specialisation
    table: TranspositionTable
    player: str
    distance: bool
    switches: int
    unit: int
    aspiration_window: int
    aspiration_min_depth: int


class SharedSearch:
    """What the threads of one search have in common: the task, and what the first of them has found."""

    def __init__(self, task: Task, states: Sequence[ThreadState], started: float) -> None:
        self.task, self.states, self.started = task, states, started
        self.game = task.history.game
        self.reports: queue.SimpleQueue[Progress | None] = queue.SimpleQueue()
        self.found_lines: tuple[Line, ...] = ()
        self.depth = 0
        # The last iteration that each thread has finished: its depth and lines.
        self.finished: list[tuple[int, tuple[Line, ...]]] = [(0, ())] * len(states)
        self.error: BaseException | None = None

    def nodes(self) -> int:
        return sum(int(thread.record.nodes) for thread in self.states)

    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def report(self, depth: int, lines: tuple[Line, ...]) -> None:
        """The first thread has finished a depth, or was stopped in the one after it.

        A first depth that was stopped is reported as depth 1, but not counted in the result.
        """
        self.depth, self.found_lines = depth, lines
        deepest, depth = int(self.states[0].record.deepest), max(depth, 1)
        self.reports.put(
            Progress(
                depth,
                self.nodes(),
                self.seconds(),
                lines,
                full=self.task.table.full(),
                deepest=max(depth, deepest, len(lines[0].numbers)),
            )
        )

    def report_miss(self, depth: int, miss: Miss) -> None:
        """The first thread begins a depth again: the score fell out of its window."""
        record = self.states[0].record
        self.reports.put(
            Progress(
                depth,
                self.nodes(),
                self.seconds(),
                self.found_lines,
                miss.line.moves[0],
                miss.number,
                self.task.table.full(),
                max(depth, int(record.deepest), len(miss.line.numbers)),
                miss,
            )
        )

    def current_move(self) -> Progress | None:
        """A report of the root move that the first thread searches."""
        record = self.states[0].record
        place = int(record.roots_done) + 1
        if place > len(self.task.roots):
            return None
        move = self.game.move_text(self.task.history.position, int(record.moves[place - 1]))
        return Progress(self.depth + 1, self.nodes(), self.seconds(), self.found_lines, move, place)

    def result(self) -> Result:
        if not self.found_lines:  # stopped before depth 1 was done: any legal move is better than none
            text = self.game.move_text(self.task.history.position, self.task.roots[0])
            self.found_lines = (Line(0, Kind.ESTIMATE, (text,), (self.task.roots[0],)),)
        top = self.found_lines[0]
        return Result(
            self.game,
            top.moves[0],
            top.score,
            top.kind,
            self.depth,
            self.nodes(),
            self.seconds(),
            self.found_lines,
            top.numbers[0],
            self.task.unit,
            self.task.history,
        )


class WrittenMove(NamedTuple):
    """A move of a line, its text, and the position after it."""

    move: int
    text: str
    after: Any


class DeepeningThread:
    """One thread: iterative deepening over the root moves."""

    def __init__(self, shared: SharedSearch, thread_index: int) -> None:
        self.shared, self.task, self.thread_index = shared, shared.task, thread_index
        self.thread = shared.states[thread_index]
        self.record, self.limits = self.thread.record, self.task.limits
        # An array is asked for once: to get it from the record of compiled code takes as long as some nodes.
        self.root_moves, self.root_scores = self.record.moves, self.record.order
        self.efforts, self.best_line = self.record.efforts, self.record.lines
        self.game, self.position = shared.game, self.task.history.position
        self.moves = list(self.task.roots)
        self.ordered = [False] * len(self.moves)  # the moves from each place on were searched before
        self.exact_minimax = self.task.switches & UNSOUND_MASK == 0
        self.lines: list[Line] = []
        self.written: list[WrittenMove] = []  # the line whose text was asked for last
        self.not_compared: set[int] = (
            set()
        )  # moves whose lines were searched without some that are not proven

    def run(self) -> None:
        try:
            if self.task.player != "default":
                self.run_textbook()
            elif self.limits.mate is not None:
                self.search_mate(self.limits.mate)
            else:
                self.deepen()
        except BaseException as error:
            self.shared.error = self.shared.error or error
        finally:
            if self.thread_index == 0:
                self.shared.reports.put(None)

    # --- the iterations ---------------------------------------------------------------------
    def deepen(self) -> None:
        soft, deepest = self.limits.soft, self.limits.deepest
        for depth in range(1, deepest + 1):
            if self.thread_index % 2 and depth > 2 and depth < deepest and depth % 2 == 0:
                continue  # helpers of odd place look two turns further, so that threads spread out
            lines: list[Line] = []
            for first in range(self.task.lines):
                last_score = self.lines[first].score if first < len(self.lines) else None
                line = self.search_line(depth, first, last_score)
                if line is None:
                    break
                lines.append(line)
                if self.record.stopped:
                    break
            if lines:
                self.lines = (
                    self.merge_with_previous(lines) if self.record.stopped else self.finish_iteration(lines)
                )
                if not self.record.stopped:
                    self.shared.finished[self.thread_index] = depth, tuple(self.lines)
                if self.thread_index == 0:
                    self.shared.report(depth if not self.record.stopped else depth - 1, tuple(self.lines))
            if self.record.stopped:
                break
            if all(line.kind is Kind.PROVEN for line in self.lines):
                break
            if soft is not None and self.shared.seconds() > soft:
                break
            if len(self.moves) == 1 and self.limits.is_timed and not self.limits.infinite:
                break  # there is nothing to choose
        if self.thread_index == 0 and self.lines:
            self.report_deeper_thread()

    def report_deeper_thread(self) -> None:
        """Take the lines of a helper that has finished a deeper iteration; what is won or lost stays so."""
        depth, lines = max(self.shared.finished, key=lambda finished: finished[0])
        own = self.lines[0]
        if depth > self.shared.depth and own.kind is not Kind.PROVEN and not is_sure(own.score):
            self.shared.report(depth, lines)

    def merge_with_previous(self, lines: list[Line]) -> list[Line]:
        """The lines that an iteration found before it was stopped, then those of the one before.

        A move without a new line was not found better than those that have one, whatever its score a
        turn earlier: its old score is cut to theirs, unless it is proven. Only scores of the depth that
        the result names are exact, so those of another depth are estimates.
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
        self.not_compared = self.not_compared - known | without_unproven(lines)
        return self.limit_first_claim(sort_lines(new + old[: self.task.lines - len(new)]))

    def finish_iteration(self, lines: list[Line]) -> list[Line]:
        """The lines of a finished iteration, the best first."""
        self.not_compared = without_unproven(lines)
        return self.limit_first_claim(sort_lines(lines))

    def limit_first_claim(self, lines: list[Line]) -> list[Line]:
        """The lines, the first of them with a claim that holds for all root moves.

        A line that was proven without moves of which nothing is proven says enough of its own move. In
        front it would say that none of those is better: a win is then a bound, all else an estimate.
        """
        top = lines[0]
        if top.kind is not Kind.PROVEN or top.numbers[0] not in self.not_compared:
            return lines
        return [replace(top, kind=Kind.BOUND if top.score > SURE else Kind.ESTIMATE), *lines[1:]]

    def search_line(self, depth: int, first: int, last_score: int | None) -> Line | None:
        """The best of the root moves from `first` on, or None if the search was stopped."""
        alpha, beta, width = -INFINITE, INFINITE, self.task.aspiration_window
        record = self.record
        record.proving = 0
        if (
            record.switches & ASPIRATION
            and last_score is not None
            and depth >= self.task.aspiration_min_depth
            and abs(last_score) < SURE
        ):
            alpha, beta = last_score - width, last_score + width
        while True:
            score = self.search_roots(depth, first, alpha, beta)
            if record.stopped:
                return self.partial_line(first)
            self.sort_roots(first)
            if alpha < score < beta:
                if not self.hides_proof(depth):
                    break
                record.proving = 1
                continue
            if self.thread_index == 0 and self.shared.seconds() >= MISS_REPORTS_AFTER:
                line = self.current_line(score, Kind.BOUND, first)
                self.shared.report_miss(depth, Miss(line, score >= beta, first + 1))
            width *= 4
            if width > 16 * self.task.aspiration_window or is_sure(score):
                width = 2 * INFINITE
            alpha = max(-INFINITE, score - width) if score <= alpha else alpha
            beta = min(INFINITE, score + width) if score >= beta else beta
        complete = record.guesses == 0
        line = self.current_line(score, self.kind(score, complete), first)
        if is_decisive(score) and not complete:
            line = self.verify_distance(depth, first, line, self.limits.deepest)
        return line

    def hides_proof(self, depth: int) -> bool:
        """Whether pruning alone keeps the value from being proven.

        Where no line is as long as the depth, the game has ended in all of them, and only the moves that
        were pruned or reduced are unknown: they are searched once more with all the others.
        """
        record = self.record
        if record.guesses == 0 or record.proving or record.old_entries:
            return False
        return bool(record.deepest < depth)

    def search_roots(self, depth: int, first: int, alpha: int, beta: int) -> int:
        """One pass over the root moves in their present order."""
        record, moves, count = self.record, self.moves, len(self.moves)
        self.root_moves[:count] = moves
        self.root_scores[:count] = range(count, 0, -1)
        self.efforts[:count] = [0] * count
        record.first_root, record.end_root, record.roots_done = first, len(moves), first
        record.all_roots = int(first == 0 and not self.task.restricted)
        record.roots_unordered = int(not self.ordered[first])
        record.best_root, record.iteration = -1, min(depth, 127)
        record.guesses = record.skips = record.old_entries = 0
        record.unknown_distances = record.deepest = 0
        score = self.task.specialisation(self.position, self.thread, depth, alpha, beta)
        if record.overflow:
            raise BadGame(
                f"{self.game.name}: a position has {record.overflow} moves, more than the"
                f" {self.game.most_moves} promised by @game(most_moves=...)"
            )
        return score

    def sort_roots(self, first: int) -> None:
        """Put the best root move in front; the rest follow by the work they took.

        The first time the search has ordered them itself, like those of any node.
        """
        best, end = int(self.record.best_root), len(self.moves)
        rest = [int(move) for move in self.root_moves[first:end]]
        efforts = dict(zip(rest, map(int, self.efforts[first:end]), strict=True))
        rest.sort(key=lambda move: (move != best, -efforts[move]))
        self.moves[first:] = rest
        self.ordered[first] = True

    def current_line(self, score: int, kind: Kind, first: int) -> Line:
        """The best line in the thread state, as text."""
        length = int(self.record.line_lengths[0])
        numbers = [int(move) for move in self.best_line[:length]] or [self.moves[first]]
        return Line(score, kind, self.move_texts(numbers), tuple(numbers))

    def move_texts(self, numbers: list[int]) -> tuple[str, ...]:
        """The moves of a line as text. Those with which the last line began alike are not written again."""
        written = self.written
        same = 0
        while same < min(len(written), len(numbers)) and written[same].move == numbers[same]:
            same += 1
        del written[same:]
        position = written[-1].after if written else self.position
        for move in numbers[same:]:
            text, position = self.game.move_text(position, move), position.play(move)
            written.append(WrittenMove(move, text, position))
        return tuple(each.text for each in written)

    def kind(self, score: int, complete: bool) -> Kind:
        if complete or (is_sure(score) and not is_decisive(score)):
            return Kind.PROVEN
        if is_decisive(score):
            return Kind.BOUND
        # A line that is cut off because it is too long is no line of this depth.
        return Kind.EXACT if self.exact_minimax and self.record.deepest < MAX_PLY else Kind.ESTIMATE

    def partial_line(self, first: int) -> Line | None:
        """The line of a stopped iteration, if it has found a move that is better than the last one.

        A win is true, though there may be a shorter one. A loss is an estimate: another move may be better.
        """
        record = self.record
        if record.best_root < 0 or first > 0 or (record.roots_done <= first + 1 and self.lines):
            return None
        best = int(record.best_root)
        place = next(i for i in range(len(self.moves)) if int(self.root_moves[i]) == best)
        score = int(self.root_scores[place])
        return self.current_line(score, Kind.BOUND if score > SURE else Kind.ESTIMATE, first)

    def verify_distance(self, depth: int, first: int, line: Line, most: int) -> Line:
        """Search for a shorter win, or a longer loss, without unsound pruning.

        A forced win is true as soon as it is found; that there is no shorter one is known only
        when all moves were searched as deep as it is long, `most` turns at most. Until then the line is
        a bound.
        """
        while True:
            # A ply more than the win is long: only there does the search find that a side has no move.
            verify_depth = max(depth, WIN - abs(line.score) + 1)
            if verify_depth > most + 1:
                return line
            alpha = line.score - 1 if line.score > 0 else -INFINITE
            beta = INFINITE if line.score > 0 else line.score + 1
            score = self.search_roots(verify_depth, first, alpha, beta)
            # A win by a database without distances may be the shorter one.
            if self.record.stopped or self.record.unknown_distances or not alpha < score < beta:
                return line
            self.sort_roots(first)
            better = self.current_line(score, Kind.BOUND, first)
            if score == line.score:
                return replace(better, kind=Kind.PROVEN)
            line = better

    def run_textbook(self) -> None:
        """Search to the depth at once; deepen where time, nodes or a stop will end the search."""
        limits = self.limits
        deepest = 1 if self.task.player == "greedy" else limits.deepest
        straight = not (limits.is_timed or limits.infinite) and limits.nodes is None
        for depth in range(deepest if straight else 1, deepest + 1):
            lines: list[Line] = []
            for first in range(self.task.lines):
                score = self.search_roots(depth, first, -INFINITE, INFINITE)
                if self.record.stopped:
                    return
                lines.append(self.current_line(*self.textbook_score(score, depth), first))
                self.sort_roots(first)
            self.shared.report(depth, tuple(sort_lines(lines)))
            if all(line.kind is Kind.PROVEN for line in lines):
                return

    def textbook_score(self, score: int, depth: int) -> tuple[int, Kind]:
        """A score of a textbook player, and how far it can be trusted."""
        if is_decisive(score) and not self.task.distance:  # a win is a win, nobody has counted how long it is
            return (DATABASE_WIN if score > 0 else -DATABASE_WIN), Kind.PROVEN
        plies = distance(score)
        # A win of more plies than turns were searched may not be the shortest.
        if self.record.guesses == 0 or (plies is not None and plies <= depth):
            return score, Kind.PROVEN
        return score, Kind.EXACT if self.record.deepest < MAX_PLY else Kind.ESTIMATE

    def search_mate(self, moves: int) -> None:
        """Whether the side to move can force a win within this number of its own turns."""
        for depth in range(1, 2 * moves, 2):
            # A turn more than the win takes: only there does the search find that a side has no move.
            score = self.search_roots(depth + 1, 0, DECISIVE, INFINITE)
            if self.record.stopped:
                return
            self.sort_roots(0)
            if score > DECISIVE:
                # A win of no more plies than turns were searched is the shortest; where a side acts
                # several times in a turn, there may be a shorter one of more turns.
                if score >= win_in(depth) and not self.record.unknown_distances:
                    line = self.current_line(score, Kind.PROVEN, 0)
                else:
                    line = self.verify_distance(depth, 0, self.current_line(score, Kind.BOUND, 0), MAX_DEPTH)
                self.shared.report(depth, (line,))
                return
            move = self.moves[0]
            text = self.game.move_text(self.position, move)
            # A win that a database knows without its distance may be one; so may one beyond the longest line.
            hidden = self.record.unknown_distances or self.record.deepest >= MAX_PLY
            self.shared.report(depth, (Line(0, Kind.ESTIMATE if hidden else Kind.BOUND, (text,), (move,)),))


def without_unproven(lines: list[Line]) -> set[int]:
    """The moves of those lines that were searched without a move that may be better than it looks."""
    result, known = set[int](), True
    for line in lines:
        if not known:
            result.add(line.numbers[0])
        known = known and (line.kind is Kind.PROVEN or line.kind is Kind.BOUND and line.score < 0)
    return result


def sort_lines(lines: list[Line]) -> list[Line]:
    """The lines, the best first."""
    return sorted(lines, key=lambda line: -line.score)
