"""A board as data, so that the terminal and the page can draw it without knowing the game."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands on a cell: a letter for plain text, a picture by name, and whose it is."""

    letter: str
    name: str
    side: int | None = None
    symbol: str = ""  # for terminals that show Unicode; the letter by default
    note: str = ""  # said beside it: hit points, "stunned"


@dataclass(frozen=True, slots=True)
class Board:
    """Rows of cells from the top down as the first side sees them, with labels along the edges.

    `names` are the cells as moves call them (row by row, "" where no move can); `dark` tells which
    cells are shaded.
    """

    rows: tuple[tuple[Piece | None, ...], ...]
    left: tuple[str, ...] = ()
    bottom: tuple[str, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    checkered: bool = False
    notes: tuple[str, ...] = field(default=())

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        """Letters and dots: what a log or a plain terminal shows."""
        margin = max((len(label) for label in self.left), default=0)
        cell = max([1, *(len(label) for label in self.bottom)])
        lines = []
        for y, row in enumerate(self.rows):
            label = self.left[y] if self.left else ""
            cells = " ".join(f"{piece.letter if piece else '.':>{cell}}" for piece in row)
            lines.append(f"{label:>{margin}} {cells}".rstrip() if margin else cells.rstrip())
        if self.bottom:
            labels = " ".join(f"{label:>{cell}}" for label in self.bottom)
            lines.append(" " * (margin + 1 if margin else 0) + labels)
        return "\n".join([*lines, *self.notes])
