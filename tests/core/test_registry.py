"""Games of one's own, loaded from a file."""

import os
import sys
from pathlib import Path

import pytest

import plywise

PEBBLES = """
from dataclasses import dataclass

from plywise import game


@game()
@dataclass(frozen=True)
class Pebbles:
    left: int = 7
    turn: int = 0

    def moves(self):
        return list(range(1, min(3, self.left) + 1))

    def play(self, move):
        return Pebbles(self.left - move, 1 - self.turn)
"""


def test_a_change_within_the_same_second_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's cached bytecode is trusted by the second and the size, which both stay here."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "pebbles.py"
    for most in (3, 2):
        file.write_text(PEBBLES.replace("min(3", f"min({most}"))
        os.utime(file, (1_700_000_000, 1_700_000_000))
        assert len(plywise.load(str(file)).history().moves) == most
