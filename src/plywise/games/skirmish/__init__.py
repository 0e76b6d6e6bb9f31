"""Skirmish: footmen against archers. The world as it is, and the model of it that is searched."""

from plywise.games.skirmish import evaluation  # noqa: F401  (adds the evaluations)
from plywise.games.skirmish.rules import Skirmish

GAME = Skirmish.game  # type: ignore[attr-defined]
