"""Endgames solved by Plywise itself: `build` makes the database that a game's searches then read.

The generator knows no game. A game gives an index of its small positions (see core/solved.py) and
lends the file that is made of it.
"""

from plywise.endgames.build import Progress, build, build_behind, solve
from plywise.endgames.problems import hardest
from plywise.endgames.solver import Solver, counts

__all__ = ["Progress", "Solver", "build", "build_behind", "counts", "hardest", "solve"]
