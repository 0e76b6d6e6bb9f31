"""`check` finds boards from which nothing can be learned."""

from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise.check.boards import board_faults

GAME = """
from typing import Any, NamedTuple
from plywise import game

@game("walkers", perspective="{perspective}")
class Walkers(NamedTuple):
    own: int = 3
    other: int = 3 << 56
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        if self.own < 100:
            buffer[n] = 1
            n += 1
        return n

    def play(self, move: int) -> "Walkers":
        return Walkers(self.other, self.own << move, 1 - self.turn)

    def boards(self):
        return {boards}
"""


def faults(folder: Path, boards: str, perspective: str = "flipped") -> list[str]:
    file = folder / "walkers.py"
    file.write_text(GAME.format(boards=boards, perspective=perspective))
    game = plywise.load(str(file))
    position: Any = game.start()
    return list(board_faults(game, position.play(1)))


@pytest.mark.parametrize(
    ("boards", "words"),
    [
        ("[self.own, self.other]", "not a tuple"),
        ("(self.own, True)", "not a tuple"),
        ("(self.own,) * (2 + self.turn)", "3 boards, and 2 at the start"),
        ("(self.own, 1 << 63)", "64-bit word"),
        ("(self.own, self.other, 1)", "same number for each side"),
        ("(self.own, 1)", "no mirror image"),
        ("(self.own, self.own)", "perspective='flipped'"),
    ],
)
def test_bad_boards_are_found(tmp_path: Path, boards: str, words: str) -> None:
    (found,) = faults(tmp_path, boards)
    assert words in found


def test_good_boards_are_not_complained_of(tmp_path: Path) -> None:
    assert faults(tmp_path, "(self.own, self.other) if self.turn == 0 else (self.other, self.own)") == []
    assert faults(tmp_path, "(self.own, 1)", "same") == []  # each side has columns of its own


def test_a_perspective_that_is_not_that_of_the_start_is_found(tmp_path: Path) -> None:
    assert faults(tmp_path, "(0b1011, 0b1011 << 56)", "flipped") == []
    assert faults(tmp_path, "(0b1011, 0b1101 << 56)", "rotated") == []
    (found,) = faults(tmp_path, "(0b1011, 0b1011 << 56)", "rotated")
    assert "perspective='rotated'" in found


def test_an_unknown_perspective_is_refused(tmp_path: Path) -> None:
    with pytest.raises(plywise.PlywiseError, match="perspective"):
        faults(tmp_path, "(self.own, self.other)", "sideways")
