"""Skirmish: footmen against archers. The world as it is, and the model of it that is searched."""

from plywise.core.game import Game
from plywise.games.skirmish import evaluation  # noqa: F401  (adds the evaluations)
from plywise.games.skirmish.battle import Battle
from plywise.games.skirmish.rules import Skirmish

GAME: Game = Skirmish.game  # type: ignore[attr-defined]
GAME.world = Battle  # named here, since the world shows itself to its players as positions of the model
