"""Where the cells of a board are: their middles, counted in sides of a cell from the top left.

The page draws what this says, and knows no shape of its own but how one cell looks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from plywise.core.board import Board
from plywise.core.errors import BadGame

PITCH = sqrt(3) / 2  # from one row of hexagons to the next, where a cell is 1 wide
CORNER = 1 / sqrt(3)  # from the middle of a hexagon to its corner
LABEL_ROOM = 0.6  # beside a board with labels
LABEL_DISTANCE = 0.8  # from the middle of a cell to its label


@dataclass(frozen=True, slots=True)
class Place:
    """The middle of a cell, and how high it is: a store is as high as all rows of pits."""

    x: float
    y: float
    height: int = 1


@dataclass(frozen=True, slots=True)
class Label:
    """A word beside the board, and where its middle is."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """The places of all cells, row by row, the labels, and how wide and high all of it is."""

    places: tuple[Place, ...]
    labels: tuple[Label, ...]
    width: float
    height: float


def lay_out(board: Board) -> BoardLayout:
    """Where everything on a board is.

    >>> lay_out(Board(((None, None), (None,)))).places[2]
    Place(x=0.5, y=1.5, height=1)
    """
    found = {"hexagons": _hexagon_places, "pits": _pit_places}.get(board.shape, _square_places)(board)
    wide = high = 0.5
    if board.shape == "hexagons":
        wide, high = (CORNER, 0.5) if board.flat else (0.5, CORNER)
    left = LABEL_ROOM if board.left and not board.flat else 0.0
    top = LABEL_ROOM if (board.left and board.flat) or names_above(board) else 0.0
    places = tuple(Place(one.x + left, one.y + top, one.height) for one in found)
    labels = tuple(_labels(board, places))
    width = max((one.x + wide for one in places), default=0.0)
    height = max((one.y + high * one.height for one in places), default=0.0)
    if board.bottom and not board.flat:
        width = max(width, max((label.x + 0.3 for label in labels), default=0.0))
        height += LABEL_ROOM
    return BoardLayout(places, labels, round(width, 4), round(height, 4))


def names_above(board: Board) -> tuple[str, ...]:
    """The names of the top row of pits, which are written above it if those of the bottom row are below."""
    if board.shape != "pits" or not board.bottom or not board.names or board.height == 1:
        return ()
    return board.names[0] if any(board.names[0]) and board.names[0] != board.bottom else ()


def row_shifts(board: Board) -> list[int]:
    """How many half cells each row of hexagons begins to the right of the leftmost."""
    lengths = [len(row) for row in board.rows]
    if board.slant:
        shifts = [board.slant * y for y in range(len(lengths))]
    elif len(set(lengths)) == 1:
        shifts = [y % 2 for y in range(len(lengths))]
    else:
        shifts = [max(lengths) - length for length in lengths]
    if any((one - other) % 2 == 0 for one, other in pairwise(shifts)):
        raise BadGame("board: hexagons of two rows do not fit: say slant=1, or let lengths differ by one")
    return [shift - min(shifts) for shift in shifts]


def _labels(board: Board, places: tuple[Place, ...]) -> Iterator[Label]:
    """The labels, each beside the first cell of a row, or above the first or below the last of a column."""
    for text, one in zip(names_above(board), places, strict=False):
        yield Label(text, one.x, one.y - LABEL_DISTANCE)
    cell = 0
    for y, row in enumerate(board.rows):
        if y < len(board.left) and row:
            one = places[cell]
            yield (
                Label(board.left[y], one.x, one.y - LABEL_DISTANCE)
                if board.flat
                else Label(board.left[y], one.x - LABEL_DISTANCE, one.y)
            )
        if y == board.height - 1 and not board.flat:
            lean = 0.5 * board.slant * LABEL_DISTANCE if board.shape == "hexagons" else 0.0
            for text, one in zip(board.bottom, places[cell:], strict=False):
                yield Label(text, one.x + lean, one.y + LABEL_DISTANCE)
        cell += len(row)


def _square_places(board: Board) -> list[Place]:
    return [Place(x + 0.5, y + 0.5) for y, row in enumerate(board.rows) for x in range(len(row))]


def _hexagon_places(board: Board) -> list[Place]:
    shifts = row_shifts(board)
    found = [
        (shifts[y] / 2 + x + 0.5, CORNER + PITCH * y)
        for y, row in enumerate(board.rows)
        for x in range(len(row))
    ]
    return [Place(y, x) if board.flat else Place(x, y) for x, y in found]


def _pit_places(board: Board) -> list[Place]:
    middle = board.height // 2 if board.height % 2 else -1
    rows = board.height - (middle >= 0)
    across = max((len(row) for y, row in enumerate(board.rows) if y != middle), default=0)
    found, line = [], 0
    for y, row in enumerate(board.rows):
        if y == middle:
            found += [Place(0.5, rows / 2, rows), Place(across + 1.5, rows / 2, rows)]
            continue
        found += [Place(x + (1.5 if middle >= 0 else 0.5), line + 0.5) for x in range(len(row))]
        line += 1
    return found
