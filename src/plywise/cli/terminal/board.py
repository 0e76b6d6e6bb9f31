"""Draw a board on the terminal: with colours where it has them, else with letters and dots."""

import sys
import textwrap
from dataclasses import dataclass, replace
from typing import Any

from plywise.cli import console
from plywise.core.board import Board, Piece
from plywise.core.board_text import Span, find_spans, join_spans
from plywise.core.history import History

# Of the first side, the second side and neither: colours that show on dark and on light terminals.
SIDE_COLOURS = ("bold cyan", "bold red", "bold magenta")
# On a checkered board we set the background too, so men can be white and black.
CHECKERED_COLOURS = ("bold #ffffff", "bold #000000", "bold #ffd75f")
LIGHT, DARK = "on #8f9fb0", "on #54708a"
CHANGED, CHANGED_SQUARE = "reverse", "on #9a8f3c"
OUTLINED, FILLED = "♔♕♖♗♘♙⛀⛁", "♚♛♜♝♞♟⛂⛃"  # colours show the sides, and filled men are easier to see
EDGE, EMPTY = "dim", "dim"


def print_headline(history: History) -> None:
    """`Connect Four, x to move: 4453`."""
    game = history.game
    turn = "over" if history.outcome is not None else f"{game.sides[history.turn]} to move"
    print(console.paragraph(f"{game.title}, {turn}: {history.text}", hanging="  "))


def print_position(history: History, flip: bool = False) -> None:
    """Draw the position below its headline, which has the text already."""
    game, before = history.game, history.before
    board = game.board(history.position)
    if board != history.text:
        print_board(board, game.board(before.position) if before is not None else None, flip)


def print_board(board: Board | str, earlier: Board | str | None = None, flip: bool = False) -> None:
    """Draw a board, or print the text of a game that draws none; colours show what differs from `earlier`."""
    if not isinstance(board, Board):
        print(board)
        return
    if not console.has_colours(sys.stdout) or not console.can_encode(_symbols(board), sys.stdout):
        print(plain_text(board, flip))
        return
    from rich.console import Console

    Console(width=console.width(), highlight=False).print(
        styled_text(board, console.width(), flip, earlier), no_wrap=True, crop=False
    )


@dataclass(frozen=True)
class Cell:
    """One printed cell of a board."""

    text: str
    style: str


def flip_board(board: Board) -> Board:
    """The board as the second side sees it."""
    return replace(
        board,
        rows=tuple(row[::-1] for row in board.rows[::-1]),
        left=board.left[::-1],
        bottom=board.bottom[::-1],
        names=tuple(row[::-1] for row in board.names[::-1]),
    )


def changed_cells(before: Board | str | None, after: Board | str) -> set[tuple[int, int]]:
    """The cells that a move has changed, as (row, column)."""
    if not (isinstance(before, Board) and isinstance(after, Board)):
        return set()
    if (before.width, before.height) != (after.width, after.height):
        return set()
    return {
        (y, x)
        for y, row in enumerate(after.rows)
        for x, piece in enumerate(row)
        if before.rows[y][x] != piece
    }


def plain_text(board: Board | str, flip: bool = False) -> str:
    """The board as letters and dots, with the notes of its pieces below."""
    if isinstance(board, str):
        return board
    shown = flip_board(board) if flip else board
    rows, names = str(shown).split("\n"), names_beside(shown)
    width = max((len(rows[line]) for line in names), default=0)
    for line, words in names.items():
        rows[line] = f"{rows[line]:<{width}}{words}".rstrip()
    return "\n".join([*rows, *_notes(board)])


def styled_text(board: Board | str, width: int, flip: bool = False, before: Board | str | None = None) -> Any:
    """The board as coloured text; the cells that the last move changed have another background."""
    from rich.cells import cell_len
    from rich.text import Text

    if isinstance(board, str):
        return Text(board)
    if board.shape != "squares":
        return _styled_shape(
            flip_board(board) if flip else board,
            flip_board(before) if flip and isinstance(before, Board) else before,
        )
    new_cells = changed_cells(before, board)
    if flip:
        new_cells = {(board.height - 1 - y, board.width - 1 - x) for y, x in new_cells}
        board = flip_board(board)
    margin = max((cell_len(label) for label in board.left), default=0)
    label = max((cell_len(label) for label in board.bottom), default=1)
    names = names_beside(board)
    named = bool(names)
    wanted = (5, 3, 2) if named else (3, 2, 1)
    edge = margin + 1 if margin else 0
    cell_width = max(next((one for one in wanted if one * board.width + edge <= width), wanted[-1]), label)
    text = Text()
    if cell_width * board.width + edge > width:
        needed = cell_width * board.width + edge
        notice = f"The board needs {needed} columns; this terminal has {width}."
        text.append(textwrap.fill(notice, width) + "\n")
    for y, row in enumerate(board.rows):
        if margin:
            text.append(f"{board.left[y]:>{margin}} ", EDGE)
        for x, piece in enumerate(row):
            name = board.names[y][x] if named else ""
            cell = _cell(board, piece, (x + y) % 2 == 1, (y, x) in new_cells, name, cell_width >= 5)
            left = (cell_width - cell_len(cell.text)) // 2
            right = cell_width - cell_len(cell.text) - left
            text.append(" " * left + cell.text + " " * right, cell.style)
        text.append("\n" if cell_width >= 5 else f"{names.get(y, '')}\n", EDGE)
    if board.bottom:
        text.append(" " * (margin + 1 if margin else 0))
        text.append("".join(f"{label:^{cell_width}}" for label in board.bottom).rstrip() + "\n", EDGE)
    for note in (*board.notes, *_notes(board)):
        text.append(note + "\n")
    text.right_crop(1)  # the last line's end
    return text


