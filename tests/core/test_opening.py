"""Openings by name: a game goes by the last one that it came through."""

from dataclasses import dataclass, replace

from plywise.core.define import game
from plywise.core.opening import MAX_OPENING_PLIES, Opening, opening_tags
from plywise.core.registry import load


@game("count_up", title="Count up")
@dataclass(frozen=True)
class CountUp:
    """Each side adds one or two; openings have names at 2 and 5."""

    count: int = 0
    turn: int = 0

    def moves(self) -> list[int]:
        return [1, 2]

    def play(self, move: int) -> "CountUp":
        return replace(self, count=self.count + move, turn=1 - self.turn)

    def opening(self) -> "str | Opening | None":
        return {2: "Two", 5: Opening("Five", "F5")}.get(self.count)


COUNT_UP = CountUp.game  # type: ignore[attr-defined]


def test_a_game_goes_by_the_last_name_it_came_through() -> None:
    history, names = COUNT_UP.history(), []
    for move in ("1", "1", "1", "2", "2"):
        history = history.play(move)
        names.append(None if history.opening is None else str(history.opening))
    assert names == [None, "Two", "Two", "F5 Five", "F5 Five"]


def test_names_become_tags() -> None:
    history = COUNT_UP.history()
    assert opening_tags(history) == {}
    assert opening_tags(history.play("2")) == {"Opening": "Two"}
    assert opening_tags(history.play("2").play("1").play("2")) == {"ECO": "F5", "Opening": "Five"}


def test_a_game_without_names_has_none() -> None:
    polis = load("polis")
    assert polis.history().opening is None


def test_a_long_game_keeps_the_name_of_its_beginning() -> None:
    history = COUNT_UP.history().play("2").play("2")
    for _ in range(2 * MAX_OPENING_PLIES):
        history = history.play("2")
    assert history.opening == Opening("Two")
