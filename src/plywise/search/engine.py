"""The engine: searches one game with one evaluation, and keeps what searches have in common.

It owns the table, the compiled code, weights and resources; a `Search` (search/handle.py) uses them for
its time. Only one search runs at a time.
"""

import os
import random
import threading
import weakref
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from plywise.core.cores import memory
from plywise.core.errors import BadLimits, UnknownName
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.resources import BadWeights
from plywise.core.scores import UNKNOWN, distance
from plywise.search.alphabeta import search_root
from plywise.search.handle import Search
from plywise.search.limits import Limits
from plywise.search.margins import MARGIN_LAYOUT, check_margins, read_margins, scaled_margins
from plywise.search.result import Progress, Result
from plywise.search.specialisation import Specialisation, search_changes
from plywise.search.switches import NEEDS_STATIC_EVAL, switches
from plywise.search.textbook import alphabeta_root, minimax_root, sorted_alphabeta_root
from plywise.search.thread_state import NODE, ThreadState, indexable, weights_record
from plywise.search.transposition import TranspositionTable

MAX_THREADS = 256  # of one search
# The search itself and the textbook players beside it.
PLAYERS: dict[str, Callable[..., int]] = {
    "default": search_root,
    "minimax": minimax_root,
    "alphabeta": alphabeta_root,
    "sorted": sorted_alphabeta_root,
    "greedy": minimax_root,
    "random": minimax_root,
}


class Engine:
    """A player for one game and one evaluation; it keeps its table from search to search.

    `player` is the search itself (`default`) or a textbook player: `minimax`, `alphabeta`, `sorted`
    (alpha-beta that sorts its moves), `greedy` (the best evaluation a turn ahead) or `random` (with its
    `seed`). `without` switches parts of the search off by name. `margins` are numbers of the search, by
    name or in a file (search/margins.py). `distance=False` lets textbook players value a win the same at
    any distance. `record` is the number of nodes of each search that are kept in `log`.

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
        margins: str | os.PathLike[str] | Mapping[str, int] | None = None,
        record: int = 0,
        seed: int = 0,
        distance: bool = True,
    ) -> None:
        if player not in PLAYERS:
            raise UnknownName("player", player, PLAYERS)
        check_sizes(threads, hash)
        self.game, self.threads = game, threads if player == "default" else 1
        self.evaluation = game.evaluation(evaluator, weights)
        if weights is not None:
            game.weights(evaluator, weights)  # bad weights are refused before anything is compiled
        self.without, self.weights = tuple(without), weights
        self.switches = switches(self.without)
        if self.evaluation.function is None and not game.has_evaluation:
            self.switches &= ~NEEDS_STATIC_EVAL  # no evaluation to trust: the search is for wins and losses
        self.margins = scaled_margins(own_margins(game, margins), self.evaluation.unit, game.probcut)
        changes = search_changes(self.evaluation, record > 0)
        self.player, self.distance = player, distance
        compiled = compiled and player != "random"  # it searches nothing
        self.specialisation = Specialisation(PLAYERS[player], game, self.evaluation, changes, compiled)
        self._margins = weights_record(MARGIN_LAYOUT, self.margins, self.specialisation.compiled)
        self._random = random.Random(seed)
        self.table = TranspositionTable(hash, self.specialisation.compiled)
        self._stamps: Any = None
        self._weights: Any = None
        self._lock = threading.Lock()
        self._thread_states: list[ThreadState] = []
        self._resources: list[tuple[str, Any, Any]] = []
        # A search that nobody holds any more ends: the engine must not keep it alive.
        self._running: Callable[[], Search | None] = _no_search
        self._started: Callable[[], Search | None] = _no_search
        self._nodes = 0
        self.log = _new_log(record, self.specialisation.compiled) if record else None

    # --- control ------------------------------------------------------------------------------
    def stop(self) -> None:
        """Stop the search that is running, else the one started last."""
        search = self._current()
        if search is not None:
            search.stop()

    def hurry(self, seconds: float) -> None:
        """Give the search that is running, else the one started last, a time limit from now on."""
        search = self._current()
        if search is not None:
            search.hurry(seconds)

    @property
    def nodes(self) -> int:
        """How many positions the search that is running, or the last one, has visited so far."""
        search = self._running()
        return self._nodes if search is None else search.nodes

    def clear(self) -> None:
        """Forget what earlier searches have learned."""
        with self._lock:
            self.table.clear()
            self._thread_states.clear()

    def _current(self) -> Search | None:
        return self._running() or self._started()

    # --- searching ----------------------------------------------------------------------------
    def start(
        self,
        history: History,
        limits: Limits | None = None,
        *,
        moves: Sequence[str] = (),
        lines: int = 1,
        **limit: Any,
    ) -> Search:
        """A handle on a new search. It begins with the first report, or the result, asked for.

        Limits may be given as keywords: depth, nodes, time, mate. `moves` are the only root moves to
        search, `lines` says how many of the best to find.
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
        search = Search(self, history, limits, roots, bool(moves), lines)
        self._started = weakref.ref(search)
        return search

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
        """The best move; `progress` is called with each report. Otherwise like `start`."""
        with self.start(history, limits, moves=moves, lines=lines, **limit) as search:
            for report in search:
                if progress is not None:
                    progress(report)
            return search.result()

    def run(
        self,
        history: History,
        limits: Limits | None = None,
        *,
        moves: Sequence[str] = (),
        lines: int = 1,
        **limit: Any,
    ) -> Generator[Progress, None, Result]:
        """The reports of a search as a generator whose value is the result. Closing it stops the search."""
        return _reports(self.start(history, limits, moves=moves, lines=lines, **limit))

    # --- what a search takes from its engine ----------------------------------------------------
    def acquire(self, search: Search) -> None:
        """Reserve the engine for a search, as soon as the one before it has ended."""
        self._lock.acquire()
        try:
            self._running = weakref.ref(search)
            self.reload_resources()
            self.table.age()
        except BaseException:
            self.release(0)
            raise

    def release(self, nodes: int) -> None:
        """The search that reserved the engine has ended, after this many nodes."""
        self._nodes = nodes
        self._running = _no_search
        self._lock.release()

    def thread_states(self, count: int) -> list[ThreadState]:
        """The states of this many threads, with the move order that earlier searches have learned."""
        while len(self._thread_states) < count:
            self._thread_states.append(self.specialisation.new_thread())
        return self._thread_states[:count]

    def bind(self, thread: ThreadState) -> None:
        """Let a thread use what the engine owns: the table, weights, resources and the log."""
        self.table.bind(thread)
        thread.bind("weights", self._weights)
        thread.bind("margins", self._margins)
        for name, data, _ in self._resources:
            thread.bind(name, data)
        if self.log is not None:
            thread.bind("log", self.log)
            thread.record.log_rows = len(self.log)

    def past_win_plies(self, positions: Iterable[Any]) -> tuple[int, int]:
        """What the database of the game says of these positions: see the function of this name."""
        return past_win_plies(positions, self.probe) if self.game.has_rule("probe") else (0, 0)

    def probe(self, position: Any) -> int:
        """What the database of the game says of a position, with the resources that were loaded last."""
        memory = SimpleNamespace(
            **{name: 0 if data is None else indexable(data) for name, data, _ in self._resources}
        )
        return int(position.probe(memory))

    def choose_randomly(self, roots: list[int]) -> int:
        """The move of a random player."""
        return self._random.choice(roots)

    def reload_resources(self) -> None:
        """Load weights and resources that are new or have changed; then the table is out of date."""
        resources = [(resource.name, *resource.current()) for resource in self.game.lends]
        stamps: list[Any] = [stamp for _, _, stamp in resources]
        weights = self.evaluation.weights
        if weights is not None:
            path = weights.path if self.weights is None else self.weights
            stamps.append(_file_stamp(path))
        if self._stamps is not None and stamps == self._stamps:
            return
        if weights is not None:
            values = weights.values(self.weights)
            self._weights = weights_record(weights.layout, values, self.specialisation.compiled)
        if self._stamps is not None:
            self.table.clear()
        self._stamps, self._resources = stamps, resources
        self._thread_states.clear()


