"""The proof that a game's candidates are legal moves, each listed once."""

from collections.abc import Iterator
from typing import Any

from plywise.core.game import Game


def wrong_candidates(game: Game, position: Any, moves: list[int]) -> Iterator[str]:
    """What is wrong with the candidates of an open position with these legal moves, in words."""
    if not game.has_candidates or not moves or position.midway():
        return
    buffer: dict[int, int] = {}
    found = [buffer[i] for i in range(position.candidates(buffer, 0))]
    for move in found:
        if move not in moves:
            yield f"move {move} is a candidate and no legal move"
            return
    if len(set(found)) < len(found):
        twice = next(move for move in found if found.count(move) > 1)
        yield f"{game.move_text(position, twice)} is a candidate twice"
