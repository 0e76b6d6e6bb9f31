"""A position with the other side to move, as far as it can be made from the fields."""

import dataclasses
from typing import Any

from plywise.core.game import Game


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
