"""The proof that a game which says which moves threaten says the same as the positions after them."""

from collections.abc import Iterator
from typing import Any

from plywise.core.game import Game


def wrong_threats(game: Game, position: Any, moves: list[int]) -> Iterator[str]:
    """What is wrong with the threats of an open position with these legal moves, in words."""
    if not game.has_rule("threatens"):
        return
    for move in moves:
        said, seen = bool(position.threatens(move)), bool(position.play(move).urgent())
        if said != seen:
            text = game.move_text(position, move)
            yield f"threatens() says {said} of {text}, and urgent() says {seen} after it"
            return
