"""Moves, positions and scores as the protocols write them."""

import math
from collections.abc import Iterable
from typing import Any

from plywise.core.alternation import is_alternating
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import distance, is_sure

# How scores turn into chances, in hundredths of a pawn: a logistic curve with round numbers, not yet
# fitted to games. An estimate, shown only on request (UCI_ShowWDL).
WDL_MIDPOINT, WDL_SCALE = 130.0, 70.0


def move_texts(game: Game, position: Any, numbers: tuple[int, ...], style: str = "") -> list[str]:
    """The moves of a line as text."""
    result = []
    for move in numbers:
        result.append(game.move_text_in_style(position, move, style))
        position = position.play(move)
    return result


def centipawns(score: int, unit: int) -> int:
    """The score in hundredths of the game's unit, which protocols call centipawns."""
    return score if unit == 100 else round(score * 100 / unit)


def moves_to_win(score: int, history: History, line: Iterable[int] = ()) -> int | None:
    """The distance of a decisive score in moves of the winner, negative for a loss; None for other scores.

    None, too, where a side may act several times in a row: the loser may then choose a defence of fewer plies
    in which the winner has to move more often, so nobody knows the number of moves.

    >>> import plywise
    >>> history = plywise.load("chess").history()
    >>> moves_to_win(32000 - 5, history), moves_to_win(4 - 32000, history), moves_to_win(25, history)
    (3, -2, None)
    """
    plies = distance(score)
    if plies is None:
        return None
    positions = [history.position]
    for move in line:
        positions.append(positions[-1].play(move))
    if plies > 1 and not is_alternating(history.game, positions):
        return None
    if score > 0:
        return (plies + 1) // 2
    return -max(plies // 2, min(plies, 1))  # a side may lose by its own move


def win_draw_loss(score: int, unit: int) -> tuple[int, int, int]:
    """Wins, draws and losses in a thousand, as an estimate.

    >>> win_draw_loss(0, 100), win_draw_loss(400, 100)
    ((135, 730, 135), (979, 20, 1))
    """
    if is_sure(score):
        return (1000, 0, 0) if score > 0 else (0, 0, 1000)
    points = centipawns(score, unit)

    def of(points: float) -> int:
        return round(1000 / (1 + math.exp(min((WDL_MIDPOINT - points) / WDL_SCALE, 50.0))))

    win, loss = of(points), of(-points)
    return win, 1000 - win - loss, loss


def board_lines(history: History) -> list[str]:
    """The position for people: its board if the game draws one, and its text."""
    board = history.game.board(history.position)
    return [*str(board).splitlines(), history.text]
