"""The chance of winning that a score means, for people: a bar, a graph."""

import math

from plywise.core.game import Game
from plywise.core.scores import is_sure


def win_chance(score: int, game: Game, unit: int) -> float:
    """The share of the points that the side to move can expect, 0 to 1; a draw is a half.

    `unit` is that of the evaluation that gave the score.

    >>> from plywise import load
    >>> round(win_chance(100, load("chess"), 100), 2), win_chance(0, load("chess"), 100)
    (0.59, 0.5)
    """
    if is_sure(score):
        return 1.0 if score > 0 else 0.0
    return 1 / (1 + math.exp(-logit(score, game, unit)))


def logit(score: int, game: Game, unit: int) -> float:
    """The score on a scale on which all games compare; chances are computed from it."""
    return max(-20.0, min(20.0, game.slope * score / unit))


def first_side_chance(score: int, turn: int, game: Game, unit: int) -> float:
    """The chance of the first side, whoever is to move; for a bar on the screen."""
    own = win_chance(score, game, unit)
    return own if turn == 0 else 1 - own
