"""Chess, Chess960 included: rules, notation and evaluations."""

from plywise.games.chess import classic, evaluation  # noqa: F401  (registers its evaluations)
from plywise.games.chess.rules import Chess

GAME = Chess.game  # type: ignore[attr-defined]
