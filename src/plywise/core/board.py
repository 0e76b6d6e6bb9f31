"""A board as data, so that the terminal and the page can draw it without knowing the game."""

from dataclasses import dataclass, field

from plywise.core.errors import BadGame

SHAPES = ("squares", "hexagons", "points", "pits")
GROUNDS = ("", "wall", "grass")
MAX_PADDING = 0.4  # of a cell: more would leave nothing of a piece


@dataclass(frozen=True, slots=True)
class Piece:
    """What is on a cell: a letter for plain text, a picture by name, and whose it is."""

    letter: str
    name: str
    side: int | None = None
    symbol: str = ""  # for terminals that show Unicode; the letter by default
    note: str = ""  # shown beside it: hit points, "stunned"
    count: int | None = None  # how many there are, where they lie together: stones in a pit
    reach: int = 0  # how many cells away it strikes, in eight directions, where pieces do


def stones(count: int, side: int | None = None) -> Piece:
    """What lies in a pit; an empty one has 0.

    >>> stones(4, 0).letter
    '4'
    """
    return Piece(str(count), "stones", side, count=count)


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
class Detail:
    """What a position has beside its pieces and the side to move, as an editor of positions asks for it.

    `value` says what kind it is: True or False is a right, a whole number from `least` to `most` a counter,
    and a text is one of `choices`.
    """

    name: str  # "White O-O", "move number"
    value: bool | int | str
    least: int = 0
    most: int = 9999
    choices: tuple[str, ...] = ()

    def refusal(self, value: bool | int | str) -> str:
        """Why this can be no value of it; empty if it can.

        >>> Detail("move number", 1, least=1).refusal(0)
        'move number is a whole number from 1 to 9999, not 0'
        """
        if isinstance(self.value, bool):
            wanted, fits = "true or false", isinstance(value, bool)
        elif isinstance(self.value, int):
            wanted = f"a whole number from {self.least} to {self.most}"
            fits = type(value) is int and self.least <= value <= self.most
        else:
            wanted, fits = f"one of {', '.join(self.choices)}", value in self.choices
        return "" if fits else f"{self.name} is {wanted}, not {value}"


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """How a move is made by hand: the cells to touch in order, and what then remains to be chosen."""

    steps: tuple[str, ...]
    choice: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """Rows of cells from the top down as the first side sees them, with labels along the edges.

    `names` are the cells as moves call them, row by row, "" where no move can; cells may share a
    name (a column). Where there are none, they follow from the labels: `bottom` and then `left`; in
    hexagons with labels on the left alone, the label and the number of the cell in its row.
    `checkered` boards are seen by each side from its own edge.

    `shape` says what the cells are:

    - "squares", in rows of one length.
    - "hexagons", with a corner on top. Each row begins `slant` half cells to the right of the one above;
      without a slant, rows of one length are shifted in turn, and rows of different lengths are centred.
      `flat` hexagons have a side on top, and stand in columns: `rows` are the columns, from the left.
    - "points", joined by `lines`: each is a chain of names. Points without a name are left out.
    - "pits" that hold `stones`. Of an odd number of rows the middle one is the two stores, left and right.

    `edges` says whose the top, right, bottom and left edge is, in games that join edges.

    `ground` is what squares are made of, in pictures and on the page: "" is a plain or checkered board,
    "wall" has round holes into which pieces fall, "grass" is a field of many small cells. `padding` is
    the room around a piece, as a part of its cell; 0 is what the shape has by itself.
    """

    rows: tuple[tuple[Piece | None, ...], ...]
    left: tuple[str, ...] = ()
    bottom: tuple[str, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    checkered: bool = False
    notes: tuple[str, ...] = field(default=())
    shape: str = "squares"
    slant: int = 0
    flat: bool = False
    lines: tuple[tuple[str, ...], ...] = ()
    edges: tuple[int | None, ...] = ()
    ground: str = ""
    padding: float = 0.0

    def __post_init__(self) -> None:
        if not self.names and self.shape != "pits":
            object.__setattr__(self, "names", self._names_from_labels())
        if self.shape not in SHAPES:
            raise BadGame(f"board: shape {self.shape!r} is none of {', '.join(SHAPES)}")
        if self.names and list(map(len, self.names)) != list(map(len, self.rows)):
            raise BadGame("board: names has other rows than the board; it wants a name, or '', for each cell")
        if self.ground not in GROUNDS:
            raise BadGame(f"board: ground {self.ground!r} is none of {', '.join(map(repr, GROUNDS))}")
        if self.ground and self.shape != "squares":
            raise BadGame(f"board: a ground is for squares, and this board has {self.shape}")
        if not 0 <= self.padding <= MAX_PADDING:
            raise BadGame(f"board: padding {self.padding!r} is not from 0 to {MAX_PADDING}, a part of a cell")
        if self.edges and len(self.edges) != 4:
            raise BadGame("board: edges are four, the top, right, bottom and left one")
        if self.shape == "pits" and len(self.rows) % 2 and len(self.rows[len(self.rows) // 2]) != 2:
            raise BadGame("board: of an odd number of rows of pits, the middle one is the two stores")
        known = {name for row in self.names for name in row}
        for line in self.lines:
            for name in line:
                if name not in known:
                    raise BadGame(f"board: a line goes to {name!r}, which is no name of a cell")

    def _names_from_labels(self) -> tuple[tuple[str, ...], ...]:
        """The names that labels give to cells: `b` below and `3` on the left meet in `b3`.

        Rows of hexagons have no columns: with labels on the left alone, their cells are counted, `e1`, `e2`.
        """
        if not self.left and not self.bottom:
            return ()
        if self.left and len(self.left) != len(self.rows):
            return ()
        if self.bottom and any(len(row) != len(self.bottom) for row in self.rows):
            return ()
        if self.shape == "hexagons" and not self.bottom:
            return tuple(
                tuple(f"{label}{x + 1}" for x in range(len(row)))
                for row, label in zip(self.rows, self.left, strict=True)
            )
        beside = self.left or ("",) * len(self.rows)
        return tuple(
            tuple((self.bottom[x] if self.bottom else "") + label for x in range(len(row)))
            for row, label in zip(self.rows, beside, strict=True)
        )

    @property
    def width(self) -> int:
        return max(map(len, self.rows), default=0)

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

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        from plywise.core.board_svg import draw_board

        return draw_board(self)

    def __str__(self) -> str:
        """Letters and dots: what a log or a plain terminal shows."""
        if self.shape != "squares":
            from plywise.core.board_text import draw_text

            return "\n".join([draw_text(self), *self.notes])
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
