"""Kalah on a small board: a stone in the own store last means another turn.

Each side has three pits and a store. A move sows the stones of a pit counterclockwise, into the own
store but not into the enemy's. If the last one falls into the own store, the same side moves again; if
it falls into an own pit that was empty, it and the stones opposite are captured. When a side cannot
move, the other keeps its stones, and more stones win. Two sowings never lead back: no position returns.
"""

from typing import Any, NamedTuple

from plywise import DRAWN, LOST, OPEN, WON, compiled, game

PITS = 3
STORE = PITS  # a side's cells are its pits 0 .. 2 and its store 3
BITS = 5  # of a cell: at most 31 stones


@compiled
def cell(board: int, side: int, i: int) -> int:
    return board >> BITS * (side * (PITS + 1) + i) & 31


@compiled
def put(board: int, side: int, i: int, stones: int) -> int:
    return board + (stones << BITS * (side * (PITS + 1) + i))


@compiled
def in_pits(board: int, side: int) -> int:
    return cell(board, side, 0) + cell(board, side, 1) + cell(board, side, 2)


@game("kalah", most_moves=PITS, unit=1)
class Kalah(NamedTuple):
    cells: int = sum(2 << BITS * i for i in (0, 1, 2, 4, 5, 6))
    turn: int = 0

    def outcome(self) -> int:
        if in_pits(self.cells, self.turn) != 0:
            return OPEN
        mine = cell(self.cells, self.turn, STORE)
        yours = cell(self.cells, 1 - self.turn, STORE) + in_pits(self.cells, 1 - self.turn)
        return WON if mine > yours else LOST if mine < yours else DRAWN

    def moves(self, buffer: Any, n: int) -> int:
        for pit in range(PITS):
            if cell(self.cells, self.turn, pit) != 0:
                buffer[n] = pit
                n += 1
        return n

    def play(self, move: int) -> "Kalah":
        board, turn = self.cells, self.turn
        stones = cell(board, turn, move)
        board = put(board, turn, move, -stones)
        side, i = turn, move
        while stones > 0:
            i += 1
            if i > (STORE if side == turn else STORE - 1):
                side, i = 1 - side, 0
            board = put(board, side, i, 1)
            stones -= 1
        if side == turn and i == STORE:
            return Kalah(board, turn)
        opposite = PITS - 1 - i
        if side == turn and cell(board, turn, i) == 1 and cell(board, 1 - turn, opposite) != 0:
            caught = cell(board, 1 - turn, opposite)
            board = put(put(board, turn, i, -1), 1 - turn, opposite, -caught)
            board = put(board, turn, STORE, caught + 1)
        return Kalah(board, 1 - turn)

    def gain(self, move: int) -> int:
        """A move that ends in the store comes first."""
        return 1 if cell(self.cells, self.turn, move) == PITS - move else 0

    def evaluate(self) -> int:
        return cell(self.cells, self.turn, STORE) - cell(self.cells, 1 - self.turn, STORE)

    def text(self) -> str:
        cells = [[str(cell(self.cells, side, i)) for i in range(PITS + 1)] for side in (0, 1)]
        return "/".join(",".join(side) for side in cells) + f" {self.turn}"

    @classmethod
    def parse(cls, text: str) -> "Kalah":
        cells, turn = text.split()
        board = 0
        for side, stones in enumerate(cells.split("/")):
            for i, count in enumerate(stones.split(",")):
                board = put(board, side, i, int(count))
        return cls(board, int(turn))
