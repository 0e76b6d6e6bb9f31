"""Boards of hexagons, points and pits as letters on lines, for terminals and logs."""

from dataclasses import dataclass
from itertools import pairwise

from plywise.core.board import Board
from plywise.core.board_places import names_above, row_shifts


@dataclass(frozen=True, slots=True)
class Span:
    """A few letters at a line and a column; `cell` is the cell that they show, if any."""

    line: int
    column: int
    text: str
    cell: int | None = None


def draw_text(board: Board) -> str:
    """The board as letters and dots."""
    pieces = board.pieces
    width = max((len(piece.letter) for piece in pieces if piece), default=1)
    shown = []
    for span in find_spans(board, width):
        if span.cell is not None:
            piece = pieces[span.cell]
            letter = piece.letter if piece else "."
            span = Span(span.line, span.column, f"{letter:>{width}}", span.cell)
        shown.append(span)
    return "\n".join(join_spans(shown))


def join_spans(spans: list[Span]) -> list[str]:
    """Lines of text from spans; later ones are written over earlier ones."""
    lines: list[list[str]] = [[] for _ in range(max((span.line for span in spans), default=-1) + 1)]
    for span in spans:
        line = lines[span.line]
        line += [" "] * (span.column + len(span.text) - len(line))
        line[span.column : span.column + len(span.text)] = span.text
    return ["".join(line).rstrip() for line in lines]


def find_spans(board: Board, width: int) -> list[Span]:
    """Where cells of this many letters, lines and labels stand; the text of a cell is left open.

    Nothing overlaps, but that points are written over the lines between them.
    """
    if board.shape == "points":
        return _point_spans(board, width)
    if board.shape == "pits":
        return _pit_spans(board, width)
    return _flat_spans(board, width) if board.flat else _hexagon_spans(board, width)


def _hexagon_spans(board: Board, width: int) -> list[Span]:
    """Each row on a line, shifted by half cells."""
    label = max(map(len, board.left), default=0)
    below = max(map(len, board.bottom), default=0)
    half = max(1, (max(width, below) + 2) // 2)
    margin = label + 1 if label else 0
    shifts, found, cell = row_shifts(board), [], 0
    lean = shifts[-1] - shifts[-2] if board.slant and board.height > 1 else 0
    margin += max(0, -(shifts[-1] + lean)) * half
    for y, row in enumerate(board.rows):
        start = margin + shifts[y] * half
        if y < len(board.left):
            found.append(Span(y, start - 1 - len(board.left[y]), board.left[y]))
        for x in range(len(row)):
            found.append(Span(y, start + 2 * half * x, "", cell))
            cell += 1
    for x, text in enumerate(board.bottom[: len(board.rows[-1]) if board.rows else 0]):
        found.append(Span(board.height, margin + (shifts[-1] + lean + 2 * x) * half, f"{text:>{width}}"))
    return found


def _flat_spans(board: Board, width: int) -> list[Span]:
    """Each column of hexagons below its label, shifted by half lines."""
    step = max(width, *(len(label) for label in board.left), 1) + 1 if board.left else width + 1
    shifts, found, cell = row_shifts(board), [], 0
    top = 1 if board.left else 0
    for x, column in enumerate(board.rows):
        if x < len(board.left):
            found.append(Span(shifts[x], x * step, f"{board.left[x]:>{width}}"))
        for y in range(len(column)):
            found.append(Span(top + shifts[x] + 2 * y, x * step, "", cell))
            cell += 1
    return found


def _point_spans(board: Board, width: int) -> list[Span]:
    """Points two lines apart, with strokes between those that are joined."""
    label = max(map(len, board.left), default=0)
    margin, across = label + 1 if label else 0, width + 3
    names = [name for row in board.names for name in row]
    places = [(y, x) for y, row in enumerate(board.rows) for x in range(len(row))]
    found: list[Span] = []
    for line in board.lines:
        for start, end in pairwise(line):
            found += _stroke(places[names.index(start)], places[names.index(end)], margin, across)
    cell = 0
    for y, row in enumerate(board.rows):
        if y < len(board.left):
            found.append(Span(2 * y, 0, f"{board.left[y]:>{label}}"))
        for x in range(len(row)):
            if not names or names[cell]:
                found.append(Span(2 * y, margin + across * x, "", cell))
            cell += 1
    for x, text in enumerate(board.bottom):
        found.append(Span(2 * board.height - 1, margin + across * x, f"{text:>{width}}"))
    return found


def _stroke(start: tuple[int, int], end: tuple[int, int], margin: int, across: int) -> list[Span]:
    """What is drawn between two points that are joined; they are given by row and column."""
    (y0, x0), (y1, x1) = start, end
    down, right = 2 * (y1 - y0), across * (x1 - x0)
    if down == 0:
        left = margin + across * min(x0, x1)
        return [Span(2 * y0, left, "-" * (abs(right) + 1))]
    mark = "|" if right == 0 else "\\" if (right > 0) == (down > 0) else "/"
    steps = abs(down)
    return [
        Span(2 * y0 + down * i // steps, margin + across * x0 + round(right * i / steps), mark)
        for i in range(1, steps)
    ]


def _pit_spans(board: Board, width: int) -> list[Span]:
    """Rows of pits, the stores on the line between them; moves of the top row are named above it."""
    middle = board.height // 2 if board.height % 2 else -1
    step = max(width, max(map(len, board.bottom), default=0)) + 1
    across = max((len(row) for y, row in enumerate(board.rows) if y != middle), default=0)
    inset = step + 1 if middle >= 0 else 0
    above = names_above(board)
    top = 1 if above else 0
    found, cell = [], 0
    for x, text in enumerate(above):
        found.append(Span(0, inset + step * x, f"{text:>{width}}"))
    for y, row in enumerate(board.rows):
        for x in range(len(row)):
            column = (0 if x == 0 else inset + step * across) if y == middle else inset + step * x
            found.append(Span(top + y, column, "", cell))
            cell += 1
    for x, text in enumerate(board.bottom[:across]):
        found.append(Span(top + board.height, inset + step * x, f"{text:>{width}}"))
    return found
