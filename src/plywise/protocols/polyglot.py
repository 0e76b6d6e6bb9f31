"""Opening books in the Polyglot format: a plain reader.

A book is a sorted file of 16-byte entries: key, move, weight, learning. The key of a position is the
exclusive or of numbers that the format publishes, one for each piece on its square, castling right,
file of a capture in passing, and White's turn; they stand in `polyglot_keys.txt`, in that order.
"""

import os
import random
import struct
from functools import cache
from pathlib import Path
from typing import Any

from plywise.core.errors import PlywiseError
from plywise.core.history import History
from plywise.core.words import bits
from plywise.games.chess.fen import KINDS, pieces_of
from plywise.games.chess.generate import BECOMES, TO

ENTRY = struct.Struct(">QHHI")
CASTLING, PASSING, WHITE = 768, 772, 780  # where these keys begin
PIECES = {KINDS[letter]: place for place, letter in enumerate("pnbrqk")}
PROMOTIONS = (0, *(KINDS[letter] for letter in "nbrq"))


class BadBook(PlywiseError):
    """A file that is no Polyglot book, or cannot be read."""


@cache
def keys() -> tuple[int, ...]:
    """The 781 numbers of the format."""
    text = Path(__file__).with_name("polyglot_keys.txt").read_text(encoding="ascii")
    return tuple(int(word, 16) for line in text.splitlines() if line[:1] != "#" for word in line.split())


def key(position: Any) -> int:
    """The position's key in Polyglot books."""
    numbers, pieces, result = keys(), pieces_of(position), 0
    kings = {}
    for square, (side, kind) in pieces.items():
        result ^= numbers[64 * (2 * PIECES[kind] + 1 - side) + square]
        if kind == KINDS["k"]:
            kings[side] = square
    for rook in bits(position.castling):
        side = int(rook >= 8)
        result ^= numbers[CASTLING + 2 * side + int(rook < kings[side])]
    if position.passant:
        # It counts if a pawn stands beside, even if it is pinned.
        passed = bits(position.passant)[0]
        row = passed - 8 if position.turn == 0 else passed + 8
        for square in (row - 1, row + 1):
            if square >> 3 == row >> 3 and pieces.get(square) == (position.turn, KINDS["p"]):
                result ^= numbers[PASSING + (passed & 7)]
                break
    if position.turn == 0:
        result ^= numbers[WHITE]
    return result


class Book:
    """A book to play from: a move is chosen by the weights of its entries."""

    def __init__(self, path: str | os.PathLike[str], seed: int | None = None) -> None:
        self.path = Path(path)
        try:
            size = self.path.stat().st_size
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
        found = self.entries(history.position)
        if not found:
            return None
        return self.dice.choices([move for move, _ in found], [max(weight, 1) for _, weight in found])[0]

    def entries(self, position: Any) -> list[tuple[int, int]]:
        """The legal moves that the book knows here, with their weights."""
        wanted = key(position)
        buffer: dict[int, int] = {}
        legal = [buffer[i] for i in range(position.moves(buffer, 0))]
        result = []
        try:
            with self.path.open("rb") as file:
                for move, weight in self._found(file, wanted):
                    start, to, becomes = move >> 6 & 63, move & 63, PROMOTIONS[min(move >> 12 & 7, 4)]
                    # Castling is the king onto its rook there, as here.
                    result += [
                        (one, weight)
                        for one in legal
                        if (one & 63, one >> TO & 63, one >> BECOMES & 31) == (start, to, becomes)
                    ]
        except OSError:
            return []  # the book went away in mid-game: think for ourselves
        return result

    def _found(self, file: Any, wanted: int) -> list[tuple[int, int]]:
        low, high = 0, self.length
        while low < high:
            middle = (low + high) // 2
            if self._entry(file, middle)[0] < wanted:
                low = middle + 1
            else:
                high = middle
        result = []
        while low < self.length and self._entry(file, low)[0] == wanted:
            _, move, weight, _ = self._entry(file, low)
            result.append((move, weight))
            low += 1
        return result

    def _entry(self, file: Any, place: int) -> tuple[int, int, int, int]:
        file.seek(place * ENTRY.size)
        data = file.read(ENTRY.size)
        return ENTRY.unpack(data) if len(data) == ENTRY.size else (1 << 64, 0, 0, 0)
