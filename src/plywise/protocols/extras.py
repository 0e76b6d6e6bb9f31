"""What people type into a protocol by hand: perft, bench and the evaluation of a position."""

import time
from collections.abc import Iterator

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import in_words
from plywise.search.engine import Engine
from plywise.search.limits import DEEPEST
from plywise.search.runner import counter


def divided(history: History, depth: int) -> Iterator[tuple[int, int]]:
    """The first moves, each with the number of paths behind it."""
    if depth > DEEPEST:
        raise PlywiseError(f"perft goes up to depth {DEEPEST}, not {depth}")
    count = counter(history.game)
    for move in history.game.moves(history.position):
        yield move, count(history.position.play(move), depth - 1)


def bench(game: Game) -> Iterator[str]:
    """The game's fixed positions to their depths: nodes, which are a signature, and speed."""
    engine, nodes = Engine(game), 0
    started = time.perf_counter()
    for text, depth in game.bench:
        engine.clear()
        nodes += engine.search(game.history(text), depth=depth).nodes
    took = time.perf_counter() - started
    yield f"Nodes searched: {nodes}"
    yield f"Nodes/second: {round(nodes / max(took, 0.001))}"


def evaluated(history: History, evaluator: str = "default") -> list[str]:
    """What an evaluation says before any search, term by term, for the side to move."""
    game, position = history.game, history.position
    unit = game.evaluation(evaluator).unit
    parts = game.terms(position, evaluator)
    lines = [f"{name:<16} {in_words(round(value), unit):>9}" for name, value in parts.items() if value]
    score = in_words(round(sum(parts.values())), unit)
    return [*lines, f"{evaluator}: {score} for {game.sides[history.turn]}"]
