"""Openings of chess by name, with their codes in the Encyclopaedia of Chess Openings (opening_names.txt)."""

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plywise.core.opening import Opening, index_openings
from plywise.games.chess.notation import read_move


def read_lines() -> Iterator[tuple[str, Opening]]:
    """The moves of each opening, and what it is called."""
    text = Path(__file__).with_name("opening_names.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            moves, _, name = line.partition(" | ")
            code, _, moves = moves.partition(" ")
            yield moves, Opening(name, code)


@functools.cache
def openings_by_key() -> dict[int, Opening]:
    """What the position of a key is called; made when the first name is asked for."""
    from plywise.games.chess.rules import Chess  # it asks this module

    return index_openings(Chess.start(), read_lines(), read_move)


def opening(position: Any) -> Opening | None:
    """The opening that leads to this position, whatever the order of its moves; None if none has a name."""
    return openings_by_key().get(position.key())
