"""Take one to three pebbles from a heap; whoever cannot is lost. With weights and a database."""

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plywise import evaluation, game
from plywise.core.layout import Layout, byte
from plywise.core.resources import Weights
from plywise.core.scores import DATABASE_WIN, UNKNOWN


class MappedFile:
    """A file of bytes, mapped into memory; None while there is no file, and mapped again when it is new."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path = name, path
        self._stamp: Any = None
        self._array: Any = None

    def current(self) -> tuple[Any, Any]:
        try:
            info = os.stat(self.path)
        except OSError:
            self._array, self._stamp = None, None
            return None, None
        stamp = info.st_mtime_ns, info.st_size, info.st_ino
        if stamp != self._stamp:
            self._array, self._stamp = np.memmap(self.path, np.uint8, "r"), stamp
        return self._array, self._stamp


ANSWERS = MappedFile("answers", Path("no-such-database"))  # tests point it to a file: 0 lost, 1 won, 2 open
WEIGHTS = Layout(("per_pebble", "i8"), ("by_rest", "i8", (4,)))


@game("pebbles", most_moves=3, lends=(ANSWERS,), unit=1)
class Pebbles(NamedTuple):
    heap: int = 21
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        for take in range(1, min(3, self.heap) + 1):
            buffer[n] = take
            n += 1
        return n

    def play(self, move: int) -> "Pebbles":
        return Pebbles(self.heap - move, 1 - self.turn)

    def probe(self, memory: Any) -> int:
        if memory.answers != 0 and self.heap < 16:
            answer = byte(memory.answers, self.heap)
            if answer < 2:
                return DATABASE_WIN if answer else -DATABASE_WIN
        return UNKNOWN

    def text(self) -> str:
        return f"{self.heap} {self.turn}"

    @classmethod
    def parse(cls, text: str) -> "Pebbles":
        heap, turn = map(int, text.split())
        return cls(heap, turn)


@evaluation(
    Pebbles, weights=Weights(WEIGHTS, Path(__file__).with_name("pebbles.json")), terms={"per_pebble": "heap"}
)
def weighed(position: Pebbles, weights: Any) -> int:
    return weights.per_pebble * position.heap + weights.by_rest[position.heap % 4]


@evaluation(Pebbles)
def parity(position: Pebbles) -> int:
    return 5 if position.heap % 2 else -5
