"""Hex on 11 x 11: hexagons on a slanted board, paths found by growing a set, and the swap.

Cell 11 * row + column, from a1 at the top left. A move is a cell, or SWAP as the second move of a game.
"""

from typing import Any, NamedTuple

from plywise import LOST, OPEN, Board, Piece, compiled, game
from plywise.core.wide_bits import Cells128

SIZE = 11
SWAP = SIZE * SIZE
COLUMNS = "abcdefghijk"
BOARD = Cells128.of(range(SIZE * SIZE))
TOP, BOTTOM = Cells128.of(range(SIZE)), Cells128.of(range(SIZE * SIZE - SIZE, SIZE * SIZE))
LEFT, RIGHT = Cells128.of(range(0, SIZE * SIZE, SIZE)), Cells128.of(range(SIZE - 1, SIZE * SIZE, SIZE))
STONES = (Piece("r", "disc", 0, "●"), Piece("b", "disc", 1, "○"))


@compiled
def beside(cells: Cells128) -> Cells128:
    """The neighbours of the cells: in the row, in the column, and to the right in the row above."""
    right, left = ~LEFT & BOARD, ~RIGHT & BOARD  # where a step to the right, or to the left, can end
    across = (cells << 1 | cells >> SIZE - 1) & right | (cells >> 1 | cells << SIZE - 1) & left
    return across | (cells << SIZE | cells >> SIZE) & BOARD


@compiled
def grow(cells: Cells128, stones: Cells128) -> Cells128:
    """The cells, and all stones that are joined to them."""
    while True:
        more = cells | beside(cells) & stones
        if more == cells:
            return cells
        cells = more


@compiled
def stones_to_win(stones: Cells128, empty: Cells128, start: Cells128, goal: Cells128) -> int:
    """How many more stones would join the two edges, if the enemy passed; SIZE * SIZE if none can."""
    reached, count = grow(start & stones, stones), 0
    while (reached & goal).is_empty():
        more = (beside(reached) | start) & empty | reached
        if more == reached:
            return SIZE * SIZE
        reached, count = grow(more, stones), count + 1
    return count


@game("hex", sides=("red", "blue"), most_moves=SIZE * SIZE, bench=(("start moves c2", 3),))
class Hex(NamedTuple):
    """Place a stone on any cell. Red joins top and bottom, blue joins left and right; one of them will.

    The second move may be `swap`: blue takes the first stone over, mirrored to its own edges.
    """

    red: Cells128 = Cells128()
    blue: Cells128 = Cells128()
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        empty = BOARD & ~(self.red | self.blue)
        if self.turn == 1 and self.blue.is_empty() and self.red.size() == 1:
            buffer[n] = SWAP
            n += 1
        while not empty.is_empty():
            buffer[n] = empty.first()
            n += 1
            empty = empty.rest()
        return n

    def play(self, move: int) -> "Hex":
        if move == SWAP:
            cell = self.red.first()
            return Hex(Cells128(0, 0), Cells128(0, 0).add(cell % SIZE * SIZE + cell // SIZE), 0)
        if self.turn == 0:
            return Hex(self.red.add(move), self.blue, 1)
        return Hex(self.red, self.blue.add(move), 0)

    def outcome(self) -> int:
        """Only the side that has just moved can have joined its edges."""
        if self.turn == 1:
            return OPEN if (grow(self.red & TOP, self.red) & BOTTOM).is_empty() else LOST
        return OPEN if (grow(self.blue & LEFT, self.blue) & RIGHT).is_empty() else LOST

    def evaluate(self) -> int:
        """How many stones nearer to the goal; the move itself is worth half a stone."""
        empty = BOARD & ~(self.red | self.blue)
        ahead = stones_to_win(self.blue, empty, LEFT, RIGHT) - stones_to_win(self.red, empty, TOP, BOTTOM)
        return 100 * (ahead if self.turn == 0 else -ahead) + 50

    # --- text and board -------------------------------------------------------------------------
    def reason(self) -> str:
        return ("blue has joined left and right", "red has joined top and bottom")[self.turn]

    def move_text(self, move: int) -> str:
        return "swap" if move == SWAP else f"{COLUMNS[move % SIZE]}{move // SIZE + 1}"

    def text(self) -> str:
        rows = ("".join(piece.letter if piece else "." for piece in row) for row in self._rows())
        return "/".join(rows) + " " + "rb"[self.turn]

    @classmethod
    def parse(cls, text: str) -> "Hex":
        rows, _, side = text.partition(" ")
        lines = rows.split("/")
        if [len(line) for line in lines] != [SIZE] * SIZE or set(rows) - set("rb./"):
            raise ValueError("11 rows of 11 of 'r', 'b' and '.' are wanted, then the side to move")
        if side not in ("r", "b"):
            raise ValueError(f"the side to move must be 'r' or 'b', not {side!r}")
        cells = "".join(lines)
        red, blue = (Cells128.of(i for i in range(SIZE * SIZE) if cells[i] == stone) for stone in "rb")
        if cls(red, blue, 0).outcome() != OPEN and cls(red, blue, 1).outcome() != OPEN:
            raise ValueError("both sides have joined their edges, which cannot be")
        return cls(red, blue, "rb".index(side))

    def board(self) -> Board:
        rows = tuple(str(row + 1) for row in range(SIZE))
        return Board(
            self._rows(), left=rows, bottom=tuple(COLUMNS), shape="hexagons", slant=1, edges=(0, 1, 0, 1)
        )

    def _rows(self) -> tuple[tuple[Piece | None, ...], ...]:
        return tuple(
            tuple(
                STONES[0] if self.red.has(i) else STONES[1] if self.blue.has(i) else None
                for i in range(y, y + SIZE)
            )
            for y in range(0, SIZE * SIZE, SIZE)
        )
