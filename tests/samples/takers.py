"""Coins in a row, taken from either end: who takes an even one takes again. Nobody declares that.

The position is worth what the side to move has taken more than the other; who has more wins.
"""

from dataclasses import dataclass

from plywise import DRAWN, LOST, WON, game


@game("takers", most_moves=2, unit=1)
@dataclass(frozen=True)
class Takers:
    row: tuple[int, ...] = (4, 1, 6, 3, 8, 2, 5, 3, 2, 7)
    ahead: int = 0  # for the side to move
    turn: int = 0

    def moves(self) -> list[str]:
        return ["first", "last"][: len(self.row)]

    def play(self, move: str) -> "Takers":
        coin, row = (self.row[0], self.row[1:]) if move == "first" else (self.row[-1], self.row[:-1])
        if coin % 2 == 0:
            return Takers(row, self.ahead + coin, self.turn)
        return Takers(row, -self.ahead - coin, 1 - self.turn)

    def outcome(self) -> int | None:
        if self.row:
            return None
        return WON if self.ahead > 0 else LOST if self.ahead < 0 else DRAWN

    def evaluate(self) -> int:
        return self.ahead

    def text(self) -> str:
        return f"{','.join(map(str, self.row))}/{self.ahead}/{self.turn}"

    @classmethod
    def parse(cls, text: str) -> "Takers":
        row, ahead, turn = text.split("/")
        return cls(tuple(map(int, row.split(","))), int(ahead), int(turn))
