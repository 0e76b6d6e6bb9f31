"""A position on the screen: what it is called, and its board."""

import sys

from plywise.cli import console
from plywise.cli.terminal.board import plain_text, styled_text
from plywise.core.board import Board
from plywise.core.history import History


def print_headline(history: History) -> None:
    """`Connect Four, x to move: 4453`."""
    game = history.game
    turn = "over" if history.outcome is not None else f"{game.sides[history.turn]} to move"
    print(console.paragraph(f"{game.title}, {turn}: {history.text}", hanging="  "))


def print_position(history: History, flip: bool = False) -> None:
    """Draw the position; nothing where the game has no board but its text."""
    game, before = history.game, history.before
    print_board(
        game.board(history.position), game.board(before.position) if before is not None else None, flip
    )


def print_board(board: Board | str, earlier: Board | str | None = None, flip: bool = False) -> None:
    """Draw a board, with what has changed since the earlier one where there are colours."""
    if not isinstance(board, Board):
        return
    if not console.has_colours(sys.stdout) or not console.can_encode(_symbols(board), sys.stdout):
        print(plain_text(board, flip))
        return
    from rich.console import Console

    Console(width=console.width(), highlight=False).print(
        styled_text(board, console.width(), flip, earlier), no_wrap=True, crop=False
    )


def _symbols(board: Board) -> str:
    return "·" + "".join(piece.symbol for row in board.rows for piece in row if piece is not None)
