"""What people type into a protocol by hand: perft, bench and the evaluation of a position."""

import time
from collections.abc import Iterator
from typing import Any

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import in_words
from plywise.search.engine import Engine
from plywise.search.limits import DEEPEST
from plywise.search.memory import weights_record
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
    """What an evaluation says, before any search; for chess's own term by term, for the side to move."""
    game, position = history.game, history.position
    evaluation = game.evaluation(evaluator)
    lines = []
    if game.name == "chess" and evaluator == "default":
        from plywise.games.chess.terms import terms

        lines = [f"{name:<14} {value:+9.2f}" for name, value in terms(position).items()]
    function = evaluation.function
    own = game.own(position)
    if function is None:
        score = int(position.evaluate())
    elif evaluation.weights is not None:
        weights: Any = weights_record(evaluation.weights.layout, evaluation.weights.values(), False)
        if function.__code__.co_argcount != 2:
            raise PlywiseError(f"the evaluation {evaluator} of {game.name} keeps sums and shows none")
        score = int(function(position, weights[0]))
    else:
        score = int(function(own if not game.compiled else position))
    return [*lines, f"{evaluator}: {in_words(score, game.unit)} for {game.sides[history.turn]}"]
