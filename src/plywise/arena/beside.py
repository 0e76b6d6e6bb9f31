"""The agents and maps of a game that is played in a world, found by the places where they stand.

A shipped game with a world has its maps in `plywise/games/NAME/maps.py` and the agents that lead its
sides in `plywise/agents/NAME.py`.
"""

import importlib
from types import ModuleType

from plywise.core.errors import PlywiseError
from plywise.core.game import Game

GAMES_PACKAGE = "plywise.games."
AGENTS_PACKAGE = "plywise.agents."


def is_shipped(game: Game) -> bool:
    """Whether the game comes with Plywise."""
    return game.author.__module__.startswith(GAMES_PACKAGE)


def maps_of(game: Game) -> ModuleType:
    """The maps of a game that is played in a world."""
    return importlib.import_module(f"{game.author.__module__.rpartition('.')[0]}.maps")


def agents_of(game: Game) -> ModuleType | None:
    """The agents of a game that is played in a world; None for games that are just played."""
    if game.world is None:
        return None
    if not is_shipped(game):
        raise PlywiseError(f"{game.name} is played in a world of its own, for which the arena has no agents")
    return importlib.import_module(
        AGENTS_PACKAGE + game.author.__module__.removeprefix(GAMES_PACKAGE).partition(".")[0]
    )
