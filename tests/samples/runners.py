"""A race of two runners in which passing is harmless, to try the null move and extensions.

Each side has a runner on a 16-cell track; it steps one or two cells forward or one back, or, if the
enemy is exactly three cells ahead, throws it back to its start. Reaching the end wins.
"""

from typing import Any, NamedTuple

from plywise import LOST, OPEN, Draws, game

END = 15


@game("runners", most_moves=4, draws=Draws(repetition=3, plies=40), unit=1)
class Runners(NamedTuple):
    own: int = 0
    other: int = 0
    turn: int = 0

    def outcome(self) -> int:
        return LOST if self.other >= END else OPEN

    def moves(self, buffer: Any, n: int) -> int:
        if self.other - self.own == 3:
            buffer[n] = 3
            n += 1
        for step in (2, 1):
            buffer[n] = step
            n += 1
        if self.own > 0:
            buffer[n] = 0
            n += 1
        return n

    def noisy(self, buffer: Any, n: int) -> int:
        if self.other - self.own == 3:
            buffer[n] = 3
            n += 1
        return n

    def play(self, move: int) -> "Runners":
        if move == 3:
            return Runners(0, self.own, 1 - self.turn)
        step = -1 if move == 0 else move
        return Runners(self.other, self.own + step, 1 - self.turn)

    def gain(self, move: int) -> int:
        return 1 if move == 3 else 0

    def urgent(self) -> bool:
        return self.own - self.other == 3

    def can_skip(self) -> bool:
        return not self.urgent()

    def skip(self) -> "Runners":
        return Runners(self.other, self.own, 1 - self.turn)

    def resets(self, move: int) -> bool:
        return False

    def evaluate(self) -> int:
        return self.own - self.other

    def text(self) -> str:
        return f"{self.own}-{self.other}-{self.turn}"

    @classmethod
    def parse(cls, text: str) -> "Runners":
        own, other, turn = map(int, text.split("-"))
        return cls(own, other, turn)
