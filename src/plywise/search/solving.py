"""The solver: runs `search/solve.py` on threads, keeps its table on disk, and says what was proven.

What the usual search proves within a few seconds is taken from it, with the distance of the win. So is all
that there is to know about games whose history makes draws, in which a search to the end would never end.
"""

import math
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from plywise.core import monotonic
from plywise.core.cores import memory
from plywise.core.errors import BadGame, PlywiseError
from plywise.core.evaluation import Evaluation
from plywise.core.game import Draws, Game
from plywise.core.history import History
from plywise.core.outcome import LOST, WON
from plywise.core.rules import Position
from plywise.core.scores import Kind, is_sure
from plywise.search.engine import Engine, check_sizes
from plywise.search.margins import FIRST_POLL
from plywise.search.result import Result
from plywise.search.solve import BUCKET_WORDS, WORD, lookup_bounds, solve_root, solver_memory
from plywise.search.solve_folder import SolveFolder
from plywise.search.specialisation import Specialisation
from plywise.search.thread_state import FLAGS, MAX_PLY, ThreadState

QUICK_NODES = 2_000_000  # of the usual search, before anything else; fewer where Python runs it
QUICK_NODES_IN_PYTHON = 20_000
QUICK_HASH = 64  # megabytes
LARGE = 20e9  # nodes of a game that is too large without `anyway`; fewer where Python searches
LARGE_IN_PYTHON = 20e6
SAMPLES = 100  # random games from which the size of a game is guessed
MOST_DIGITS = 40.0  # of such a guess: what is larger is out of reach all the same
LONGEST = 1000  # plies of one of those games
REPORT_EVERY = 0.25  # seconds
LINE_NODES = 20_000_000  # to find one move of the line again, if the table has lost it
UNLIMITED = 1 << 62


