"""English checkers: rules on bitboards, PDN, the three-move ballots, two evaluations, endgames."""

from plywise.games.checkers import evaluation  # registers the evaluations
from plywise.games.checkers.rules import Checkers

__all__ = ["GAME", "Checkers", "evaluation"]

GAME = Checkers.game  # type: ignore[attr-defined]
