"""The windows of the form `patterns`: the lines of the drawn board, for games of stones.

A window is a few cells, read as a ternary number: empty, own, enemy. Which bit is drawn where is found out
from random games, as in `core/net_terms.py`.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from plywise.core.board import Board
from plywise.core.game import Game
from plywise.core.learned import CELLS
from plywise.core.net_file import MAX_HIDDEN, Shape, boards_of
from plywise.core.net_terms import sample_positions

LONGEST = 8  # cells of a line: 3 to this power are the entries of its table
SHORTEST = 4
Window = tuple[int, ...]  # its cells


@cache
def windows_of(game: Game) -> tuple[Window, ...]:
    """The lines of the board in all directions, as cells; empty if it has none."""
    places = {place: cell for cell, place in drawn_places(game).items()}
    found: list[Window] = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for x, y in sorted(places):
            if (x - dx, y - dy) not in places:
                line = list(_line(places, x, y, dx, dy))
                if len(line) >= SHORTEST:
                    found += _parts(line)
    return tuple(found[:MAX_HIDDEN])


def _line(places: dict[tuple[int, int], int], x: int, y: int, dx: int, dy: int) -> Iterable[int]:
    while (x, y) in places:
        yield places[x, y]
        x, y = x + dx, y + dy


def _parts(line: list[int]) -> list[Window]:
    """A line, or as many parts of the longest length as cover it."""
    count = -(-len(line) // LONGEST)
    size = min(LONGEST, len(line))
    starts = [round(i * (len(line) - size) / max(1, count - 1)) for i in range(count)]
    return [tuple(line[start : start + size]) for start in starts]


def drawn_places(game: Game) -> dict[int, tuple[int, int]]:
    """Where each cell of the boards is drawn, column and row, as far as that is clear."""
    by_cell: dict[int, int] = {}
    by_place: dict[tuple[int, int], int] = {}
    for number, position in enumerate(sample_positions(game)):
        board = game.board(position)
        if not isinstance(board, Board):
            return {}
        for side, word in enumerate(boards_of(game, position)):
            for cell in range(CELLS):
                if word >> cell & 1:
                    by_cell[cell] = by_cell.get(cell, 0) | 1 << 2 * number + side
        for i, piece in enumerate(board.pieces):
            if piece is not None and piece.side in (0, 1):
                y, x = divmod(i, board.width)
                by_place[x, y] = by_place.get((x, y), 0) | 1 << 2 * number + piece.side
    places: dict[int, list[tuple[int, int]]] = {}
    for place, when in by_place.items():
        places.setdefault(when, []).append(place)
    return {cell: places[when][0] for cell, when in by_cell.items() if len(places.get(when, ())) == 1}


def table_sizes(windows: Iterable[Window]) -> list[int]:
    """How many entries each window has."""
    return [3 ** len(window) for window in windows]


def entry_count(windows: tuple[Window, ...], own_columns: bool) -> int:
    """The entries of one stage, and room behind them for cells that are set on both boards."""
    sizes = table_sizes(windows)
    return sum(sizes) * (2 if own_columns else 1) + max(sizes)


def window_values(shape: Shape, windows: tuple[Window, ...]) -> dict[str, Any]:
    """The columns and offsets of a net of windows: each set cell adds its digit to the windows it is in."""
    columns = np.zeros((shape.inputs, shape.hidden), np.int64)
    for k, window in enumerate(windows):
        for i, cell in enumerate(window):
            for view in range(2 if shape.own_columns else 1):
                for board in range(2):
                    digit = 1 if board == view else 2
                    columns[(2 * view + board) * CELLS + cell, k] = digit * 3**i
    sizes = table_sizes(windows)
    starts = [*np.cumsum([0, *sizes[:-1]]).tolist(), *[0] * (shape.hidden - len(sizes))]
    second = [start + sum(sizes) for start in starts] if shape.own_columns else starts
    return {"net_columns": columns.ravel().tolist(), "net_offsets": [*starts, *second]}
