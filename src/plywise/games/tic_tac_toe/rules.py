"""Tic-tac-toe: the smallest whole game, written as a beginner would write it."""

from dataclasses import dataclass

from plywise.core.board import Board, Piece
from plywise.core.define import game
from plywise.core.outcome import DRAWN, LOST

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NAMES = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")
PIECES = {"x": Piece("x", "cross", 0, "×"), "o": Piece("o", "nought", 1, "○")}


@game("tic_tac_toe", title="Tic-tac-toe", sides=("x", "o"), unit=1, bench=(("start", 9),))
@dataclass(frozen=True)
class TicTacToe:
    """Nine cells from the top left, each `x`, `o` or `.`, and the side to move."""

    cells: str = "........."
    turn: int = 0

    def moves(self) -> list[int]:
        return [i for i in range(9) if self.cells[i] == "."]

    def play(self, move: int) -> "TicTacToe":
        cells = self.cells[:move] + "xo"[self.turn] + self.cells[move + 1 :]
        return TicTacToe(cells, 1 - self.turn)

    def outcome(self) -> int | None:
        """Three in a row win for the side that has just moved (RULES 3); a full board is drawn."""
        enemy = "ox"[self.turn]
        if any(all(self.cells[i] == enemy for i in row) for row in ROWS):
            return LOST
        return None if "." in self.cells else DRAWN

    def evaluate(self) -> int:
        """Rows that only we can still fill, less those that only the enemy can."""
        own, enemy = "xo"[self.turn], "ox"[self.turn]
        score = 0
        for row in ROWS:
            cells = [self.cells[i] for i in row]
            score += (enemy not in cells) - (own not in cells)
        return score

    def terms(self) -> dict[str, float]:
        return {"open rows": self.evaluate()}

    def reason(self) -> str:
        return f"{'ox'[self.turn]} has three in a row" if self.outcome() == LOST else "the board is full"

    def short_reason(self) -> str:
        return "three in a row" if self.outcome() == LOST else "the board is full"

    # --- text -----------------------------------------------------------------------------------
    def text(self) -> str:
        return f"{self.cells} {'xo'[self.turn]}"

    @classmethod
    def parse(cls, text: str) -> "TicTacToe":
        cells, _, side = text.partition(" ")
        if len(cells) != 9 or set(cells) - set("xo."):
            raise ValueError("nine of 'x', 'o' and '.' are wanted, then the side")
        if side not in ("x", "o"):
            raise ValueError(f"the side to move must be 'x' or 'o', not {side!r}")
        turn = "xo".index(side)
        crosses, noughts = cells.count("x"), cells.count("o")
        if crosses - noughts != turn:
            raise ValueError(f"{crosses} crosses and {noughts} noughts with {side} to move cannot be")
        position = cls(cells, turn)
        if cls(cells, 1 - turn).outcome() == LOST:
            raise ValueError(f"{side} has three in a row and is to move, which cannot be")
        return position

    def move_text(self, move: int) -> str:
        return NAMES[move]

    def board(self) -> Board:
        rows = tuple(tuple(PIECES.get(c) for c in self.cells[i : i + 3]) for i in (0, 3, 6))
        names = tuple(NAMES[i : i + 3] for i in (0, 3, 6))
        return Board(rows, left=("3", "2", "1"), bottom=("a", "b", "c"), names=names, padding=0.04)
