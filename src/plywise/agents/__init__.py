"""Agents that lead the sides of a world, and the maps on which they meet.

A world names its agents by a text, `agents`, of its class. A world without that name has none.
"""

from types import ModuleType

from plywise.core.errors import PlywiseError
from plywise.core.game import Game


def agents_of(game: Game) -> ModuleType | None:
    """The agents of a game's world; None for a game that has no world."""
    if game.world is None:
        return None
    match _agents_name(game):
        case "skirmish":
            from plywise.agents import skirmish

            return skirmish
    raise _no_agents(game)


def maps_of(game: Game) -> ModuleType:
    """The maps of a game's world."""
    match _agents_name(game):
        case "skirmish":
            from plywise.games.skirmish import maps

            return maps
    raise _no_agents(game)


def _agents_name(game: Game) -> str | None:
    return getattr(game.world, "agents", None)


def _no_agents(game: Game) -> PlywiseError:
    return PlywiseError(f"{game.name} is played in a world of its own, for which the arena has no agents")
