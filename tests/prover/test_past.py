"""What the table knows of another past is not believed: games for guards that random ones hardly show.

In each, one side loses slowly by its first move. Its other move loses sooner, but for the past of the game,
which makes a draw of it. A search of the same position without that past has filled the table. If the table
forgets the past, its entry refutes the other move, which is not looked at, and the loss is called proven.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

import plywise
from plywise.core.outcome import LOST, OPEN
from plywise.search import node
from tests.prover.sabotage import Sabotage, sabotage

DEFENDER = 1
REPETITION, COUNTER = 3, 30


def chain(name: str, plies: int, end: list[str]) -> dict[str, list[str]]:
    """Positions with one move each, the last one with the moves of `end`."""
    places = [f"{name}{i}" for i in range(1, plies + 1)]
    return {**{place: [after] for place, after in pairwise(places)}, places[-1]: end}


# The defender is to move at `root`, and the sides alternate. Who has no move has lost.
RETURNS = {
    "root": ["slow1", "quick1"],
    **chain("slow", 5, ["lost"]),
    **chain("quick", 2, ["again"]),
    "again": ["lost", "root"],  # the attacker wins at once, and has not done so before
    "lost": [],
}
LATE = {
    **chain("past", 12, ["root"]),
    "root": ["slow1", "quick1"],
    **chain("slow", 25, ["lost"]),
    **chain("quick", 21, ["lost"]),
    "lost": [],
}


@dataclass(frozen=True)
class Place:
    """A position of one of these games."""

    name: str = "root"
    turn: int = DEFENDER

    def outcome(self) -> int:
        return OPEN if self.graph()[self.name] else LOST

    def moves(self) -> list[int]:
        return list(range(len(self.graph()[self.name])))

    def play(self, move: int) -> Any:
        return type(self)(self.graph()[self.name][move], 1 - self.turn)

    def resets(self, move: int) -> bool:
        return self.graph()[self.name][move] == "slow1"

    def graph(self) -> dict[str, list[str]]:
        raise NotImplementedError


@plywise.game("returns", draws=plywise.Draws(repetition=REPETITION))
@dataclass(frozen=True)
class Returns(Place):
    """The third time in one position is a draw."""

    def graph(self) -> dict[str, list[str]]:
        return RETURNS


@plywise.game("late", draws=plywise.Draws(plies=COUNTER))
@dataclass(frozen=True)
class Late(Place):
    """COUNTER plies without a reset are a draw."""

    def graph(self) -> dict[str, list[str]]:
        return LATE


def play(start: Any, names: list[str]) -> plywise.History:
    history = plywise.History(type(start).game, type(start).game.wrap(start))
    for name in names:
        history = history.play(start.graph()[history.game.unwrap(history.position).name].index(name))
    return history


def twice_at_again() -> plywise.History:
    round_trip = ["quick1", "quick2", "again", "root"]
    return play(Returns("again", 0), ["root", *round_trip])


def twelve_plies_later() -> plywise.History:
    return play(Late("past1"), [*(f"past{i}" for i in range(2, 13)), "root"])


Past = Callable[[], plywise.History]
GUARDS = (
    (Returns, twice_at_again, Sabotage("past", node.table_key, "key ^ thread.past_hash", "key")),
    (
        Late,
        twelve_plies_later,
        Sabotage("too late", node.is_win_too_late, "> thread.draw_plies", "> 999"),
    ),
)


def search_twice(position: Any, past: Past) -> plywise.Result:
    """The result at the root with its past, after a search without one has filled the table."""
    engine = plywise.Engine(position.game, hash=1)
    fresh = engine.search(play(position(), []), depth=30)
    slow = sum(name.startswith("slow") for name in position().graph())
    assert (fresh.kind, fresh.plies) == ("proven", slow + 1)
    return engine.search(past(), depth=30)


@pytest.mark.parametrize(("position", "past", "change"), GUARDS, ids=[change.name for *_, change in GUARDS])
def test_a_draw_by_the_past_is_found_although_the_table_says_lost(
    position: Any, past: Past, change: Sabotage
) -> None:
    assert search_twice(position, past).score == 0
    with sabotage(change):
        assert search_twice(position, past).score < 0, "this guard is what the game is made for"
