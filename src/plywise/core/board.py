"""A board as data, so that the terminal and the page can draw it without knowing the game."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Piece:
    """What is on a cell: a letter for plain text, a picture by name, and whose it is."""

    letter: str
    name: str
    side: int | None = None
    symbol: str = ""  # for terminals that show Unicode; the letter by default
    note: str = ""  # shown beside it: hit points, "stunned"


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that happens on a cell: `to` is where its piece goes, `piece` what is there then.

    Cells are named as moves name them, or counted row by row from the top left.
    """

    kind: str  # "move", "hop", "capture", "place", "change", "promote", "damage", "stun", "free", ...
    at: str | int
    to: str | int | None = None
    piece: Piece | None = None
    amount: int | None = None  # of damage


@dataclass(frozen=True, slots=True)
class Phase:
    """Things that happen at the same time: first all pieces are lifted, then they are put down."""

    name: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A cell that wants attention, and why: a king in check, a stunned chariot, a man that must capture."""

    cell: str | int
    kind: str  # "check", "stun", "must"
    reason: str


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """How a move is made by hand: the cells to touch in order, and what then remains to be chosen."""

    steps: tuple[str, ...]
    choice: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """Rows of cells from the top down as the first side sees them, with labels along the edges.

    `names` are the cells as moves call them, row by row, "" where no move can; cells may share a
    name (a column). `checkered` boards are seen by each side from its own edge.
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

    @property
    def pieces(self) -> list[Piece | None]:
        """What is on the cells, counted row by row from the top left."""
        return [piece for row in self.rows for piece in row]

    def cell(self, name: str | int) -> int:
        """The place of the cell, row by row; the first of that name."""
        if isinstance(name, int):
            return name
        return [word for row in self.names for word in row].index(name)

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
