"""Connect Four in the compiled form: a NamedTuple of words."""

from plywise.games.connect_four.rules import ConnectFour

GAME = ConnectFour.game  # type: ignore[attr-defined]
