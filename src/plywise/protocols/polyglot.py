"""Opening books in the Polyglot format: a plain reader.

A book is a sorted file of 16-byte entries: key, move, weight, learning. The key of a position and the
numbers of its moves are the game's to say (`Game.polyglot`).
"""

import os
import random
import struct
from pathlib import Path
from typing import Any

from plywise.core.broken_files import check_regular
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.rules import Position

ENTRY = struct.Struct(">QHHI")
MAX_ENTRIES = 1000  # of one position: more than it has moves


class BadBook(PlywiseError):
    """A file that is no Polyglot book, or cannot be read."""


class Book:
    """A book to play from: a move is chosen by the weights of its entries."""

    def __init__(self, path: str | os.PathLike[str], seed: int | None = None) -> None:
        self.path = Path(path)
        try:
            size = check_regular(self.path)
            with self.path.open("rb"):
                pass
        except OSError as error:
            raise BadBook(f"book {path}: {error.strerror}") from None
        if size == 0 or size % ENTRY.size:
            raise BadBook(f"book {path}: {size} bytes are no whole number of entries of {ENTRY.size}")
        self.length = size // ENTRY.size
        self.dice = random.Random(seed)

    def __call__(self, history: History) -> int | None:
        """A move of the book for this position, as the game numbers it; None if it has none."""
        found = self.entries(history.game, history.position)
        if not found:
            return None
        return self.dice.choices([move for move, _ in found], [max(weight, 1) for _, weight in found])[0]

    def entries(self, game: Game, position: Position) -> list[tuple[int, int]]:
        """The legal moves that the book knows here, with their weights."""
        wanted, legal = game.polyglot(position)
        try:
            with self.path.open("rb") as file:
                found = self._find(file, wanted)
        except OSError:
            return []  # the file is gone in mid-game: search instead
        return [(legal[move], weight) for move, weight in found if move in legal]

    def _find(self, file: Any, wanted: int) -> list[tuple[int, int]]:
        low, high = 0, self.length
        while low < high:
            middle = (low + high) // 2
            if self._entry(file, middle)[0] < wanted:
                low = middle + 1
            else:
                high = middle
        result: list[tuple[int, int]] = []
        while low < self.length and len(result) < MAX_ENTRIES:
            key, move, weight, _ = self._entry(file, low)
            if key != wanted:
                break
            result.append((move, weight))
            low += 1
        return result

    def _entry(self, file: Any, place: int) -> tuple[int, int, int, int]:
        file.seek(place * ENTRY.size)
        data = file.read(ENTRY.size)
        return ENTRY.unpack(data) if len(data) == ENTRY.size else (1 << 64, 0, 0, 0)
