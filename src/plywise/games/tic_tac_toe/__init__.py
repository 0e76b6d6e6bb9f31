"""Tic-tac-toe in the plain form: ordinary Python objects, nothing compiled."""

from plywise.games.tic_tac_toe.rules import TicTacToe

GAME = TicTacToe.game  # type: ignore[attr-defined]
