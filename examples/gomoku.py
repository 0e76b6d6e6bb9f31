"""Gomoku on 15 x 15: sets of more than 64 cells, and hundreds of moves of which few are worth a look.

Cell 16 * row + column, from a1 at the bottom left. The sixteenth column is always empty, so that a line
does not run on into the next row; the four directions are steps of 1, 15, 16 and 17.
"""

from typing import Any, NamedTuple

from plywise import DRAWN, LOST, OPEN, Board, Piece, compiled, game
from plywise.core.wide_bits import Cells256

SIZE = 15
COLUMNS = "abcdefghijklmno"
BOARD = Cells256.of(16 * y + x for y in range(SIZE) for x in range(SIZE))
CENTRE = Cells256.of([16 * 7 + 7])
STONES = (Piece("x", "disc", 0, "●"), Piece("o", "disc", 1, "○"))


@compiled
def has_five(stones: Cells256) -> bool:
    """Five or more in a row, in any direction."""
    for step in (1, 15, 16, 17):
        pairs = stones & stones >> step
        fours = pairs & pairs >> 2 * step
        if not (fours & stones >> 4 * step).is_empty():
            return True
    return False


@compiled
def write(buffer: Any, n: int, cells: Cells256) -> int:
    """Write the cells as moves."""
    while not cells.is_empty():
        buffer[n] = cells.first()
        n += 1
        cells = cells.rest()
    return n


@compiled
def beside(stones: Cells256) -> Cells256:
    """The empty cells beside stones; the centre if there are none."""
    rows = stones | stones << 1 | stones >> 1
    return CENTRE if stones.is_empty() else (rows | rows << 16 | rows >> 16) & BOARD & ~stones


@compiled
def worth(own: Cells256, enemy: Cells256) -> int:
    """What the stretches of five cells without an enemy stone are worth, by the stones that stand there."""
    total, free = 0, BOARD & ~enemy
    for step in (1, 15, 16, 17):
        pairs = free & free >> step
        alive = pairs & pairs >> 2 * step & free >> 4 * step
        # The stones of all stretches are added at once: ones, twos and fours are the digits of the sums.
        a, b, c, d = own >> step, own >> 2 * step, own >> 3 * step, own >> 4 * step
        three, carry = own ^ a ^ b, own & a | own & b | a & b
        ones, carried = three ^ c ^ d, three & c | three & d | c & d
        twos, fours = carry ^ carried, carry & carried
        total += (alive & twos & ~ones).size() + 4 * (alive & twos & ones).size()
        total += 30 * (alive & fours).size()
    return total


@game("gomoku", sides=("black", "white"), most_moves=SIZE * SIZE, unit=10, bench=(("start", 4),))
class Gomoku(NamedTuple):
    """Place a stone on any empty cell; five in a row win."""

    black: Cells256 = Cells256()
    white: Cells256 = Cells256()
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        """Cells beside stones come first: there the search will find most."""
        stones = self.black | self.white
        near = beside(stones)
        n = write(buffer, n, near)
        return write(buffer, n, BOARD & ~(stones | near))

    def candidates(self, buffer: Any, n: int) -> int:
        """Cells beside stones: all that can make or stop a five at once, a tenth of the board."""
        return write(buffer, n, beside(self.black | self.white))

    def play(self, move: int) -> "Gomoku":
        if self.turn == 0:
            return Gomoku(self.black.add(move), self.white, 1)
        return Gomoku(self.black, self.white.add(move), 0)

    def outcome(self) -> int:
        """Only the side that has just moved can have made five."""
        if has_five(self.white if self.turn == 0 else self.black):
            return LOST
        return DRAWN if (self.black | self.white) == BOARD else OPEN

    def evaluate(self) -> int:
        own, enemy = (self.black, self.white) if self.turn == 0 else (self.white, self.black)
        return worth(own, enemy) - worth(enemy, own) + 4

    def can_skip(self) -> bool:
        """To pass is never better than to move: the search may ask what happens after a pass."""
        return True

    def skip(self) -> "Gomoku":
        return Gomoku(self.black, self.white, 1 - self.turn)

    # --- text and board -------------------------------------------------------------------------
    def reason(self) -> str:
        winner = ("white", "black")[self.turn]
        return "the board is full" if self.outcome() == DRAWN else f"{winner} has five in a row"

    def short_reason(self) -> str:
        return "the board is full" if self.outcome() == DRAWN else "five in a row"

    def move_text(self, move: int) -> str:
        return f"{COLUMNS[move % 16]}{move // 16 + 1}"

    def text(self) -> str:
        rows = ("".join(piece.letter if piece else "." for piece in row) for row in self._rows())
        return "/".join(rows) + " " + "xo"[self.turn]

    @classmethod
    def parse(cls, text: str) -> "Gomoku":
        rows, _, side = text.partition(" ")
        lines = rows.split("/")[::-1]
        if [len(line) for line in lines] != [SIZE] * SIZE or set(rows) - set("xo./"):
            raise ValueError("15 rows of 15 of 'x', 'o' and '.' are wanted, row 15 first, then the side")
        if side not in ("x", "o"):
            raise ValueError(f"the side to move must be 'x' or 'o', not {side!r}")
        black, white = (
            Cells256.of(16 * y + x for y in range(SIZE) for x in range(SIZE) if lines[y][x] == stone)
            for stone in "xo"
        )
        return cls(black, white, "xo".index(side))

    def board(self) -> Board:
        labels = tuple(str(row) for row in range(SIZE, 0, -1))
        return Board(self._rows(), left=labels, bottom=tuple(COLUMNS))

    def _rows(self) -> tuple[tuple[Piece | None, ...], ...]:
        """The stones from row 15 down."""
        return tuple(
            tuple(
                STONES[0] if self.black.has(16 * y + x) else STONES[1] if self.white.has(16 * y + x) else None
                for x in range(SIZE)
            )
            for y in reversed(range(SIZE))
        )
