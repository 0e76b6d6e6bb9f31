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

Ply = tuple[Any, Any]  # the positions before and after a move
LEAST = 20  # plies with a value before and after
KEPT = 0.6  # of the products of both values: 1 if all signs stay, -1 if all change


def check_signs(game: Game, histories: Iterable[History]) -> Iterator[Finding]:
    """Advice if an evaluation keeps its sign when the other side comes to move, in any third of the game."""
    plies = [(history, pair) for history in histories if (pair := _ply(history)) is not None]
    for name in game.evaluations:
        if name == "default" and not game.has_evaluation:
            continue  # nothing that the author wrote
        for when, some in _stages(plies):
            example = _keeps_sign(game, name, some)
            if example is None:
                continue
            function = game.evaluation(name).function
            called = "evaluate" if function is None else name
            place = source_place(game.author, "evaluate") if function is None else _place(function)
            cure = "it should say how good a position is for the side to move"
            words = f"{called}() keeps its sign{when}: {example}"
            yield Finding("evaluate", f"{place}: {words}; {cure}", advice=True)
            break


def _stages(plies: list[tuple[History, Ply]]) -> Iterator[tuple[str, list[Ply]]]:
    """All plies, then those of each third, by how far the game has come."""
    yield "", [pair for _, pair in plies]
    in_order = sorted(plies, key=lambda one: one[0].length)
    third = -(-len(in_order) // 3)
    for i, when in enumerate((" early in a game", " in the middle of a game", " late in a game")):
        yield when, [pair for _, pair in in_order[i * third : (i + 1) * third]]


def _keeps_sign(game: Game, name: str, plies: list[Ply]) -> str | None:
    """An example, if an evaluation keeps its sign from ply to ply; None if it does not."""
    kept, total, seen, example = 0, 0, 0, ""
    for before, after in plies:
        one, two = game.evaluate(before, name), game.evaluate(after, name)
        kept, total, seen = kept + one * two, total + abs(one * two), seen + (one != 0 != two)
        if one * two > 0 and not example:
            example = (
                f"{one} with {game.sides[before.turn]} to move in [{game.text(before)}], and after the"
                f" move {two} with {game.sides[after.turn]} to move"
            )
    return None if seen < LEAST or kept <= KEPT * total else example


def _ply(history: History) -> Ply | None:
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
