"""Nine men's morris: points joined by lines, a turn of two acts, and draws by repetition.

Points are counted row by row from a7. A move is 24 * from + to; PLACE + point puts a man on the board, and
TAKE + point takes one of the enemy's, which is a second act of the same turn.
"""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from plywise import LOST, OPEN, Board, Draws, Piece, Table, compiled, game
from plywise.core.bits import first, popcount, rest
from plywise.core.board import Detail

LINES = tuple(
    (word[:2], word[2:4], word[4:])
    for word in "a7d7g7 b6d6f6 c5d5e5 a4b4c4 e4f4g4 c3d3e3 b2d2f2 a1d1g1"
    " a7a4a1 b6b4b2 c5c4c3 d7d6d5 d3d2d1 e5e4e3 f6f4f2 g7g4g1".split()
)  # three men on a line are a mill
POINTS = [name for line in LINES[:8] for name in line]
MILLS = Table([sum(1 << POINTS.index(name) for name in line) for line in LINES])
PAIRS = {frozenset(pair) for line in LINES for pair in pairwise(line)}  # the points beside each other
BESIDE = Table([sum(1 << i for i in range(24) if {name, POINTS[i]} in PAIRS) for name in POINTS])
ALL, MEN, PLACE, TAKE = (1 << 24) - 1, 9, 24 * 24, 24 * 25
MEN_BY_LETTER = {"w": Piece("w", "disc", 0, "○"), "b": Piece("b", "disc", 1, "●"), ".": None}


@compiled
def in_mills(men: int) -> int:
    """The men that stand in mills."""
    found = 0
    for mill in MILLS:
        if men & mill == mill:
            found |= mill
    return found


@compiled
def write(buffer: Any, n: int, kind: int, points: int) -> int:
    """Write a move for each point."""
    while points != 0:
        buffer[n] = kind + first(points)
        n += 1
        points = rest(points)
    return n


@game(title="Nine men's morris", sides=("white", "black"), most_moves=72, draws=Draws(3, 100), unit=1)
class Morris(NamedTuple):
    """Three men in a line are a mill, and take an enemy man; who has two men left, or no move, has lost.

    Each side places its nine men, then moves them along the lines; with three men left it may jump anywhere.
    Men in a mill cannot be taken while others can.
    """

    white: int = 0
    black: int = 0
    placed: int = 0  # men placed by both sides together
    taking: int = 0  # 1: a mill was made, and the same side takes a man
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        own, enemy = (self.white, self.black) if self.turn == 0 else (self.black, self.white)
        empty = ALL & ~(own | enemy)
        if self.taking != 0:
            free = enemy & ~in_mills(enemy)
            return write(buffer, n, TAKE, free if free != 0 else enemy)
        if self.placed < 2 * MEN:
            return write(buffer, n, PLACE, empty)
        jumps, men = popcount(own) == 3, own
        while men != 0:
            man = first(men)
            n = write(buffer, n, 24 * man, empty if jumps else BESIDE[man] & empty)
            men = rest(men)
        return n

    def play(self, move: int) -> "Morris":
        own, enemy = (self.white, self.black) if self.turn == 0 else (self.black, self.white)
        placed, taking, turn = self.placed, 0, 1 - self.turn
        if move >= TAKE:
            enemy ^= 1 << move - TAKE
        else:
            end = move - PLACE if move >= PLACE else move % 24
            own |= 1 << end
            if move >= PLACE:
                placed += 1
            else:
                own ^= 1 << move // 24
            if in_mills(own) >> end & 1:
                taking, turn = 1, self.turn
        white, black = (own, enemy) if self.turn == 0 else (enemy, own)
        return Morris(white, black, placed, taking, turn)

    def outcome(self) -> int:
        own = self.white if self.turn == 0 else self.black
        return LOST if self.placed == 2 * MEN and self.taking == 0 and popcount(own) < 3 else OPEN

    def midway(self) -> bool:
        return self.taking != 0

    def resets(self, move: int) -> bool:
        return move >= PLACE  # men that are placed or taken never come back

    def evaluate(self) -> int:
        """Men, on the board and still to be placed."""
        ahead = popcount(self.white) - (self.placed + 1) // 2 - popcount(self.black) + self.placed // 2
        return ahead if self.turn == 0 else -ahead

    # --- text and board -------------------------------------------------------------------------
    def reason(self) -> str:
        own, side = ((self.white, "white"), (self.black, "black"))[self.turn]
        return f"{side} has {'no move' if popcount(own) > 2 else 'two men left'}"

    def move_text(self, move: int) -> str:
        if move >= PLACE:
            return "x" * (move >= TAKE) + POINTS[move % 24]
        return POINTS[move // 24] + POINTS[move % 24]

    def text(self) -> str:
        cells = "".join(".wb"[self.white >> i & 1 | (self.black >> i & 1) << 1] for i in range(24))
        return f"{cells} {self.placed} {'wb'[self.turn]}" + " takes" * self.taking

    def details(self) -> tuple[Detail, ...]:
        return Detail("men placed", self.placed, most=2 * MEN), Detail("takes a man", self.taking == 1)

    def text_with(self, details: Mapping[str, bool | int | str]) -> str:
        values = {**{detail.name: detail.value for detail in self.details()}, **details}
        return self._replace(placed=int(values["men placed"]), taking=int(values["takes a man"])).text()

    @classmethod
    def parse(cls, text: str) -> "Morris":
        read = re.fullmatch("([wb.]{24}) ([0-9]|1[0-8]) ([wb])( takes)?", text)
        if read is None:
            raise ValueError(
                "24 of 'w', 'b' and '.' are wanted, the men placed, the side, and 'takes' or not"
            )
        white, black = (sum(1 << i for i in range(24) if read[1][i] == man) for man in "wb")
        position = cls(white, black, int(read[2]), int(read[4] is not None), "wb".index(read[3]))
        if popcount(white) > (position.placed + 1) // 2 or popcount(black) > position.placed // 2:
            raise ValueError(f"more men are on the board than {read[2]} that were placed in turn")
        return position

    def board(self) -> Board:
        men = dict(zip(POINTS, (MEN_BY_LETTER[letter] for letter in self.text()[:24]), strict=True))
        names = tuple(tuple(c + r if c + r in POINTS else "" for c in "abcdefg") for r in "7654321")
        rest = [MEN - (self.placed + 1) // 2, MEN - self.placed // 2]
        rows = tuple(tuple(men.get(name) for name in row) for row in names)
        notes = (f"to be placed: white {rest[0]}, black {rest[1]}",) if any(rest) else ()
        return Board(rows, (*"7654321",), (*"abcdefg",), names, notes=notes, shape="points", lines=LINES)
