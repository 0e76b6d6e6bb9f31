"""What people type into a protocol by hand: perft, bench and the evaluation of a position."""

import threading
import time
from collections.abc import Iterator
from typing import Any

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.perft import divide
from plywise.core.wording import score_text
from plywise.search.engine import Engine
from plywise.search.limits import MAX_DEPTH
from plywise.search.specialisation import PerftCounter, perft_counter

CHUNK_PLIES = 3  # plies that are counted at one go: some milliseconds, after which a stop is heard
STOP_POLL = 0.01  # seconds between looks: a stop that comes too early is forgotten, so it is repeated


class Stopped(PlywiseError):
    """Somebody did not want to wait for the end."""


def perft_divide(history: History, depth: int, stop: threading.Event) -> Iterator[tuple[int, int]]:
    """The first moves, each with the number of paths behind it."""
    if depth > MAX_DEPTH:
        raise PlywiseError(f"perft goes up to depth {MAX_DEPTH}, not {depth}")
    count = perft_counter(history.game)
    yield from divide(
        history.game, history.position, depth, lambda after, left: _count_paths(count, after, left, stop)
    )


def _count_paths(count: PerftCounter, position: Any, depth: int, stop: threading.Event) -> int:
    """The number of paths, counted in chunks."""
    if stop.is_set():
        raise Stopped("perft was stopped")
    if depth <= CHUNK_PLIES:
        return count(position, depth)
    return sum(
        _count_paths(count, position.play(move), depth - 1, stop) for move in count.game.moves(position)
    )


def bench_lines(game: Game, stop: threading.Event) -> Iterator[str]:
    """The game's fixed positions to their depths: nodes, which are a signature, and speed."""
    engine, nodes = Engine(game), 0
    ended = threading.Event()

    def listen() -> None:
        while not ended.wait(STOP_POLL):
            if stop.is_set():
                engine.stop()

    threading.Thread(target=listen, daemon=True).start()
    started = time.perf_counter()
    try:
        for text, depth in game.bench:
            engine.clear()
            nodes += engine.search(game.history(text), depth=depth).nodes
            if stop.is_set():
                raise Stopped("bench was stopped")
    finally:
        ended.set()
    took = time.perf_counter() - started
    yield f"Nodes searched: {nodes}"
    yield f"Nodes/second: {round(nodes / max(took, 0.001))}"


def evaluation_lines(history: History, evaluator: str = "default") -> list[str]:
    """What an evaluation says before any search, term by term, for the side to move."""
    game, position = history.game, history.position
    unit = game.evaluation(evaluator).unit
    parts = game.terms(position, evaluator)
    lines = [f"{name:<16} {score_text(round(value), unit):>9}" for name, value in parts.items() if value]
    score = score_text(round(sum(parts.values())), unit)
    return [*lines, f"{evaluator}: {score} for {game.sides[history.turn]}"]