class TooLarge(PlywiseError):
    """A game that would take too long to be solved."""


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """A report of a solver at work: what is asked, and the work so far."""

    question: str
    nodes: int
    seconds: float
    full: int  # how full the table is, in thousandths
    known: str  # what is proven so far, in words


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solver has proven, or, stopped early, what it knows: then the kind is a bound.

    `winner` is the side that wins, None for a draw or where it is not known. `plies` is the distance of the
    win where that is proven too.
    """

    history: History
    winner: int | None
    kind: Kind
    plies: int | None
    line: tuple[str, ...]
    nodes: int
    seconds: float
    known: str

    @property
    def move(self) -> str | None:
        return self.line[0] if self.line else None


class Solver:
    """Solves positions of one game, with a table of `hash` megabytes, in memory or in a folder."""

    def __init__(
        self,
        game: Game,
        *,
        hash: int = 256,
        threads: int = 1,
        compiled: bool = True,
        folder: SolveFolder | None = None,
    ) -> None:
        check_sizes(threads, 1 if folder is not None else hash)  # in a folder the table is a file
        self.game, self.hash, self.threads, self.folder = game, hash, threads, folder
        memory = Evaluation("solve", None, memory=solver_memory(game.most_moves))
        self.quick = Engine(game, hash=min(hash, QUICK_HASH), compiled=compiled)
        self.compiled = self.quick.specialisation.compiled
        if folder is not None and not self.compiled:
            raise PlywiseError(f"only compiled games are kept in a folder, and {game.name} is not compiled")
        self._specialisation = Specialisation(solve_root, game, memory, compiled=self.compiled)
        self._buckets = 1
        while self._buckets * 2 * BUCKET_WORDS * 8 <= hash << 20:
            self._buckets *= 2
        self._table: Any = None
        self._states: list[ThreadState] = []
        self._flags: Any = None
        self._stopped = False

    def stop(self) -> None:
        """End the work; what is known by then is the solution."""
        self._stopped = True
        self.quick.stop()
        if self._flags is not None:
            _set_stop(self._flags)

    def solve(
        self,
        history: History,
        *,
        seconds: float | None = None,
        anyway: bool = False,
        progress: Callable[[SolveProgress], None] | None = None,
    ) -> Solution:
        """Prove who wins. TooLarge says what that would take, unless it is to be tried `anyway`."""
        return _Solving(self, history, seconds, anyway, progress or (lambda report: None)).run()

    # --- the table and the threads ----------------------------------------------------------------
    def prepare(self) -> None:
        """Make the table and the thread states."""
        if self._states:
            return
        if self.folder is not None:
            self._table = self.folder.table(self._buckets * BUCKET_WORDS)
            self._buckets = len(self._table) // BUCKET_WORDS
        elif self.compiled:
            import numpy as np

            try:
                self._table = np.zeros(self._buckets * BUCKET_WORDS, np.dtype(list(WORD.fields)))
            except MemoryError:  # NumPy speaks of shapes and data types
                raise MemoryError(f"there is none for a hash table of {self.hash} MB") from None
        else:
            self._table = _Words()
        self._states = [self._specialisation.new_thread() for _ in range(self.threads)]
        for number, state in enumerate(self._states):
            state.bind("table", self._table)
            record, dice = state.record, random.Random(number)
            record.buckets, record.most_moves = self._buckets - 1, self.game.most_moves
            for slot in range(len(record.history) if number else 0):
                record.history[slot] = dice.randrange(64)  # helpers try moves in another order

    def ask(self, position: Position, beta: int, nodes: int, report: Callable[[], bool]) -> int | None:
        """Whether the side to move gets at least `beta`, as a bound on its value; None if it was stopped.

        `report` is called now and then, and ends the work by a true answer.
        """
        self._flags = _new_flags(self.compiled)
        answers: list[int] = []
        errors: list[BaseException] = []
        if self._stopped:
            _set_stop(self._flags)

        def work(state: ThreadState) -> None:
            try:
                value = self._specialisation(position, state, beta, 0, 0)
                if not state.record.stopped:
                    answers.append(value)
            except BaseException as error:
                errors.append(error)
            finally:
                _set_stop(self._flags)

        threads = []
        for state in self._states:
            state.bind("flags", self._flags)
            record = state.record
            record.nodes = record.stopped = record.overflow = record.roots_done = 0
            record.most_nodes = nodes
            record.poll_nodes = FIRST_POLL if self.compiled else 1
            record.poll_time = monotonic.now()
            record.next_poll = min(record.poll_nodes, nodes)
            threads.append(threading.Thread(target=work, args=(state,), daemon=True))
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(REPORT_EVERY)
                if thread.is_alive() and report():
                    _set_stop(self._flags)
        if errors:
            raise errors[0]
        overflow = max((int(state.record.overflow) for state in self._states), key=abs)
        if overflow < 0 and not answers:
            raise PlywiseError(
                f"a game of {self.game.name} may last more than {MAX_PLY} plies: it is not solved"
            )
        if overflow > 0:
            raise BadGame(
                f"{self.game.name}: a position has {overflow} moves, more than the"
                f" {self.game.most_moves} promised by @game(most_moves=...)"
            )
        return answers[0] if answers else None

    @property
    def nodes(self) -> int:
        """Positions visited by the last question."""
        return sum(int(state.record.nodes) for state in self._states)

    def full(self) -> int:
        """How full the table is, in thousandths, from a sample."""
        if not self.compiled:
            return min(1000, 1000 * len(self._table or ()) // (self._buckets * BUCKET_WORDS))
        if self._table is None:
            return 0
        return int((self._table["word"][:4000] != 0).sum()) // 4

    def best_root(self) -> int:
        """The move that proved the last yes: of the thread that was not stopped."""
        return next(int(s.record.best_root) for s in self._states if not s.record.stopped)

    def work_of(self, position: Position) -> int:
        """How much work a position took, as the table has it; 0 if it is not there."""
        keys = [position.symmetry(image).key() for image in range(self.game.symmetries)]
        if self.compiled:
            slot = (min(keys) & self._buckets - 1) * BUCKET_WORDS
            words = [int(word) for word in self._table["word"][slot : slot + BUCKET_WORDS]]
            thread: Any = SimpleNamespace(table=[SimpleNamespace(word=word) for word in words], buckets=0)
        else:
            thread = self._states[0].record
        return lookup_bounds(thread, min(keys)) >> 4


class _Solving:
    """One position being solved."""

    def __init__(
        self,
        solver: Solver,
        history: History,
        seconds: float | None,
        anyway: bool,
        progress: Callable[[SolveProgress], None],
    ) -> None:
        self.solver, self.history, self.anyway, self.progress = solver, history, anyway, progress
        self.game = history.game
        self.sides = self.game.sides
        folder = solver.folder
        self.nodes, self.before = (0, 0.0) if folder is None else folder.spent()
        self.started = time.perf_counter()
        self.end = math.inf if seconds is None else self.started + seconds
        self.known = ""

    def seconds(self) -> float:
        return self.before + time.perf_counter() - self.started

    def run(self) -> Solution:
        outcome = self.history.outcome
        if outcome is not None:
            return self.solution(outcome.winner, Kind.PROVEN, 0, ())
        left = None if self.end == math.inf else max(0.001, self.end - time.perf_counter())
        first = self.solver.quick.search(
            self.history,
            nodes=QUICK_NODES if self.solver.compiled else QUICK_NODES_IN_PYTHON,
            time=left,
            progress=lambda report: self.report("a first look", report.nodes),
        )
        self.nodes += first.nodes
        if first.kind is Kind.PROVEN:
            return self.of_result(first)
        self.check_size(first)
        if self.game.draws != Draws():
            return self.search_on(first)
        self.solver.prepare()
        value = self.value()
        if value is None:
            return self.solution(None, Kind.BOUND, None, first.line[:1])
        turn = self.history.turn
        winner = None if value == 0 else turn if value == WON else 1 - turn
        return self.solution(winner, Kind.PROVEN, None, self.line(value))

    def value(self) -> int | None:
        """The value for the side to move; None if the work was stopped before it was known."""
        position, side, other = self.history.position, self.history.turn, 1 - self.history.turn
        bound = self.ask(position, WON, f"does {self.sides[side]} win?")
        if bound is None or bound == WON:
            return bound
        self.known = f"{self.sides[side]} does not win"
        if bound == LOST:
            return LOST
        bound = self.ask(position, 0, f"does {self.sides[other]} win?")
        return None if bound is None else min(bound, 0)

    def ask(self, position: Position, beta: int, question: str, nodes: int = UNLIMITED) -> int | None:
        def report() -> bool:
            self.report(question, self.solver.nodes)
            return time.perf_counter() >= self.end

        answer = self.solver.ask(position, beta, nodes, report)
        self.nodes += self.solver.nodes
        self.keep()
        return answer

    def report(self, question: str, nodes: int) -> None:
        self.keep(nodes)
        self.progress(
            SolveProgress(question, self.nodes + nodes, self.seconds(), self.solver.full(), self.known)
        )

    def keep(self, nodes: int = 0) -> None:
        if self.solver.folder is not None:
            self.solver.folder.keep(self.nodes + nodes, self.seconds())

    def line(self, value: int) -> tuple[str, ...]:
        """Best play: the winner follows the proof, the loser what was hardest to refute.

        Where positions may return, a proof may lead back to one of them: the line ends before it goes round.
        """
        history, moves, seen = self.history, list[str](), set[int]()
        while history.outcome is None and history.key not in seen and not self.solver._stopped:
            position = history.position
            seen.add(history.key)
            if value == LOST:
                chosen = max(
                    self.game.moves(position), key=lambda move: self.solver.work_of(position.play(move))
                )
            else:
                if self.ask(position, value, "the line", LINE_NODES) is None:
                    break
                chosen = self.solver.best_root()
            moves.append(self.game.move_text(position, chosen))
            after = history.play(chosen)
            value = value if after.turn == history.turn else -value
            history = after
        return tuple(moves)

    # --- by the usual search ------------------------------------------------------------------------
    def search_on(self, first: Result) -> Solution:
        """Games with draws by their history: the usual search, deeper and deeper."""
        solver = self.solver
        hash = min(solver.hash, memory())  # a folder may hold more
        engine = solver.quick = Engine(self.game, hash=hash, threads=solver.threads, compiled=solver.compiled)
        left = None if self.end == math.inf else max(0.001, self.end - time.perf_counter())
        if solver._stopped or self.end <= time.perf_counter():
            return self.solution(None, Kind.BOUND, None, first.line[:1])
        result = engine.search(
            self.history,
            time=left,
            progress=lambda report: self.report(f"depth {report.depth}", report.nodes),
        )
        self.nodes += result.nodes
        # A bound on a win or a loss tells the winner. An estimate of a search that was stopped does not.
        if result.kind is Kind.PROVEN or (result.kind is Kind.BOUND and is_sure(result.score)):
            return self.of_result(result)
        return self.solution(None, Kind.BOUND, None, result.line[:1])

    def of_result(self, result: Result) -> Solution:
        turn = self.history.turn
        winner = None if result.score == 0 else turn if result.score > 0 else 1 - turn
        plies = result.plies if result.kind is Kind.PROVEN else None
        return self.solution(winner, Kind.PROVEN, plies, result.line)

    def solution(self, winner: int | None, kind: Kind, plies: int | None, line: tuple[str, ...]) -> Solution:
        self.keep()
        return Solution(self.history, winner, kind, plies, line, self.nodes, self.seconds(), self.known)

    # --- how large it is ----------------------------------------------------------------------------
    def check_size(self, first: Result) -> None:
        """Refuse a game that is too large, with what it would take."""
        nodes = guess_nodes(self.history)
        if self.anyway or nodes <= (LARGE if self.solver.compiled else LARGE_IN_PYTHON):
            return
        days = nodes / max(1.0, first.nodes / max(first.seconds, 1e-3)) / 86400
        years = f"10^{math.log10(days / 365.25):.0f} years" if days > 36525 else f"{days / 365.25:.0f} years"
        took = years if days > 730 else f"{days:.0f} days" if days > 2 else "hours"
        more = " or more" if nodes >= 10**MOST_DIGITS else ""
        raise TooLarge(
            f"{self.game.name} is too large to be solved from here: about 10^{math.log10(nodes):.0f}"
            f" positions{more}, {took} at the speed of this machine; --anyway tries it all the same"
        )


def guess_nodes(history: History) -> float:
    """How many positions alpha-beta would visit, guessed from random games.

    With perfect order it visits the square root of the number of games, which is guessed as the product of
    the numbers of moves on the way, by its mean over random games.
    """
    game, dice, total = history.game, random.Random(0), 0.0
    for _ in range(SAMPLES):
        position, digits, plies = history.position, 0.0, 0
        while digits < MOST_DIGITS and plies < LONGEST:
            moves = game.moves(position)
            if not moves:
                break
            digits, plies = digits + math.log10(len(moves)) / 2, plies + 1
            position = position.play(dice.choice(moves))
        total += min(digits, MOST_DIGITS)
    return float(10 ** (total / SAMPLES))


class _Words(dict[int, SimpleNamespace]):
    """The table where Python solves: words are made when they are first looked at."""

    def __missing__(self, i: int) -> SimpleNamespace:
        word = self[i] = SimpleNamespace(word=0)
        return word


def _new_flags(native: bool) -> Any:
    if not native:
        return [SimpleNamespace(stop=0, deadline=0)]
    import numpy as np

    return np.zeros(1, np.dtype(list(FLAGS.fields)))


def _set_stop(flags: Any) -> None:
    if isinstance(flags, list):
        flags[0].stop = 1
    else:
        flags["stop"][0] = 1
