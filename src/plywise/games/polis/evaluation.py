"""What is a position of Polis worth? `classic` is the first answer that was published for the game."""

from pathlib import Path
from typing import Any

from plywise.core.game import evaluation
from plywise.core.lent import Weights
from plywise.core.words import Layout, first, popcount
from plywise.games.polis.rules import Polis

CLASSIC = Layout(("piece", "i8"), ("advance", "i8"))


@evaluation(Polis, weights=Weights(CLASSIC, Path(__file__).with_name("classic.json")))
def classic(position: Polis, weights: Any) -> int:
    """Pieces, and the ranks that each chariot has come forward, squared; in tenths of a piece."""
    up = first(position.blue & position.chariots) >> 3
    down = 7 - (first(position.red & position.chariots) >> 3)
    score = weights.piece * (popcount(position.blue) - popcount(position.red))
    score += weights.advance * (up * up - down * down)
    return -score if position.turn != 0 else score
