"""Chess, Chess960 included: rules, notation and evaluations."""

from plywise.games.chess.rules import Chess

GAME = Chess.game  # type: ignore[attr-defined]
