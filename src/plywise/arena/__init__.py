"""Many games: matches that prove strength, on one machine or many.

>>> from plywise.arena import Match
>>> match = Match.of("tic_tac_toe", ["plywise:depth=2", "plywise:player=random"], pairs=4, seed=1)
>>> match.run().games
8
"""

from plywise.arena.adjudication import Rules
from plywise.arena.cluster import Cluster
from plywise.arena.control import Control
from plywise.arena.executors import Executor, Here, Processes
from plywise.arena.match import Match, begin
from plywise.arena.rating import Rating, rate
from plywise.arena.records import Writer
from plywise.arena.sprt import Model, Sprt, Verdict
from plywise.arena.standing import Meeting, Standing
from plywise.arena.statistics import Estimate, from_games, from_pairs
from plywise.arena.store import Journal

__all__ = [
    "Cluster",
    "Control",
    "Estimate",
    "Executor",
    "Here",
    "Journal",
    "Match",
    "Meeting",
    "Model",
    "Processes",
    "Rating",
    "Rules",
    "Sprt",
    "Standing",
    "Verdict",
    "Writer",
    "begin",
    "from_games",
    "from_pairs",
    "rate",
]
