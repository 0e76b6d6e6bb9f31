"""Matches of many games between players, on one machine or many.

>>> from plywise.arena import Match
>>> match = Match.of("tic_tac_toe", ["plywise:depth=2", "plywise:player=random"], pairs=4, seed=1)
>>> match.run().games
8
"""

from typing import TYPE_CHECKING

from plywise.arena.adjudication import AdjudicationRules
from plywise.arena.cluster import Cluster
from plywise.arena.executors import Executor, InProcess, Processes
from plywise.arena.export import GameWriter
from plywise.arena.journal import Journal
from plywise.arena.match import Match, create_journal
from plywise.arena.rating import Rating, rate
from plywise.arena.sprt import Model, Sprt, Verdict
from plywise.arena.statistics import Estimate, from_games, from_pairs
from plywise.arena.tally import Meeting, Tally
from plywise.arena.time_control import TimeControl
from plywise.core.renamed import old_names

__all__ = [
    "AdjudicationRules",
    "Cluster",
    "Estimate",
    "Executor",
    "GameWriter",
    "InProcess",
    "Journal",
    "Match",
    "Meeting",
    "Model",
    "Processes",
    "Rating",
    "Sprt",
    "Tally",
    "TimeControl",
    "Verdict",
    "create_journal",
    "from_games",
    "from_pairs",
    "rate",
]

if not TYPE_CHECKING:  # a type checker shall report unknown names
    __getattr__ = old_names(__name__)
