"""Plywise looks ahead in any two-player game of perfect information.

>>> import plywise
>>> game = plywise.load("connect_four")
>>> history = game.history("4453")
>>> history.moves
['4', '3', '5', '2', '6', '1', '7']
>>> result = plywise.analyse(history.play("4"), depth=8)
>>> result.move in history.moves
True
"""

from plywise.core.bits import Table
from plywise.core.board import Board, Piece
from plywise.core.compiled import compiled
from plywise.core.define import evaluation, game
from plywise.core.errors import PlywiseError
from plywise.core.game import Draws, Game
from plywise.core.history import History
from plywise.core.outcome import DRAWN, LOST, OPEN, WON, Outcome
from plywise.core.registry import load, shipped
from plywise.core.scores import Kind
from plywise.search.engine import Engine, analyse, progress
from plywise.search.limits import Limits
from plywise.search.result import Line, Progress, Result

__version__ = "0.2.0.dev0"

__all__ = [
    "DRAWN",
    "LOST",
    "OPEN",
    "WON",
    "Board",
    "Draws",
    "Engine",
    "Game",
    "History",
    "Kind",
    "Limits",
    "Line",
    "Outcome",
    "Piece",
    "PlywiseError",
    "Progress",
    "Result",
    "Table",
    "analyse",
    "compiled",
    "evaluation",
    "game",
    "load",
    "progress",
    "shipped",
]
