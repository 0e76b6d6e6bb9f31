"""Breakthrough: a race of pawns, and a compiled game in a page of code.

Cell 8 * row + column, from a1 at the bottom left. A move is 64 * from + to.
"""

from typing import Any, NamedTuple

from plywise import LOST, OPEN, Board, Piece, compiled, game
from plywise.core.bits import first, left, rest, right, wrap

NAMES = [f"{column}{row}" for row in "12345678" for column in "abcdefgh"]
PAWNS = (Piece("w", "pawn", 0, "♙"), Piece("b", "pawn", 1, "♟"))
ROW_1, ROW_8 = 0xFF, wrap(0xFF << 56)
NOT_A, NOT_H = wrap(0xFEFEFEFEFEFEFEFE), 0x7F7F7F7F7F7F7F7F  # all columns but one


@compiled
def write(buffer: Any, n: int, ends: int, step: int) -> int:
    """Write the moves that end on these cells, each `step` from its start."""
    while ends != 0:
        end = first(ends)
        buffer[n] = 64 * (end - step) + end
        n += 1
        ends = rest(ends)
    return n


@game(
    "breakthrough",
    sides=("white", "black"),
    most_moves=48,
    perspective="flipped",
    bench=(("start", 8),),
)
class Breakthrough(NamedTuple):
    """Pawns step forward, straight or diagonally, and capture diagonally. The first on the far row wins."""

    white: int = 0xFFFF
    black: int = wrap(0xFFFF << 48)
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        if self.turn == 0:
            n = write(buffer, n, left(self.white & NOT_A, 7) & ~self.white, 7)
            n = write(buffer, n, left(self.white & NOT_H, 9) & ~self.white, 9)
            return write(buffer, n, left(self.white, 8) & ~(self.white | self.black), 8)
        n = write(buffer, n, right(self.black & NOT_A, 9) & ~self.black, -9)
        n = write(buffer, n, right(self.black & NOT_H, 7) & ~self.black, -7)
        return write(buffer, n, right(self.black, 8) & ~(self.white | self.black), -8)

    def play(self, move: int) -> "Breakthrough":
        start, end = left(1, move >> 6), left(1, move & 63)
        if self.turn == 0:
            return Breakthrough(self.white ^ start ^ end, self.black & ~end, 1)
        return Breakthrough(self.white & ~end, self.black ^ start ^ end, 0)

    def outcome(self) -> int:
        """Lost if the enemy has arrived or has captured all; who has a pawn left always has a move."""
        if self.turn == 0:
            return LOST if self.black & ROW_1 != 0 or self.white == 0 else OPEN
        return LOST if self.white & ROW_8 != 0 or self.black == 0 else OPEN

    def noisy(self, buffer: Any, n: int) -> int:
        """Captures: nobody is ahead before the exchange is over."""
        if self.turn == 0:
            n = write(buffer, n, left(self.white & NOT_A, 7) & self.black, 7)
            return write(buffer, n, left(self.white & NOT_H, 9) & self.black, 9)
        n = write(buffer, n, right(self.black & NOT_A, 9) & self.white, -9)
        return write(buffer, n, right(self.black & NOT_H, 7) & self.white, -7)

    def gain(self, move: int) -> int:
        enemy = self.black if self.turn == 0 else self.white
        return 1 if left(1, move & 63) & enemy != 0 else 0

    def boards(self) -> tuple[int, ...]:
        return self.white, self.black

    # --- text and board -------------------------------------------------------------------------
    def reason(self) -> str:
        enemy = ("black", "white")[self.turn]
        if (self.white, self.black)[self.turn] == 0:
            return f"{enemy} has captured every pawn"
        return f"{enemy} has reached the far row"

    def move_text(self, move: int) -> str:
        return NAMES[move >> 6] + NAMES[move & 63]

    def text(self) -> str:
        rows = ("".join(piece.letter if piece else "." for piece in row) for row in self._rows())
        return "/".join(rows) + " " + "wb"[self.turn]

    @classmethod
    def parse(cls, text: str) -> "Breakthrough":
        rows, _, side = text.partition(" ")
        cells = "".join(reversed(rows.split("/")))
        if [len(row) for row in rows.split("/")] != [8] * 8 or set(cells) - set("wb."):
            raise ValueError("eight rows of eight of 'w', 'b' and '.' are wanted, row 8 first, then the side")
        if side not in ("w", "b"):
            raise ValueError(f"the side to move must be 'w' or 'b', not {side!r}")
        white, black = (wrap(sum(1 << i for i in range(64) if cells[i] == pawn)) for pawn in "wb")
        if white & ROW_8 and black & ROW_1:
            raise ValueError("both sides have reached the far row, which cannot be")
        return cls(white, black, "wb".index(side))

    def board(self) -> Board:
        return Board(self._rows(), left=tuple("87654321"), bottom=tuple("abcdefgh"), checkered=True)

    def _rows(self) -> tuple[tuple[Piece | None, ...], ...]:
        """The pieces from row 8 down."""
        pieces = [
            PAWNS[0] if self.white >> i & 1 else PAWNS[1] if self.black >> i & 1 else None for i in range(64)
        ]
        return tuple(tuple(pieces[i : i + 8]) for i in range(56, -1, -8))
