"""What a shipped game may have beside its rules for the arena, found by the place where it stands.

`plywise/games/NAME/records.py` has what others call the game's formats:

    SUFFIX                         of files of recorded games: ".pgn"
    write(history, players, winner, tags)  one recorded game as text
    BOOKS                          named collections of openings: {name: function that lists texts}
    READERS                        formats of openings: {suffix: function from a text to (line, text)}

All are optional. A game that is played in a world has it in `world.py` and its maps in `maps.py` beside
the rules, and its agents in `plywise/play/NAME.py`.
"""

import importlib
import importlib.util
from types import ModuleType

from plywise.core.game import Game

SHELF = "plywise.games."
AGENTS = "plywise.play."


def records(game: Game) -> ModuleType | None:
    """The formats of a shipped game, if it has any of its own."""
    package = _package(game)
    return _module(f"{package}.records") if package else None


def maps(game: Game) -> ModuleType:
    """The maps of a game that is played in a world."""
    return importlib.import_module(f"{_package(game)}.maps")


def world(game: Game) -> ModuleType | None:
    """The agents of a game that is played in a world; None for games that are just played."""
    package = _package(game)
    if not package or _module(f"{package}.world") is None:
        return None
    return _module(AGENTS + package.removeprefix(SHELF))


def _package(game: Game) -> str:
    name = game.author.__module__.rpartition(".")[0]
    return name if name.startswith(SHELF) else ""


def _module(name: str) -> ModuleType | None:
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
