"""Kalah in the plain form: ordinary Python, stones in pits, and a side that may move again.

A move is the number of a pit, 0 at the left of the side to move.
"""

from dataclasses import dataclass

from plywise import DRAWN, LOST, WON, Board, game
from plywise.core.board import stones

SIDES = ("south", "north")
LETTERS = ("abcdefghijkl", "ABCDEFGHIJKL")  # the pits of each side, from its left


@game("kalah", sides=SIDES, unit=1, bench=(("start", 5),))
@dataclass(frozen=True)
class Kalah:
    """Sow the stones of a pit, one by one, around the board and into your store; more stones win.

    The last stone in your store gives you another move; the last stone in an empty pit of yours takes the
    stones opposite. When a side has no stones to sow, the other keeps what is in its pits.
    """

    south: tuple[int, ...] = (4, 4, 4, 4, 4, 4, 0)  # six pits from the left, and the store
    north: tuple[int, ...] = (4, 4, 4, 4, 4, 4, 0)
    turn: int = 0

    def moves(self) -> list[int]:
        own = (self.south, self.north)[self.turn]
        return [pit for pit, count in enumerate(own[:-1]) if count]

    def play(self, move: int) -> "Kalah":
        sides = [list(self.south), list(self.north)]
        own, enemy, store = sides[self.turn], sides[1 - self.turn], len(self.south) - 1
        hand, own[move] = own[move], 0
        row, cell = own, move
        while hand:
            cell += 1
            if cell > store or (cell == store and row is enemy):  # the enemy's store is left out
                row, cell = (enemy if row is own else own), 0
            row[cell] += 1
            hand -= 1
        if row is own and cell < store and own[cell] == 1 and enemy[store - 1 - cell]:
            own[store] += 1 + enemy[store - 1 - cell]
            own[cell] = enemy[store - 1 - cell] = 0
        again = row is own and cell == store
        return Kalah(tuple(sides[0]), tuple(sides[1]), self.turn if again else 1 - self.turn)

    def outcome(self) -> int | None:
        if self.moves():
            return None
        mine, yours = (self.south, self.north) if self.turn == 0 else (self.north, self.south)
        ahead = mine[-1] - sum(yours)
        return WON if ahead > 0 else LOST if ahead < 0 else DRAWN

    def evaluate(self) -> int:
        ahead = self.south[-1] - self.north[-1]
        return ahead if self.turn == 0 else -ahead

    # --- text and board -------------------------------------------------------------------------
    def reason(self) -> str:
        kept = [sum(self.south), sum(self.north)]
        return f"{SIDES[self.turn]} has no stones to sow; south has {kept[0]}, north {kept[1]}"

    def move_text(self, move: int) -> str:
        return LETTERS[self.turn][move]

    def text(self) -> str:
        rows = ("-".join(map(str, row)) for row in (self.south, self.north))
        return "/".join(rows) + " " + SIDES[self.turn]

    @classmethod
    def parse(cls, text: str) -> "Kalah":
        rows, _, side = text.partition(" ")
        counts = [
            [int(count) if count.isdecimal() else -1 for count in row.split("-")] for row in rows.split("/")
        ]
        if len(counts) != 2 or len(counts[0]) != len(counts[1]) or min(map(min, counts)) < 0:
            raise ValueError("the pits and the store of south and of north are wanted, such as 4-4-0/4-4-0")
        if not 2 <= len(counts[0]) <= 13 or sum(map(sum, counts)) > 500:
            raise ValueError("1 to 12 pits a side are wanted, with up to 500 stones")
        if side not in SIDES:
            raise ValueError(f"the side to move must be 'south' or 'north', not {side!r}")
        return cls(tuple(counts[0]), tuple(counts[1]), SIDES.index(side))

    def board(self) -> Board:
        """North's pits run from right to left, as south sees them."""
        south, north = (
            [stones(count, side) for count in row] for side, row in enumerate((self.south, self.north))
        )
        pits = len(south) - 1
        return Board(
            rows=(tuple(north[-2::-1]), (north[-1], south[-1]), tuple(south[:-1])),
            names=(tuple(LETTERS[1][pits - 1 :: -1]), ("", ""), tuple(LETTERS[0][:pits])),
            bottom=tuple(LETTERS[0][:pits]),
            shape="pits",
        )
