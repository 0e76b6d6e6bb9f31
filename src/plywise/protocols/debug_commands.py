"""Commands for people who type into a protocol by hand: perft, bench and evaluation of a position."""

import threading
import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.perft import divide
from plywise.core.rules import Position
from plywise.core.wording import score_text
from plywise.search.engine import Engine
from plywise.search.handle import Search
from plywise.search.limits import MAX_DEPTH, Limits
from plywise.search.result import Result
from plywise.search.specialisation import PerftCounter, perft_counter

T = TypeVar("T")
STOP_POLL = 0.01  # seconds between looks for a stop
CHUNK_PLIES = 3  # plies that are counted in one call, at most; after it we look for a stop
CHUNK_PATHS = 1_000_000  # paths that are counted in one call, about: some milliseconds
PLAIN_CHUNK_PATHS = 1_000  # the same where Python counts


class Stopped(Exception):
    """A perft or a bench was stopped before its end."""


class JobStop:
    """The stop of one perft or bench; it may be set from any thread."""

    def __init__(self) -> None:
        self.is_set = False
        self._search: Search | None = None

    def set(self) -> None:
        self.is_set = True
        if self._search is not None:
            self._search.stop()

    def run(self, search: Search) -> Result:
        """The result of a search, which a stop ends early."""
        self._search = search
        if self.is_set:  # it may have come before the search could be reached
            search.stop()
        return search.result()


def perft_divide(history: History, depth: int, stop: JobStop) -> Iterator[tuple[int, int]]:
    """The first moves, each with the number of paths behind it."""
    if depth > MAX_DEPTH:
        raise PlywiseError(f"perft goes up to depth {MAX_DEPTH}, not {depth}")
    game = history.game
    count = _make(lambda: perft_counter(game), stop, "perft", game)
    width = len(game.moves(history.position))
    yield from divide(
        game, history.position, depth, lambda after, left: _count_paths(count, after, left, width, stop)
    )


def _count_paths(count: PerftCounter, position: Position, depth: int, width: int, stop: JobStop) -> int:
    """The number of paths, counted in chunks; the position before had `width` moves."""
    if stop.is_set:
        raise Stopped
    most = CHUNK_PATHS if count.specialisation.compiled else PLAIN_CHUNK_PATHS
    if depth <= 1 or (depth <= CHUNK_PLIES and width**depth <= most):
        return count(position, depth)
    moves = count.game.moves(position)
    return sum(_count_paths(count, position.play(move), depth - 1, len(moves), stop) for move in moves)


def bench_lines(game: Game, stop: JobStop) -> Iterator[str]:
    """The game's fixed positions to their depths: nodes, which are a signature, and speed."""
    engine, nodes = _make(lambda: Engine(game), stop, "bench", game), 0
    started = time.perf_counter()
    for text, limit in game.bench_searches:
        engine.clear()
        nodes += stop.run(engine.start(game.history(text), Limits(**limit))).nodes
        if stop.is_set:
            raise Stopped
    took = time.perf_counter() - started
    yield f"Nodes searched: {nodes}"
    yield f"Nodes/second: {round(nodes / max(took, 0.001))}"


_being_made: dict[tuple[str, Game], SimpleQueue[Any]] = {}  # by jobs that were stopped before it was there


def _make(make: Callable[[], T], stop: JobStop, work: str, game: Game) -> T:
    """What a bench or a perft needs; a stop is not kept waiting while it is loaded or compiled.

    The next job takes what the stopped one has begun: one thread makes it, however often it is asked for.
    """
    if stop.is_set:
        raise Stopped
    made = _being_made.pop((work, game), None)
    if made is None:
        made = SimpleQueue()
        threading.Thread(target=_put, args=(make, made), daemon=True).start()
    while True:
        if stop.is_set:
            _being_made[work, game] = made
            raise Stopped
        try:
            found: T | Exception = made.get(timeout=STOP_POLL)
        except Empty:
            continue
        if isinstance(found, Exception):
            raise found
        return found


def _put(make: Callable[[], Any], made: SimpleQueue[Any]) -> None:
    try:
        made.put(make())
    except Exception as error:
        made.put(error)


def evaluation_lines(history: History, evaluator: str = "default") -> list[str]:
    """What an evaluation says before any search, term by term, for the side to move."""
    game, position = history.game, history.position
    unit = game.evaluation(evaluator).unit
    parts = game.terms(position, evaluator)
    lines = [f"{name:<16} {score_text(round(value), unit):>9}" for name, value in parts.items() if value]
    score = score_text(round(sum(parts.values())), unit)
    return [*lines, f"{evaluator}: {score} for {game.sides[history.turn]}"]
