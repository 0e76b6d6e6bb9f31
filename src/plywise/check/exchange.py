"""A position with the other side to move: what that says about evaluations and passes."""

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from plywise.check.finding import Finding
from plywise.core.contract import source_place
from plywise.core.game import Game
from plywise.core.outcome import OPEN

LEAST = 8  # positions with a value that must speak against an evaluation
MOST = 200  # positions that are looked at
SHARE = 0.8  # of them in which the sign stays


def exchange_turn(game: Game, position: Any) -> Any:
    """The position with the other side to move and all else as it is; None if it cannot be made."""
    own = game.unwrap(position)
    turn = 1 - int(position.turn)
    try:
        if hasattr(own, "_replace"):
            return game.wrap(own._replace(turn=turn))
        if dataclasses.is_dataclass(own) and not isinstance(own, type):
            return game.wrap(dataclasses.replace(own, turn=turn))
    except Exception:  # not every class can be made from its fields
        return None
    return None


def check_signs(game: Game, positions: Iterable[Any]) -> Iterator[Finding]:
    """Advice if an evaluation says the same whoever is to move: it should speak for the side to move."""
    for name in game.evaluations:
        same, other, example = 0, 0, ""
        for position in list(positions)[:MOST]:
            values = _both_values(game, position, name)
            if values is None or 0 in values:
                continue
            if (values[0] > 0) == (values[1] > 0):
                same += 1
                example = example or (
                    f"{values[0]} with {game.sides[position.turn]} to move and {values[1]} with"
                    f" {game.sides[1 - position.turn]} to move in [{game.text(position)}]"
                )
            else:
                other += 1
        if same >= LEAST and same >= SHARE * (same + other):
            function = game.evaluation(name).function
            called = "evaluate" if function is None else name
            place = source_place(game.author, "evaluate") if function is None else _place(function)
            yield Finding(
                "evaluate",
                f"{place}: {called}() keeps its sign when the other side is to move ({example}); it should"
                " say how good a position is for the side to move",
                advice=True,
            )


def _both_values(game: Game, position: Any, evaluator: str) -> tuple[int, int] | None:
    """What an evaluation says with each side to move; None where one of the positions is not evaluated."""
    changed = exchange_turn(game, position)
    try:
        if changed is None or any(p.outcome() != OPEN or p.midway() for p in (position, changed)):
            return None
        return game.evaluate(position, evaluator), game.evaluate(changed, evaluator)
    except Exception:  # the other side can never be to move here
        return None


def _place(function: Any) -> str:
    function = getattr(function, "__wrapped__", function)
    return f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