def check_sizes(threads: int, hash: int) -> None:
    """BadLimits if this computer cannot give so many threads or so large a table."""
    if not 1 <= threads <= MAX_THREADS:
        raise BadLimits(f"threads must be a whole number from 1 to {MAX_THREADS}, not {threads}")
    if hash < 1:
        raise BadLimits(f"hash must be megabytes from 1 up, not {hash}")
    if hash > memory():
        raise BadLimits(f"hash cannot be {hash}: this computer has {memory()} megabytes of memory")


def past_win_plies(positions: Iterable[Any], probe: Callable[[Any], int]) -> tuple[int, int]:
    """The least distance, and one more, of positions from a win of each side, by a database.

    0 where none of them is won. One of which the distance is not known may be next to a win.
    """
    found = [0, 0]
    for position in positions:
        score, turn = probe(position), int(position.turn)
        if score == 0:
            continue
        plies = None if score == UNKNOWN else distance(score)
        for side in (0, 1) if score == UNKNOWN else (turn if score > 0 else 1 - turn,):
            nearest = 1 if plies is None else plies + 1
            found[side] = min(found[side] or nearest, nearest)
    return found[0], found[1]


def _reports(search: Search) -> Generator[Progress, None, Result]:
    with search:
        yield from search
        return search.result()


def _no_search() -> None:
    """A reference to a search that is gone."""


_OPTIONS = ("player", "hash", "threads", "compiled", "without", "weights", "margins", "seed", "distance")


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
    return _start(history, limits, evaluator, moves, lines, options).result()


def progress(
    history: History,
    limits: Limits | None = None,
    *,
    evaluator: str = "default",
    moves: Sequence[str] = (),
    lines: int = 1,
    **options: Any,
) -> Generator[Progress, None, Result]:
    """The reports of a search by a fresh engine: one for each finished depth and root move."""
    return _reports(_start(history, limits, evaluator, moves, lines, options))


def _start(
    history: History,
    limits: Limits | None,
    evaluator: str,
    moves: Sequence[str],
    lines: int,
    options: dict[str, Any],
) -> Search:
    engine_options = {name: options.pop(name) for name in _OPTIONS if name in options}
    engine = Engine(history.game, evaluator, **engine_options)
    return engine.start(history, limits, moves=moves, lines=lines, **options)


def own_margins(
    game: Game, margins: str | os.PathLike[str] | Mapping[str, int] | None = None
) -> dict[str, int]:
    """The game's margins, and before them those that an engine is given."""
    own = {} if game.margins is None else read_margins(game.margins, game.name)
    if margins is None:
        return own
    if isinstance(margins, Mapping):
        return {**own, **check_margins(margins)}
    return {**own, **read_margins(margins, game.name)}


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
