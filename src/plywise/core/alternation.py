"""Whether the sides of a game move in turn: seen, never asked.

A win is counted in moves of the winner only where they do. Where a side may act several times in a row, the
loser may choose a defence of fewer plies in which the winner has to move more often.
"""

from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import distance

ENOUGH = 500  # positions of a game whose moves all gave the turn away: it is not looked at any longer
_seen: WeakKeyDictionary[Game, int] = WeakKeyDictionary()  # such positions; -1: a side acted again


def is_alternating(game: Game, positions: Iterable[Any]) -> bool:
    """Whether every move seen until now, those of these positions among them, gave the turn away."""
    count = _seen.get(game, 0)
    for position in positions:
        if not 0 <= count < ENOUGH:
            break
        same = any(position.play(move).turn == position.turn for move in game.moves(position))
        count = -1 if same else count + 1
    _seen[game] = count
    return count >= 0


def winner_moves(history: History, numbers: Iterable[int], score: int) -> int | None:
    """In how many moves of its own the winner wins, by a line that shows it to the end.

    None where the line does not, or where sides do not move in turn: then only plies can be counted.
    """
    winner = history.turn if score > 0 else 1 - history.turn
    position, positions = history.position, []
    for number in numbers:
        positions.append(position)
        position = position.play(number)
    if distance(score) != len(positions):
        return None
    if len(positions) > 1 and not is_alternating(history.game, positions):
        return None
    return sum(one.turn == winner for one in positions) or None  # a side may lose by its own move
