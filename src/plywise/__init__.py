"""Plywise looks ahead in any two-player game of perfect information."""

__version__ = "0.1.0"
