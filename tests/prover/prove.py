"""Cases: a random game, an engine and some searches one after the other; all claims are checked."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plywise import OPEN, Engine, History
from plywise.core.scores import DATABASE_WIN, DECISIVE, is_decisive
from plywise.search.margins import MARGINS
from plywise.search.recorder import (
    ALL_MOVES_SEARCH,
    CUT,
    DATABASE_HIT,
    DONE,
    DRAW,
    FULL,
    GAME_OVER,
    LEAF,
    NOISY,
    NULL_MOVE_CUT,
    NULL_SEARCH,
    PLY_LIMIT,
    PROBCUT_CUT,
    RE_SEARCH,
    REDUCED,
    REVERSE_FUTILITY_CUT,
    ROOT,
    SCOUT,
    SHALLOW_SEARCH,
    SINGULAR_SEARCH,
    STOPPED,
    TABLE_HIT,
)
from plywise.search.switches import NAMES, UNSOUND_MASK
from plywise.search.transposition import TranspositionTable
from tests.prover.claims import Truth, check_lines, check_mate
from tests.prover.games import ANSWERS, DRAWS, Remembered, Shape, any_shape, levels, place, variant, width
from tests.prover.solver import Facts, Seen, Solver, patience_of

ROWS = 1 << 16  # nodes of a search that are recorded
MAX_NODES = 2_000_000  # of a search by depth alone: a few would take hours without a table
WHYS = {
    ROOT: "root", FULL: "full window", SCOUT: "scout", REDUCED: "reduction", RE_SEARCH: "re-search",
    NULL_SEARCH: "null move", NOISY: "quiescence", SINGULAR_SEARCH: "singular search",
    SHALLOW_SEARCH: "shallow search", ALL_MOVES_SEARCH: "all moves after candidates",
}  # fmt: skip
CAUSES = {
    LEAF: "leaf", TABLE_HIT: "table answer", NULL_MOVE_CUT: "null cut", CUT: "cut", GAME_OVER: "over",
    DRAW: "draw by the past", DONE: "all moves", STOPPED: "stopped", DATABASE_HIT: "database",
    PLY_LIMIT: "longest line", REVERSE_FUTILITY_CUT: "standing cut",
    PROBCUT_CUT: "probcut",
}  # fmt: skip


@dataclass(frozen=True)
class Ask:
    """One search: the walk to its root (each number picks a move), limits, lines, and moves to look at.

    The history begins after the first `since` moves of the walk, so the same root may have another past.
    """

    walk: tuple[int, ...] = ()
    since: int = 0
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    time: float | None = None
    lines: int = 1
    moves: tuple[int, ...] = ()

    @property
    def limits(self) -> dict[str, Any]:
        given = {"depth": self.depth, "nodes": self.nodes, "mate": self.mate, "time": self.time}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Case:
    """Searches of one game on one engine that keeps its table."""

    shape: Shape
    draws: int = 0
    asks: tuple[Ask, ...] = (Ask(),)
    without: tuple[str, ...] = ()
    table: str = "usual"  # or "tiny": entries drive each other out
    threads: int = 1
    database: bool = False
    record: bool = False
    plain: bool = False
    compiled: bool = True
    mobility: bool = False  # evaluated by the number of moves
    margins: tuple[tuple[str, int], ...] = ()  # numbers of the search that are not the usual ones
    own_thread: bool = True  # else one thread searches in the caller's, which saves its start


class AtOnce:
    """Stands in for a thread: it runs when it is started."""

    def __init__(self, target: Callable[[], None], daemon: bool) -> None:
        self.start = target

    def join(self) -> None:
        pass


@contextmanager
def threads_at_once() -> Iterator[None]:
    """Threads that are started here run before `start` returns."""
    usual = threading.Thread
    threading.Thread = AtOnce  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        threading.Thread = usual  # type: ignore[misc]


def quicken(engine: Engine) -> None:
    """Give an engine one memory for all its searches, of which short ones consist."""
    memory = engine.specialisation.new_thread()

    def fresh() -> Any:
        memory.array.view(np.uint8).fill(0)
        return memory

    engine.specialisation.new_thread = fresh  # type: ignore[method-assign]
    engine.table.full = lambda: 0  # type: ignore[method-assign]


Way = tuple[tuple[int, ...], int]  # to a root: a walk, and where its history begins


class Known:
    """The truth about one game, found once for all searches of it."""

    def __init__(self, shape: Shape, draws: int, database: bool, mobility: bool = False) -> None:
        Remembered.memory.clear()
        self.shape, self.draws = shape, draws
        # Truth is sought in the compiled form's rules, interpreted; that images are alike is not made use of.
        self.game = variant(draws, images=bool(shape.images))
        self.facts, self.solvers = (
            Facts(self.game, "mobility" if mobility else "default"),
            dict[int, Solver](),
        )
        self.answers, self.array = self._database() if database else ({}, None)
        self._seen: dict[int, Seen] = {}
        self._roots: dict[Way, Truth | None] = {}
        self._plain: dict[Way, PlainTruth] = {}

    def root(self, walk: tuple[int, ...], since: int = 0) -> Truth | None:
        """The truth about the end of a walk; None where no move is left."""
        if (walk, since) not in self._roots:
            self._roots[walk, since] = self._truth(walk, since)
        return self._roots[walk, since]

    def plain_root(self, walk: tuple[int, ...], since: int = 0) -> "PlainTruth | None":
        """The same about the plain form."""
        truth, way = self.root(walk, since), (walk, since)
        if truth is not None and way not in self._plain:
            history = plain(variant(self.draws, plain=True), truth.history)
            self._plain[way] = PlainTruth(truth, history)
        return self._plain.get(way)

    def _truth(self, walk: tuple[int, ...], since: int) -> Truth | None:
        game = self.game
        history = History(game, Remembered(self.shape.seed))
        for i, step in enumerate(walk):
            moves = game.moves(history.position)
            if not moves:
                break
            then = history.play(moves[step % len(moves)])
            if then.outcome is not None and not then.claimable:  # a draw that nobody claims goes on
                break
            history = History(game, then.position) if i + 1 == since else then
        if not game.moves(history.position):
            return None
        patience = patience_of(history)
        solver = self.solvers.setdefault(patience, Solver(game, patience, self.facts))
        return Truth(history, solver, self.answers, self._seen.setdefault(patience, {}))

    def _database(self) -> tuple[dict[Any, int], Any]:
        """A database of the levels without circles: most of their positions, half of them with distance."""
        shape, seed = self.shape, self.shape.seed
        answers: dict[Any, int] = {}
        solver = Solver(variant(0), 0)  # no path is long enough to return, so images have equal scores
        count = levels(seed) * width(seed)
        array = np.zeros(2 * 8 * count, np.uint8)
        dice = random.Random(seed)
        for node in range(max(1, levels(seed) - 1 - 2 * shape.tail) * width(seed), count):
            for turn in (0, 1):
                for acted in range(shape.actions + 1):
                    position = Remembered(seed, node, turn, acted)
                    if solver.facts(position)[1] != OPEN or dice.random() < 0.25:
                        continue
                    score = solver.value(position, 0)
                    if score and dice.random() < 0.5:
                        score = (DATABASE_WIN if score > 0 else -DATABASE_WIN) + dice.randrange(-9, 9)
                    for image in range(variant(0, images=bool(shape.images)).symmetries):
                        answers[position.symmetry(image)] = score
                    at = 2 * place(node, turn, acted)
                    array[at], array[at + 1] = (score + 32768) % 256, (score + 32768) // 256
        return answers, array if answers else None


class False_(AssertionError):
    """A claim that is not true, with the code that shows it."""


class Prover:
    """Runs cases and counts what happened in them."""

    def __init__(self, compiled: bool = True) -> None:
        self.compiled = compiled
        self.engines: dict[Any, Engine] = {}
        self.modes: Counter[str] = Counter()
        self.fired: Counter[str] = Counter()
        self.claims: Counter[str] = Counter()
        self.searches = self.engine_nodes = 0
        self._known: tuple[Any, Known] | None = None  # the game of the last case
        self._labels: list[str] = []  # the modes of the case

    def engine(self, case: Case) -> Engine:
        compiled = self.compiled and case.compiled
        at_once = not case.own_thread and case.threads == 1 and compiled
        images = bool(case.shape.images)
        key = (case.draws, case.without, case.table, case.threads, case.record, case.plain, compiled, at_once)
        key = (*key, images, case.mobility, case.margins)
        engine = self.engines.get(key)
        if engine is None:
            if len(self.engines) > 40:
                self.engines.clear()
            engine = Engine(
                variant(case.draws, case.plain, images),
                evaluator="mobility" if case.mobility else "default",
                hash=1,
                threads=case.threads,
                without=case.without,
                margins=dict(case.margins),
                record=ROWS if case.record else 0,
                compiled=compiled,
            )
            engine.table = TranspositionTable(1, engine.specialisation.compiled)
            engine.table.buckets = 1 if case.table == "tiny" else 1 << 10
            if at_once and engine.specialisation.compiled:
                quicken(engine)
            self.engines[key] = engine
        engine.clear()
        return engine

    def check(self, case: Case) -> None:
        """Run the searches of a case; a false claim raises, with the code that shows it."""
        try:
            self._check(case)
        except AssertionError as error:
            raise False_(f"{error}\nPaste into a test:\n    Prover().check({case!r})") from error

    def _check(self, case: Case) -> None:
        if case.shape.loops and not DRAWS[case.draws].repetition:
            case = replace(case, shape=replace(case.shape, loops=0))
        engine = self.engine(case)
        game = case.shape, case.draws, case.database and not case.plain, case.mobility
        if self._known is None or self._known[0] != game:
            self._known = game, Known(*game)
        known = self._known[1]
        self._labels = labels(case, engine.specialisation.compiled)
        ANSWERS.put(known.array)
        for ask in case.asks:
            truth = (known.plain_root if case.plain else known.root)(ask.walk, ask.since)
            if truth is not None:
                self.search(case, ask, engine, truth)

    def compare(self, case: Case, part: str) -> bool:
        """Check a case with and without one part of the search; whether that changes its work."""
        self.check(case)
        nodes = self.engine_nodes
        self.check(replace(case, without=(part,)))
        changed = self.engine_nodes != nodes
        self.fired[f"nodes change without: {part}"] += changed
        return changed

    def search(self, case: Case, ask: Ask, engine: Engine, truth: Truth) -> None:
        history = truth.history
        chosen = sorted({truth.moves[i % len(truth.moves)] for i in ask.moves}) or truth.moves
        texts = [history.game.move_text(history.position, move) for move in chosen] if ask.moves else ()
        exact = engine.switches & UNSOUND_MASK == 0
        whole = not case.database
        reports: list[Any] = []
        at_once = (
            not case.own_thread and case.threads == 1 and ask.time is None and engine.specialisation.compiled
        )
        with threads_at_once() if at_once else nullcontext():
            result = engine.search(
                history,
                moves=texts,
                lines=ask.lines,
                progress=reports.append,
                **{"nodes": MAX_NODES, **ask.limits},
            )
        self.searches += 1
        self.engine_nodes = result.nodes
        self.note(case, ask, engine, result, at_once)
        assert result.number in chosen and result.move == result.lines[0].moves[0]
        assert result.score == result.lines[0].score and result.kind is result.lines[0].kind
        wanted = min(ask.lines, len(chosen)) if ask.mate is None else 1
        assert len(result.lines) <= wanted
        finished = ask.nodes is None and ask.time is None and result.nodes < MAX_NODES
        if finished:
            assert len(result.lines) == wanted
        if ask.nodes is not None and case.threads == 1:
            assert result.nodes <= ask.nodes
        check_lines(truth, result.lines, chosen, result.depth, exact, whole)
        for report in reports:
            if report.lines and report.current is None:
                check_lines(truth, report.lines, chosen, report.depth, exact, whole)
        if ask.mate is not None and finished:
            check_mate(truth, result, chosen, ask.mate)

    # --- what happened ----------------------------------------------------------------------------
    def note(self, case: Case, ask: Ask, engine: Engine, result: Any, at_once: bool) -> None:
        self.modes.update(self._labels)
        self.modes[f"threads: {case.threads}{' (that of the caller)' if at_once else ''}"] += 1
        limit = next((name for name in ("mate", "time", "nodes", "depth") if name in ask.limits), "no limit")
        self.modes[f"limit: {limit}"] += 1
        self.modes["with: several lines"] += ask.lines > 1
        self.modes["with: restricted roots"] += bool(ask.moves)
        self.claims[f"{result.kind}{' decisive' if is_decisive(result.score) else ''}"] += 1
        if engine.log is None:
            return
        rows = engine.log[: min(ROWS, result.nodes)]
        for field, words in (("why", WHYS), ("cause", CAUSES)):
            for value, count in zip(*np.unique(rows[field], return_counts=True), strict=True):
                self.fired[f"{field}: {words[int(value)]}"] += int(count)
        tops = rows[(rows["ply"] == 0) & (rows["why"] == ROOT)]
        strict = (tops["alpha"] >= DECISIVE) | (tops["beta"] <= -DECISIVE)
        self.fired["root: verification"] += int(strict.sum())
        narrow = ~strict & ((tops["alpha"] > -32500) | (tops["beta"] < 32500))
        self.fired["root: aspiration window"] += int(narrow.sum())
        missed = narrow & ((tops["value"] <= tops["alpha"]) | (tops["value"] >= tops["beta"]))
        self.fired["root: aspiration re-search"] += int(missed.sum())
        below = rows[rows["parent"] >= 0]
        inside = below[below["parent"] < len(rows)]
        parents = rows[inside["parent"]]
        deeper = (inside["depth"] >= parents["depth"]) & (inside["why"] != NOISY) & (parents["depth"] > 0)
        self.fired["depth: extension or another action"] += int(deeper.sum())


def plain(game: Any, history: History) -> History:
    """The same history in the plain form."""
    moves, node = [], history
    while node.before is not None:
        moves.append(node.move)
        node = node.before
    result = History(game, game.parse(f"{history.game.text(node.position)}/0"))
    for move in moves[::-1]:
        result = result.play(game.unwrap(result.position).name(move))
    return result


def labels(case: Case, native: bool) -> list[str]:
    """The modes that all searches of a case are in."""
    flags = {
        "database": case.database,
        "recorder": case.record,
        "warm table": len(case.asks) > 1,
        "a side acts again": case.shape.again > 0 and case.shape.actions > 0,
        "moves to the same position": bool(case.shape.loops),
        "images that share an entry": bool(case.shape.images) or case.plain,
        "mobility": case.mobility,
        "margins of their own": bool(case.margins),
    }
    return [
        f"table: {'off' if 'table' in case.without else case.table}",
        f"form: {'plain' if case.plain else 'compiled class'}",
        f"run: {'native' if native else 'interpreted'}",
        f"draws: {DRAWS[case.draws].repetition}/{DRAWS[case.draws].plies}",
        *(f"without: {name}" for name in case.without or ("nothing",)),
        *(f"with: {name}" for name, used in flags.items() if used),
    ]


class PlainTruth(Truth):
    """The truth of a compiled history about the plain one: only the moves have other numbers."""

    def __init__(self, truth: Truth, history: History) -> None:
        self.history, self._truth, self.answers = history, truth, {}
        self._ends, self.checked = {}, set()
        game, position = history.game, history.position
        own = game.unwrap(position)
        self.number = {move: game.read_move(position, own.name(move)) for move in truth.moves}
        self.moves = [self.number[move] for move in truth.moves]
        self.values = {self.number[move]: score for move, score in truth.values.items()}

    def minimax(self, depth: int) -> dict[int, int] | None:
        found = self._truth.minimax(depth)
        return None if found is None else {self.number[move]: score for move, score in found.items()}


def any_ask(dice: random.Random, walk: tuple[int, ...], deep: int) -> Ask:
    """A random search from the end of a walk."""
    limit = dice.random()
    ask = Ask(walk)
    if limit < 0.45:
        ask = replace(ask, depth=dice.randint(1, deep))
    elif limit < 0.75:
        ask = replace(ask, nodes=dice.choice((dice.randint(1, 60), dice.randint(1, 3000))))
        if dice.random() < 0.5:
            ask = replace(ask, depth=dice.randint(1, 2 * deep))
    elif limit < 0.97:
        ask = replace(ask, mate=dice.randint(1, 4))
        if dice.random() < 0.3:
            ask = replace(ask, nodes=dice.randint(1, 2000))
    else:
        ask = replace(ask, time=0.002, nodes=5000)
    if dice.random() < 0.3:
        ask = replace(ask, lines=dice.randint(2, 5))
    if dice.random() < 0.15:
        ask = replace(ask, moves=tuple(dice.randrange(8) for _ in range(dice.randint(1, 3))))
    return ask


def any_walks(dice: random.Random, count: int) -> list[tuple[int, ...]]:
    """Ways to roots: from the start, and with more and more of a past."""
    return [tuple(dice.randrange(8) for _ in range(dice.choice((0, 1, 2, 3, 5, 8)))) for _ in range(count)]


def any_margins(dice: random.Random) -> tuple[tuple[str, int], ...]:
    """Half of the numbers of the search, each anywhere in its range: techniques fire that seldom do."""
    chosen = dice.sample(sorted(MARGINS), len(MARGINS) // 2)
    low_or_any = ((name, MARGINS[name].low, dice.randint(*MARGINS[name][1:3])) for name in chosen)
    return tuple((name, dice.choice(numbers)) for name, *numbers in low_or_any)


def any_case(
    dice: random.Random,
    searches: int = 24,
    size: int = 1,
    deep: int = 9,
    walks: Sequence[tuple[int, ...]] = (),
) -> Case:
    """A random case with so many searches."""
    shape = any_shape(dice, size)
    parts = list(NAMES)
    without = dice.choice(
        (
            (),
            (),
            (),
            ("unsound",),
            ("unsound",),
            ("unsound", "table"),
            (dice.choice(parts),),
            (dice.choice(parts),),
        )
    )
    walks = walks or any_walks(dice, 3)
    asks = tuple(
        any_ask(dice, walks[i * len(walks) // searches], 5 if "unsound" in without else deep)
        for i in range(searches)
    )
    return Case(
        shape,
        draws=dice.randrange(len(DRAWS)),
        asks=asks,
        without=without,
        table=dice.choice(("usual", "usual", "tiny")),
        threads=dice.choice((1, 1, 1, 1, 2, 3)),
        database=dice.random() < 0.25 and shape.tail > 0,
        record=dice.random() < 0.15,
        own_thread=dice.random() < 0.05,
    )


def large(dice: random.Random) -> Case:
    """A search that is large enough for every technique."""
    shape = replace(any_shape(dice, 4), width=10, levels=10, branch=5, skips=2, noisy=2, urgent=1, over=1)
    return Case(shape, draws=dice.randint(1, 3), asks=(Ask((1,), depth=9, nodes=20_000),), own_thread=False)


def forced(chance: int) -> Case:
    """A game of forced moves, several in a turn and round in circles: its line may reach the last ply."""
    long = Shape(width=60, levels=4, branch=1, cycles=7, again=3, actions=3, over=0, stuck=0, stuck_is=1)
    return Case(replace(long, chance=chance), asks=(Ask(depth=250, nodes=60_000),), record=True)


def stops(case: Case, ask: Ask, most: int) -> Case:
    """The same search stopped at every node count up to `most`, each on a warm table."""
    return replace(case, asks=tuple(replace(ask, nodes=nodes) for nodes in range(1, most + 1)))
