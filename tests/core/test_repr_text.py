"""A position of a game without texts of its own is read as Python writes it, and nothing is evaluated."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import plywise
from plywise.core.errors import BadPosition
from plywise.core.wide_bits import Cells128


@plywise.game("sticks")
@dataclass(frozen=True)
class Sticks:
    left: int = 21
    turn: int = 0

    def moves(self) -> list[int]:
        return [take for take in (1, 2, 3) if take <= self.left]

    def play(self, move: int) -> "Sticks":
        return Sticks(self.left - move, 1 - self.turn)


@plywise.game("pairs")
class Pairs(NamedTuple):
    word: str = "ab"
    turn: int = 0

    def moves(self) -> list[str]:
        return list(self.word)

    def play(self, move: str) -> "Pairs":
        return Pairs(self.word.replace(move, ""), 1 - self.turn)


CELLS = Cells128.of([5, 100])


@plywise.game("herd")
@dataclass(frozen=True)
class Herd:
    """Fields of all the kinds that are read: a frozen set, a set of cells, and one that is None at first."""

    places: frozenset[tuple[int, int]] = frozenset({(0, 8), (8, 0), (16, 16)})
    cells: Cells128 = CELLS
    last: tuple[int, int] | None = None
    turn: int = 0

    def moves(self) -> list[tuple[int, int]]:
        return sorted(self.places)

    def play(self, move: tuple[int, int]) -> "Herd":
        return Herd(self.places - {move}, self.cells, move, 1 - self.turn)

    def move_text(self, move: tuple[int, int]) -> str:
        return f"{move[0]}.{move[1]}"


STICKS: Any = Sticks.game  # type: ignore[attr-defined]
PAIRS: Any = Pairs.game  # type: ignore[attr-defined]
HERD: Any = Herd.game  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["Sticks(left=7, turn=1)", "Sticks(7, 1)", "Sticks(turn=1, left=7)"])
def test_the_repr_of_a_position_is_read(text: str) -> None:
    history = STICKS.history(f"{text} moves 3")
    assert history.text == "Sticks(left=4, turn=0)"
    assert PAIRS.history("Pairs(word='xyz', turn=1)").moves == ["x", "y", "z"]


@pytest.mark.parametrize("moves", [[], ["0.8"], ["0.8", "16.16", "8.0"]])
def test_frozen_sets_sets_of_cells_and_none_are_read(moves: list[str]) -> None:
    history = HERD.history()
    for move in moves:
        history = history.play(move)
    assert HERD.parse(history.text) == history.position


def test_equal_positions_have_one_text_whatever_the_order_of_their_sets() -> None:
    places: Any = [0, 8]  # they fall into one slot of a small set, so the order is that of their coming
    positions = [Herd(frozenset(places)), Herd(frozenset(reversed(places)))]
    assert len({repr(position) for position in positions}) == 2  # else this proves nothing
    assert len({HERD.text(HERD.wrap(position)) for position in positions}) == 1


@pytest.mark.parametrize(
    "value", ["Cells128(1 << 70)", "Cells128(1.5)", "Cells128(a=2 ** 64)", "set()", "open('x')"]
)
def test_nothing_but_words_makes_a_set_of_cells(value: str) -> None:
    with pytest.raises(BadPosition, match="a position is written like Herd"):
        HERD.parse(f"Herd(cells={value})")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7", "a position is written like Sticks(left=..., turn=...), or 'start'"),
        ("Sticks(left=7, turn=2)", "turn is 2, and should be 0 or 1"),
        ("Sticks(left='7', turn=1)", "left is '7', and should be like 21"),
        ("Sticks(left=7, right=1)", "a position is written like"),
        ("Sticks(1, 1, 1)", "a position is written like"),
        ("Sticks(left=__import__('os').getpid())", "a position is written like"),
        ("Sticks(left=7).play(1)", "a position is written like"),
        ("Sticks(" + "(" * 5000 + ")" * 5000 + ")", "a position is written like"),
    ],
)
def test_another_text_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadPosition) as error:
        STICKS.history(text)
    assert reason in str(error.value)


def test_a_game_that_writes_texts_must_read_them() -> None:
    @plywise.game("mute")
    class Mute(NamedTuple):
        turn: int = 0

        def moves(self) -> list[int]:
            return [1]

        def play(self, move: int) -> "Mute":
            return Mute(1 - self.turn)

        def text(self) -> str:
            return str(self.turn)

    with pytest.raises(BadPosition, match=r"define parse\(\), which reads what text\(\) writes"):
        Mute.game.history("1")  # type: ignore[attr-defined]


def test_a_game_without_bench_positions_is_measured_by_nodes() -> None:
    assert STICKS.bench_searches == [("start", {"nodes": 5000})]
    assert plywise.load("tic_tac_toe").bench_searches == [("start", {"depth": 9})]


@plywise.game("many_sticks", most_moves=3)
class ManySticks(NamedTuple):
    left: int = 21
    turn: int = 0

    def moves(self, out: Any, n: int) -> int:
        for take in range(1, 4):
            if take <= self.left:
                out[n] = take
                n += 1
        return n

    def play(self, move: int) -> "ManySticks":
        return ManySticks(self.left - move, 1 - self.turn)


def test_a_number_has_room_in_compiled_rules() -> None:
    """A larger one was called a mistake of the rules, where the search began."""
    game: Any = ManySticks.game  # type: ignore[attr-defined]
    assert game.compiled
    assert game.history(f"ManySticks(left={2**63 - 1}, turn=0)").moves == ["1", "2", "3"]
    for number in (2**63, -(2**63) - 1, 10**300):
        with pytest.raises(BadPosition, match="compiled rules have 64 bits for it"):
            game.history(f"ManySticks(left={number}, turn=0)")
    assert STICKS.history(f"Sticks(left={2**70}, turn=0)").moves
