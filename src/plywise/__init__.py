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

import importlib
from typing import TYPE_CHECKING, Any

from plywise.core.bits import Table
from plywise.core.board import Board, Piece
from plywise.core.compiled import compiled
from plywise.core.define import evaluation, game
from plywise.core.errors import PlywiseError
from plywise.core.game import Draws, Game
from plywise.core.history import History
from plywise.core.outcome import DRAWN, LOST, OPEN, WON, Outcome
from plywise.core.registry import load, shipped
from plywise.core.renamed import install as _find_old_modules
from plywise.core.scores import Kind

if TYPE_CHECKING:
    from plywise.search.engine import Engine, analyse, progress
    from plywise.search.limits import Limits
    from plywise.search.result import Line, Progress, Result

__version__ = "0.2.0"

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

# Rules, `--help` and many commands search nothing: the search is imported by who asks for one of its names.
_SEARCH = {
    "Engine": "engine",
    "Limits": "limits",
    "Line": "result",
    "Progress": "result",
    "Result": "result",
    "analyse": "engine",
    "progress": "engine",
}


def __getattr__(name: str) -> Any:
    if name not in _SEARCH:
        raise AttributeError(f"module 'plywise' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"plywise.search.{_SEARCH[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_find_old_modules()
