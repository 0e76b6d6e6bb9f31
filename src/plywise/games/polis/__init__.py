"""Polis: hop, surround and bring your chariot home."""

from dataclasses import replace

from plywise.core.game import Draws, Game
from plywise.games.polis import evaluation  # noqa: F401  (adds the evaluations to the game)
from plywise.games.polis.rules import Polis

GAME: Game = Polis.game  # type: ignore[attr-defined]


def with_draws(repetition: int = 3, plies: int = 100) -> Game:
    """Polis with other draw rules (RULES 10): 0 switches one off.

    >>> with_draws(0, 0).draws
    Draws(repetition=0, plies=0, last_repetition=0, last_plies=0)
    """
    return replace(GAME, draws=Draws(repetition, plies))
