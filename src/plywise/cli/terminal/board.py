"""Drawing a board: coloured where the terminal can, letters and dots where it cannot."""

from dataclasses import dataclass, replace
from typing import Any

from plywise.core.board import Board, Piece

# First side, second side, nobody's: inks that show on dark and on light terminals alike.
SIDES = ("bold cyan", "bold red", "bold magenta")
# On squares the ground is ours: white and black men show on both shades, and on those just changed.
ON_SHADED = ("bold #ffffff", "bold #000000", "bold #ffd75f")
LIGHT, DARK = "on #8f9fb0", "on #54708a"
CHANGED, CHANGED_SQUARE = "reverse", "on #9a8f3c"
OUTLINED, FILLED = "♔♕♖♗♘♙⛀⛁", "♚♛♜♝♞♟⛂⛃"  # where colours tell the sides apart, filled men are easier to see
EDGE, EMPTY = "dim", "dim"


@dataclass(frozen=True)
class Cell:
    """One cell as it will be printed."""

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
    """Letters and dots, with the pieces' notes below."""
    if isinstance(board, str):
        return board
    shown = flip_board(board) if flip else board
    return "\n".join([str(shown), *_notes(board)])


def styled_text(board: Board | str, width: int, flip: bool = False, before: Board | str | None = None) -> Any:
    """The board as coloured text; the cells that the last move changed stand out."""
    from rich.cells import cell_len
    from rich.text import Text

    if isinstance(board, str):
        return Text(board)
    new_cells = changed_cells(before, board)
    if flip:
        new_cells = {(board.height - 1 - y, board.width - 1 - x) for y, x in new_cells}
        board = flip_board(board)
    margin = max((cell_len(label) for label in board.left), default=0)
    label = max((cell_len(label) for label in board.bottom), default=1)
    room = 3 if (max(3, label) * board.width + margin + 1) <= width else 2
    room = max(room, label)
    text = Text()
    for y, row in enumerate(board.rows):
        if margin:
            text.append(f"{board.left[y]:>{margin}} ", EDGE)
        for x, piece in enumerate(row):
            name = board.names[y][x] if board.names and not board.bottom else ""
            cell = _cell(board, piece, (x + y) % 2 == 1, (y, x) in new_cells, name)
            before_it = (room - cell_len(cell.text)) // 2
            after_it = room - cell_len(cell.text) - before_it
            text.append(" " * before_it + cell.text + " " * after_it, cell.style)
        text.append("\n")
    if board.bottom:
        text.append(" " * (margin + 1 if margin else 0))
        text.append("".join(f"{label:^{room}}" for label in board.bottom).rstrip() + "\n", EDGE)
    for note in (*board.notes, *_notes(board)):
        text.append(note + "\n")
    text.right_crop(1)  # the last line's end
    return text


def _cell(board: Board, piece: Piece | None, shaded: bool, fresh: bool, name: str) -> Cell:
    """A cell; an empty one shows its name where there are no labels along the edges (checkers)."""
    if board.checkered:
        ground = CHANGED_SQUARE if fresh else DARK if shaded else LIGHT
    else:
        ground = CHANGED if fresh else ""
    if piece is None:
        return Cell((name or " ") if board.checkered else "·", f"{EMPTY} {ground}".strip())
    sign, colour = piece.symbol or piece.letter, 2 if piece.side is None else piece.side
    if board.checkered and sign in OUTLINED:
        sign, colour = FILLED[OUTLINED.index(sign)], 0
    elif board.checkered and sign in FILLED:
        colour = 1  # a man that is drawn black is black, whoever moves first
    ink = (ON_SHADED if board.checkered else SIDES)[colour]
    return Cell(sign, f"{ink} {ground}".strip())


def _notes(board: Board) -> list[str]:
    """What is said beside pieces: `c4 footman: 3 hit points`."""
    notes = []
    for y, row in enumerate(board.rows):
        for x, piece in enumerate(row):
            if piece is not None and piece.note:
                place = f"{board.names[y][x]} " if board.names and board.names[y][x] else ""
                notes.append(f"{place}{piece.name}: {piece.note}")
    return notes
