"""Endgames solved by Plywise itself: `build` makes the database that a game's searches then read.

The generator knows no game. A game supplies an index of its small positions (see core/endgame_index.py)
and names the database as one of its resources.
"""

from plywise.endgames.best_play import hardest_drawing_move, line_to_end
from plywise.endgames.build import BuildProgress, build, build_in_background, solve
from plywise.endgames.known_ending import KnownEnding, is_small, look_up
from plywise.endgames.solver import Solver, count_verdicts

__all__ = [
    "BuildProgress",
    "KnownEnding",
    "Solver",
    "build",
    "build_in_background",
    "count_verdicts",
    "hardest_drawing_move",
    "is_small",
    "line_to_end",
    "look_up",
    "solve",
]
