"""What each piece is worth to a learned evaluation here: the score less the score without it.

A net has no terms of its own. Which piece a cell of the boards stands for is found out: over positions of
random games, a cell is set in exactly those in which the piece is drawn on its square.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from plywise.core import learned
from plywise.core.bits import wrap
from plywise.core.board import Board
from plywise.core.evaluation import call_evaluation
from plywise.core.game import Game
from plywise.core.net_file import (
    CORRECTION,
    REPLACING,
    NoNet,
    boards_of,
    evaluation_of_shape,
    net_path,
    read_net,
)
from plywise.core.rules import Position

SAMPLE_GAMES = 30
SAMPLE_PLIES = 60
REST = "all together"  # what no piece has by itself


def piece_terms(game: Game, position: Position, weights: str | Path | None = None) -> dict[str, float]:
    """The worth of each piece for the side to move, and the rest; they add up to the evaluation."""
    path = net_path(game) if weights is None else Path(weights)
    if path is None:
        raise NoNet(f"{game.name} has learned nothing yet")
    shape, _ = read_net(game, path)
    values = SimpleNamespace(**game.weights("learned", path))
    net = evaluation_of_shape(game, replace(shape, form=REPLACING) if shape.form == CORRECTION else shape)
    assert net.function is not None

    def score(boards: tuple[int, ...]) -> int:
        seen = SimpleNamespace(boards=lambda: boards, turn=position.turn)
        return int(call_evaluation(net.function, seen, values, net.memory))  # type: ignore[arg-type]

    boards = boards_of(game, position)
    whole, names = score(boards), piece_names(game)
    terms: dict[str, float] = {}
    for i, board in enumerate(boards):
        if not shape.seen >> i & 1:
            continue
        for cell in range(learned.CELLS):
            if board >> cell & 1:
                without = (*boards[:i], wrap(board & ~(1 << cell)), *boards[i + 1 :])
                name = names.get((i, cell), f"board {i}, cell {cell}")
                terms[name] = terms.get(name, 0) + float(whole - score(without))
    terms[REST] = whole - sum(terms.values())
    if shape.form == CORRECTION:
        terms["own evaluation"] = float(game.evaluate(position, "learned", str(path)) - whole)
    return terms


@cache
def piece_names(game: Game) -> dict[tuple[int, int], str]:
    """Which piece on which square a cell of a board stands for, as far as the drawn board tells."""
    by_cell: dict[tuple[int, int], int] = {}
    by_piece: dict[str, int] = {}
    for number, position in enumerate(sample_positions(game)):
        for i, board in enumerate(boards_of(game, position)):
            for cell in range(learned.CELLS):
                if board >> cell & 1:
                    by_cell[i, cell] = by_cell.get((i, cell), 0) | 1 << number
        for name in _pieces_on(game, game.board(position)):
            by_piece[name] = by_piece.get(name, 0) | 1 << number
    pieces: dict[int, str] = {}
    for name, where in by_piece.items():
        pieces.setdefault(where, name)
    return {place: pieces[where] for place, where in by_cell.items() if where in pieces}


def _pieces_on(game: Game, board: Board | str) -> Iterator[str]:
    if not isinstance(board, Board):
        return
    names = [name for row in board.names for name in row]
    for place, piece in enumerate(board.pieces):
        if piece is not None:
            y, x = divmod(place, board.width)
            square = names[place] if names else ""
            if not square or names.count(square) > 1:  # a column's cells share a name
                square = f"column {x + 1}, row {board.height - y}"
            side = "" if piece.side is None else f"{game.sides[piece.side]} "
            yield f"{side}{piece.name} {square}"


def sample_positions(game: Game) -> Iterator[Any]:
    """The positions of some random games, the same each time."""
    dice = random.Random(1)
    for _ in range(SAMPLE_GAMES):
        position = game.start()
        for _ in range(SAMPLE_PLIES):
            yield position
            legal = game.moves(position)
            if not legal:
                break
            position = position.play(dice.choice(legal))
