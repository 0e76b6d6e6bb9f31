"""The sign of an evaluation: it speaks for the side to move, so it changes from ply to ply.

A side that is well off before a move is so after it too, as a rule; then the other side is to move. An
evaluation that keeps its sign along random games speaks for one side, or for nobody.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from plywise.check.finding import Finding
from plywise.core.contract import source_place
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import OPEN

LEAST = 20  # plies with a value before and after
KEPT = 0.6  # of the products of both values: 1 if all signs stay, -1 if all change


def check_signs(game: Game, histories: Iterable[History]) -> Iterator[Finding]:
    """Advice if an evaluation keeps its sign when the other side comes to move."""
    plies = [pair for history in histories if (pair := _ply(history)) is not None]
    for name in game.evaluations:
        if name == "default" and not game.has_evaluation:
            continue  # nothing that the author wrote
        kept, total, seen, example = 0, 0, 0, ""
        for before, after in plies:
            one, two = game.evaluate(before, name), game.evaluate(after, name)
            kept, total, seen = kept + one * two, total + abs(one * two), seen + (one != 0 != two)
            if one * two > 0 and not example:
                example = (
                    f"{one} with {game.sides[before.turn]} to move in [{game.text(before)}], and after the"
                    f" move {two} with {game.sides[after.turn]} to move"
                )
        if seen < LEAST or kept <= KEPT * total:
            continue
        function = game.evaluation(name).function
        called = "evaluate" if function is None else name
        place = source_place(game.author, "evaluate") if function is None else _place(function)
        cure = "it should say how good a position is for the side to move"
        yield Finding("evaluate", f"{place}: {called}() keeps its sign: {example}; {cure}", advice=True)


def _ply(history: History) -> tuple[Any, Any] | None:
    """The positions before and after the last move, if both are evaluated and it gave the turn away."""
    if history.before is None:
        return None
    before, after = history.before.position, history.position
    if before.turn == after.turn or any(p.outcome() != OPEN or p.midway() for p in (before, after)):
        return None
    return before, after


def _place(function: Any) -> str:
    function = getattr(function, "__wrapped__", function)
    return f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
