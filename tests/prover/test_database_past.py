"""A database does not know the past: a win that leads through it is not called proven.

The random games keep their databases to levels in which nothing returns. Here everything may.
"""

from typing import Any, NamedTuple

import pytest

from plywise import LOST, OPEN, Draws, Engine, History, Kind, game
from plywise.core.scores import DATABASE_WIN, UNKNOWN, WIN

# Side 0 is to move at places with an even number, and wins at 21. From 4 the short way leads through 8.
ROADS = {
    2: (3,), 3: (4,), 4: (5, 11), 5: (8,), 8: (21, 9), 9: (4,),
    11: (12,), 12: (13,), 13: (14,), 14: (21,), 21: (),
}  # fmt: skip
DISTANCES = {21: 0, 8: 1, 14: 1, 5: 2, 13: 2, 12: 3, 4: 3, 11: 4, 3: 4, 9: 4, 2: 5}


def road(at: int, move: int) -> int:
    return ROADS[at][move]


@game("roads", draws=Draws(repetition=3), most_moves=4)
class Roads(NamedTuple):
    """A place on the way; `knows` is whether the database knows distances."""

    at: int = 8
    turn: int = 0
    knows: int = 1

    def moves(self, buffer: Any, n: int) -> int:
        for move in range(len(ROADS[self.at])):
            buffer[n] = move
            n += 1
        return n

    def play(self, move: int) -> "Roads":
        return Roads(road(self.at, move), 1 - self.turn, self.knows)

    def outcome(self) -> int:
        return LOST if self.at == 21 else OPEN

    def resets(self, move: int) -> bool:
        return False

    def probe(self, memory: Any) -> int:
        if self.knows == 2:
            return UNKNOWN if self.at in (8, 9) else WIN - 1 if self.turn == 0 else 2 - WIN
        plies = DISTANCES[self.at] if self.knows else WIN - DATABASE_WIN
        return WIN - plies if self.turn == 0 else plies - WIN


def at_four_again(knows: int = 1) -> History:
    """The game has been at 8 twice; a third time is a draw, and the short way from 4 leads there."""
    history = History(Roads.game, Roads(knows=knows))  # type: ignore[attr-defined]
    for move in (1, 0, 0, 0, 1, 0):
        history = history.play(move)
    assert (history.position.at, history.repetitions, history.outcome) == (4, 2, None)
    return history


@pytest.mark.parametrize("depth", range(1, 9))
def test_a_win_through_positions_that_are_drawn_on_return_is_not_proven(depth: int) -> None:
    engine = Engine(Roads.game, compiled=False)  # type: ignore[attr-defined]
    result = engine.search(at_four_again(), depth=depth)
    assert result.kind is not Kind.PROVEN or result.plies == 5, result.words
    assert result.kind is not Kind.BOUND or result.score == WIN - 5, result.words
    if depth > 4:
        assert result.plies == 5, result.words


def test_without_that_past_the_database_is_believed_at_once() -> None:
    engine = Engine(Roads.game, compiled=False)  # type: ignore[attr-defined]
    result = engine.search(History(Roads.game, Roads(at=4)), depth=1)  # type: ignore[attr-defined]
    assert (result.kind, result.plies) == (Kind.PROVEN, 3)


def test_a_win_without_a_distance_may_lead_through_the_past() -> None:
    engine = Engine(Roads.game, compiled=False)  # type: ignore[attr-defined]
    assert engine.search(at_four_again(knows=0), depth=1).kind is Kind.ESTIMATE


def test_positions_that_the_database_does_not_know_may_be_next_to_a_win() -> None:
    history = at_four_again(knows=2)
    engine = Engine(Roads.game, compiled=False)  # type: ignore[attr-defined]
    assert engine.past_win_plies(history.positions_drawn_on_return(9).values()) == (1, 1)