def _styled_shape(board: Board, before: Board | str | None) -> Any:
    """A board of hexagons, points or pits as coloured text."""
    from rich.cells import cell_len
    from rich.text import Text

    changed, pieces = changed_cells(before, board), board.pieces
    places = [(y, x) for y, row in enumerate(board.rows) for x in range(len(row))]
    shown = [
        _cell(board, piece, False, place in changed) for piece, place in zip(pieces, places, strict=True)
    ]
    width = max((cell_len(cell.text) for cell in shown), default=1)
    spans, styles = [], {}
    for span in find_spans(board, width):
        if span.cell is not None:
            text = " " * (width - cell_len(shown[span.cell].text)) + shown[span.cell].text
            styles[span.line, span.column] = (len(text), shown[span.cell].style)
            span = Span(span.line, span.column, text, span.cell)
        spans.append(span)
    texts, names = join_spans(spans), names_beside(board)
    widest = max((cell_len(texts[line]) for line in names), default=0)
    for line, words in names.items():
        texts[line] = f"{texts[line]}{' ' * (widest - cell_len(texts[line]))}{words}".rstrip()
    lines = [Text(line, EDGE) for line in texts]
    for (line, column), (length, style) in styles.items():
        lines[line].stylize(f"not dim {style}" if "dim" not in style else style, column, column + length)
    return Text("\n").join([*lines, *(Text(note) for note in (*board.notes, *_notes(board)))])


def _cell(
    board: Board, piece: Piece | None, dark: bool, changed: bool, name: str = "", wide: bool = False
) -> Cell:
    """A cell; if the edges have no labels it shows its name (checkers), beside a piece only if it is wide."""
    if board.checkered:
        background = CHANGED_SQUARE if changed else DARK if dark else LIGHT
    else:
        background = CHANGED if changed else ""
    if piece is None:
        return Cell((name or " ") if board.checkered else "·", f"{EMPTY} {background}".strip())
    symbol, colour = piece.symbol or piece.letter, 2 if piece.side is None else piece.side
    if board.checkered and symbol in OUTLINED:
        symbol, colour = FILLED[OUTLINED.index(symbol)], 0
    elif board.checkered and symbol in FILLED:
        colour = 1  # a man with a black symbol is black, whichever side moves first
    ink = (CHECKERED_COLOURS if board.checkered else SIDE_COLOURS)[colour]
    return Cell(f"{symbol} {name}" if wide and name else symbol, f"{ink} {background}".strip())


def names_beside(board: Board) -> dict[int, str]:
    """The names of the cells on each line, to be shown beside it, if the edges have no labels (checkers)."""
    if board.bottom or not board.names:
        return {}
    cells = [name for row in board.names for name in row]
    width = max(map(len, cells))
    lines: dict[int, list[str]] = {}
    if board.shape == "squares":
        lines = {y: list(row) for y, row in enumerate(board.names)}
    else:
        for span in sorted(find_spans(board, 1), key=lambda span: span.column):
            if span.cell is not None:
                lines.setdefault(span.line, []).append(cells[span.cell])
    return {
        line: "   " + " ".join(f"{name:>{width}}" for name in names if name) for line, names in lines.items()
    }


def _notes(board: Board) -> list[str]:
    """The notes of pieces: `c4 footman: 3 hit points`."""
    notes = []
    for y, row in enumerate(board.rows):
        for x, piece in enumerate(row):
            if piece is not None and piece.note:
                place = f"{board.names[y][x]} " if board.names and board.names[y][x] else ""
                notes.append(f"{place}{piece.name}: {piece.note}")
    return notes


def _symbols(board: Board) -> str:
    return "·" + "".join(piece.symbol for row in board.rows for piece in row if piece is not None)
