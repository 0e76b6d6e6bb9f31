"""Connect Four on bitboards: seven columns of six cells and a spare bit above each.

Cell (column, row) is bit 7 * column + row, so that the four directions are steps of 1, 6, 7 and 8,
and the spare bits keep a row from running on into the next column.
"""

from typing import Any, NamedTuple

from plywise.core.bits import Table, mix, popcount
from plywise.core.board import Board, Piece
from plywise.core.compiled import compiled
from plywise.core.define import game
from plywise.core.outcome import DRAWN, LOST, OPEN

WIDTH, HEIGHT = 7, 6
BOTTOM = sum(1 << 7 * x for x in range(WIDTH))
CELLS = BOTTOM * 0b111111
CENTRE_FIRST = Table([3, 2, 4, 1, 5, 0, 6])
BANDS = Table([sum(0b111111 << 7 * x for x in range(i, WIDTH - i)) for i in (1, 2, 3)])
DISCS = (Piece("x", "disc", 0, "●"), Piece("o", "disc", 1, "○"))


@compiled
def four(discs: int) -> bool:
    """Four in a row, in any direction (RULES 3)."""
    for step in (1, 6, 7, 8):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@compiled
def middle(discs: int) -> int:
    """0 for a disc on the edge, 3 for one in the middle column: more fours pass through it."""
    return popcount(discs & BANDS[0]) + popcount(discs & BANDS[1]) + popcount(discs & BANDS[2])


@compiled
def mirror(discs: int) -> int:
    """The columns in reverse order."""
    edges = (discs & 127) << 42 | discs >> 42 & 127
    inner = (discs & 127 << 7) << 28 | discs >> 28 & 127 << 7
    centre = (discs & 127 << 14) << 14 | discs >> 14 & 127 << 14
    return edges | inner | centre | discs & 127 << 21


@compiled
def open_fours(own: int, empty: int) -> int:
    """The empty cells that would complete four in a row for `own`."""
    result = own << 1 & own << 2 & own << 3
    for step in (6, 7, 8):
        pairs = own << step & own << 2 * step
        result |= pairs & own << 3 * step
        result |= pairs & own >> step
        pairs = own >> step & own >> 2 * step
        result |= pairs & own >> 3 * step
        result |= pairs & own << step
    return result & empty


@game(
    "connect_four",
    title="Connect Four",
    sides=("x", "o"),
    most_moves=WIDTH,
    symmetries=2,
    slope=3.8,  # fitted by benchmarks/levels_ladder.py --fit
    bench=(("start", 14), ("4444", 14), ("4453", 14), ("35333571", 14)),
)
class ConnectFour(NamedTuple):
    """The discs of the side to move and those of the other."""

    own: int = 0
    other: int = 0
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        both = self.own | self.other
        for column in CENTRE_FIRST:
            if both >> (7 * column + 5) & 1 == 0:
                buffer[n] = column
                n += 1
        return n

    def play(self, move: int) -> "ConnectFour":
        both = self.own | self.other
        disc = (both + (1 << 7 * move)) & CELLS & ~both
        return ConnectFour(self.other, self.own | disc, 1 - self.turn)

    def outcome(self) -> int:
        """Only the side that has just moved can have made four (RULES 3)."""
        if four(self.other):
            return LOST
        return DRAWN if self.own | self.other == CELLS else OPEN

    def key(self) -> int:
        """A bit on top of each column and the side's own discs below it tell all positions apart."""
        return mix(0, self.own + (self.own | self.other) + BOTTOM)

    def symmetry(self, image: int) -> "ConnectFour":
        """Left and right are alike."""
        if image == 0:
            return self
        return ConnectFour(mirror(self.own), mirror(self.other), self.turn)

    def slot(self, move: int) -> int:
        """The cell that the disc falls to."""
        return 7 * move + popcount((self.own | self.other) >> 7 * move & 127)

    def evaluate(self) -> int:
        """Cells that would complete a four count 10, discs nearer the middle column a little."""
        empty = CELLS & ~(self.own | self.other)
        threats = popcount(open_fours(self.own, empty)) - popcount(open_fours(self.other, empty))
        return 10 * threats + middle(self.own) - middle(self.other)

    def boards(self) -> tuple[int, ...]:
        """The discs of each side."""
        return (self.own, self.other) if self.turn == 0 else (self.other, self.own)

    def terms(self) -> dict[str, float]:
        """The two parts of the evaluation by name."""
        towards = middle(self.own) - middle(self.other)
        return {"open fours": self.evaluate() - towards, "the middle": towards}

    def reason(self) -> str:
        return f"{'ox'[self.turn]} has four in a row" if four(self.other) else "the board is full"

    def short_reason(self) -> str:
        return "four in a row" if four(self.other) else "the board is full"

    @staticmethod
    def side_names() -> tuple[str, str]:
        """The colours of the discs; letters stand for them in text."""
        return "red", "yellow"

    # --- text -----------------------------------------------------------------------------------
    def text(self) -> str:
        """Columns, 1 to 7, whose play in this order gives the position."""
        first, second = (self.other, self.own) if self.turn else (self.own, self.other)
        line = _order(first, second, (0,) * WIDTH, set())
        assert line is not None, "no play leads to this position"
        return line or "start"

    @classmethod
    def parse(cls, text: str) -> "ConnectFour":
        position = cls()
        for i, column in enumerate(text):
            place = f"move {i + 1} ({column!r})"
            if column not in "1234567":
                raise ValueError(f"{place} is no column from 1 to 7")
            if position.outcome() != OPEN:
                raise ValueError(f"{place} comes after the end: {position.reason()}")
            legal: list[int] = [0] * WIDTH
            if int(column) - 1 not in legal[: position.moves(legal, 0)]:
                raise ValueError(f"{place} goes into a full column")
            position = position.play(int(column) - 1)
        return position

    @staticmethod
    def extend(text: str, move: str) -> str:
        """The text is the columns played, so a move is written behind it."""
        return move if text == "start" else text + move

    def move_text(self, move: int) -> str:
        return str(move + 1)

    def board(self) -> Board:
        first, second = (self.other, self.own) if self.turn else (self.own, self.other)
        rows = tuple(
            tuple(
                DISCS[0] if first >> 7 * x + y & 1 else DISCS[1] if second >> 7 * x + y & 1 else None
                for x in range(WIDTH)
            )
            for y in reversed(range(HEIGHT))
        )
        columns = tuple(str(x + 1) for x in range(WIDTH))
        return Board(rows, bottom=columns, names=(columns,) * HEIGHT, ground="wall", padding=0.04)


def _order(first: int, second: int, heights: tuple[int, ...], seen: set[tuple[int, ...]]) -> str | None:
    """Columns still to be played above these heights, alternately, with no four before the end."""
    placed = sum(((1 << height) - 1) << 7 * x for x, height in enumerate(heights))
    if placed == first | second:
        return ""
    mover = first if sum(heights) % 2 == 0 else second
    if heights in seen or four(first & placed) or four(second & placed):
        return None
    seen.add(heights)
    for x in CENTRE_FIRST:
        if mover >> 7 * x + heights[x] & 1:
            higher = (*heights[:x], heights[x] + 1, *heights[x + 1 :])
            line = _order(first, second, higher, seen)
            if line is not None:
                return str(x + 1) + line
    return None
