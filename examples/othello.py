"""Othello on bitboards: a whole line of discs is found by a few shifts, and a side may have to pass.

Cell 8 * row + column, from a1 at the top left. A move is the cell of the new disc, or PASS.
"""

from typing import Any, NamedTuple

from plywise import DRAWN, LOST, WON, Board, Piece, Table, compiled, game
from plywise.core.bits import first, left, popcount, rest, right, wrap

PASS = 64
STEPS = Table([1, 7, 8, 9])  # to the right, and down in three ways; back by the same steps
INNER = Table([0x7E7E7E7E7E7E7E7E, 0x7E7E7E7E7E7E7E7E, -1, 0x7E7E7E7E7E7E7E7E])  # where a line may go on
NAMES = [f"{column}{row}" for row in "12345678" for column in "abcdefgh"]
DISCS = (Piece("X", "disc", 0, "●"), Piece("O", "disc", 1, "○"))


@compiled
def cells_to_play(own: int, enemy: int) -> int:
    """The empty cells from which a line of enemy discs leads to an own disc."""
    found = 0
    for i in range(4):
        step, inner = STEPS[i], enemy & INNER[i]
        ahead, back = inner & left(own, step), inner & right(own, step)
        for _ in range(5):
            ahead |= inner & left(ahead, step)
            back |= inner & right(back, step)
        found |= left(ahead, step) | right(back, step)
    return found & ~(own | enemy)


@compiled
def discs_to_turn(own: int, enemy: int, disc: int) -> int:
    """The enemy discs in line between a new disc and an own one."""
    found = 0
    for i in range(4):
        step, inner = STEPS[i], enemy & INNER[i]
        ahead, back = inner & left(disc, step), inner & right(disc, step)
        for _ in range(5):
            ahead |= inner & left(ahead, step)
            back |= inner & right(back, step)
        if left(ahead, step) & own != 0:
            found |= ahead
        if right(back, step) & own != 0:
            found |= back
    return found


@game("othello", sides=("black", "white"), most_moves=64, perspective="flipped", bench=(("start", 9),))
class Othello(NamedTuple):
    """Enclose enemy discs in a line to turn them; a side that cannot must pass. More discs win."""

    black: int = 1 << 28 | 1 << 35
    white: int = 1 << 27 | 1 << 36
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        own, enemy = (self.black, self.white) if self.turn == 0 else (self.white, self.black)
        cells = cells_to_play(own, enemy)
        if cells == 0 and cells_to_play(enemy, own) != 0:
            buffer[n] = PASS
            n += 1
        while cells != 0:
            buffer[n] = first(cells)
            n += 1
            cells = rest(cells)
        return n

    def play(self, move: int) -> "Othello":
        if move == PASS:
            return Othello(self.black, self.white, 1 - self.turn)
        disc = left(1, move)
        if self.turn == 0:
            turned = discs_to_turn(self.black, self.white, disc)
            return Othello(self.black | disc | turned, self.white & ~turned, 1)
        turned = discs_to_turn(self.white, self.black, disc)
        return Othello(self.black & ~turned, self.white | disc | turned, 0)

    def stuck(self) -> int:
        """Neither side can move: more discs win."""
        own, enemy = popcount(self.black), popcount(self.white)
        if self.turn == 1:
            own, enemy = enemy, own
        return WON if own > enemy else LOST if own < enemy else DRAWN

    def boards(self) -> tuple[int, ...]:
        return self.black, self.white

    # --- text and board -------------------------------------------------------------------------
    def reason(self) -> str:
        return f"black has {popcount(self.black)} discs, white {popcount(self.white)}"

    def move_text(self, move: int) -> str:
        return "pass" if move == PASS else NAMES[move]

    def text(self) -> str:
        return "".join(piece.letter if piece else "-" for piece in self._pieces()) + " " + "XO"[self.turn]

    @classmethod
    def parse(cls, text: str) -> "Othello":
        cells, _, side = text.upper().partition(" ")
        if len(cells) != 64 or set(cells) - set("XO-"):
            raise ValueError("64 of 'X', 'O' and '-' are wanted, row by row, then the side")
        if side not in ("X", "O"):
            raise ValueError(f"the side to move must be 'X' or 'O', not {side!r}")
        black, white = (wrap(sum(1 << i for i in range(64) if cells[i] == disc)) for disc in "XO")
        return cls(black, white, "XO".index(side))

    def board(self) -> Board:
        pieces = self._pieces()
        return Board(
            rows=tuple(tuple(pieces[i : i + 8]) for i in range(0, 64, 8)),
            left=tuple("12345678"),
            bottom=tuple("abcdefgh"),
        )

    def _pieces(self) -> list[Piece | None]:
        return [
            DISCS[0] if self.black >> i & 1 else DISCS[1] if self.white >> i & 1 else None for i in range(64)
        ]
