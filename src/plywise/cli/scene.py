"""A position on the screen: what it is called, and its board."""

import sys

from plywise.cli import drawing, screen
from plywise.core.board import Board
from plywise.core.history import History


def headline(history: History) -> None:
    """`Connect Four, x to move: 4453`."""
    game = history.game
    turn = "over" if history.outcome is not None else f"{game.sides[history.turn]} to move"
    print(screen.paragraph(f"{game.title}, {turn}: {history.text}", hanging="  "))


def show_board(history: History, flip: bool = False) -> None:
    """Draw the position; nothing where the game has no board but its text."""
    game, before = history.game, history.before
    show(game.board(history.position), game.board(before.position) if before is not None else None, flip)


def show(board: Board | str, earlier: Board | str | None = None, flip: bool = False) -> None:
    """Draw a board, with what has changed since the earlier one where there are colours."""
    if not isinstance(board, Board):
        return
    if not screen.coloured(sys.stdout) or not screen.shows(_signs(board), sys.stdout):
        print(drawing.plain(board, flip))
        return
    from rich.console import Console

    Console(width=screen.width(), highlight=False).print(
        drawing.pretty(board, screen.width(), flip, earlier), no_wrap=True, crop=False
    )


def _signs(board: Board) -> str:
    return "·" + "".join(piece.symbol for row in board.rows for piece in row if piece is not None)
