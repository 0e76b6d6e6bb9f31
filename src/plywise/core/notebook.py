"""What a notebook shows of positions and histories: a picture, and a few words beside it.

Everything is one string of HTML with its style inside, so that it needs no server and no script.
"""

from collections.abc import Iterable
from html import escape
from itertools import pairwise

from plywise.core.board import Board
from plywise.core.board_svg import Arrow, draw_board
from plywise.core.effects import touched_cells
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.rules import Position
from plywise.core.wording import wins_text

MAX_MOVES = 120  # of a history that are listed; earlier ones are counted


def draw_history(history: History, arrows: Iterable[Arrow] = (), flipped: bool = False) -> str | None:
    """The present position as SVG, with the last move marked; None if the game draws no board."""
    game = history.game
    board = game.board(history.position)
    if not isinstance(board, Board):
        return None
    return draw_board(
        board,
        game.name,
        game.side_names,
        flipped=flipped,
        last=last_cells(history),
        marks=game.marks(history.position),
        arrows=arrows,
        title=f"{game.title}, {turn_text(history)}: {history.text}",
    )


def draw_position(game: Game, position: Position) -> str | None:
    """A position without its past as SVG; None if the game draws no board."""
    return draw_history(History(game, position))


def last_cells(history: History) -> list[int]:
    """The cells that the last move touched."""
    if history.before is None or history.move is None:
        return []
    return touched_cells(history.game.effects(history.before.position, history.move))


def move_arrows(history: History, move: int, kind: str = "best") -> list[Arrow]:
    """The way of a move over the board, as arrows; none if its text names no cells."""
    board = history.game.board(history.position)
    if not isinstance(board, Board):
        return []
    steps = history.game.move_entry(history.position, move).steps
    cells = [board.cell(step) for step in steps]
    if len(steps) == 1 and sum(row.count(steps[0]) for row in board.names) > 1:  # a column: where it lands
        cells = last_cells(history.play(move))[:1] or cells
    if len(cells) == 1:
        return [Arrow(cells[0], cells[0], kind)]
    return [Arrow(one, other, kind) for one, other in pairwise(cells)]


def turn_text(history: History) -> str:
    """`White to move`, or how the game ended."""
    game, outcome = history.game, history.outcome
    if outcome is None:
        return f"{game.sides[history.turn]} to move"
    return f"{'draw' if outcome.winner is None else wins_text(game, outcome.winner)}: {outcome.reason}"


def place_side_by_side(picture: str | None, words: str) -> str:
    """A picture with words beside it, or below where the page is narrow."""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'
        f'<div>{picture or ""}</div><div style="flex:1;min-width:15em">{words}</div></div>'
    )


def paragraph(text: str, strong: bool = False) -> str:
    """Words as a paragraph."""
    words = escape(text)
    return f'<p style="margin:.2em 0">{f"<b>{words}</b>" if strong else words}</p>'


def history_html(history: History) -> str:
    """A history: its board, whose turn it is, and the moves that led there."""
    parts = [paragraph(f"{history.game.title}: {turn_text(history)}", strong=True)]
    if history.length:
        parts.append(f'<p style="margin:.2em 0">{_played_html(history)}</p>')
    parts.append(f'<code style="overflow-wrap:anywhere">{escape(history.text)}</code>')
    return place_side_by_side(draw_history(history) or _text_html(history), "".join(parts))


def _text_html(history: History) -> str:
    """The board of a game that draws none: its text."""
    return f"<pre>{escape(str(history.game.board(history.position)))}</pre>"


def _played_html(history: History) -> str:
    """The last moves with their numbers, as a list of moves has them."""
    played: list[tuple[History, int]] = []
    node = history
    while node.before is not None and node.move is not None:
        played.append((node.before, node.move))
        node = node.before
    number, last_turn, words = node.game.move_number(node.position), -1, []
    for before, move in reversed(played):
        begins = before.turn == 0 and last_turn != 0
        number += begins and last_turn == 1
        label = escape(before.game.label(before.position, move))
        lead = f"{number}. " if begins else f"{number}... " if last_turn < 0 else ""
        words.append(lead + label)
        last_turn = before.turn
    return ("... " if len(words) > MAX_MOVES else "") + " ".join(words[-MAX_MOVES:])
