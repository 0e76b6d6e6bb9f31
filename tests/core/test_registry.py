"""Games are found in files and in folders."""

import os
import sys
from pathlib import Path

import pytest

import plywise
from plywise.core.errors import BadGame
from plywise.core.registry import find_in_folder
from tests.conftest import EXAMPLE_NAMES, EXAMPLES

TWO = """
from dataclasses import dataclass
from plywise import game

@dataclass(frozen=True)
class One:
    turn: int = 0
    def moves(self): return []
    def play(self, move): return self

game("first")(One)

@game("second")
class Two(One):
    pass
"""


def test_all_examples_are_found_in_their_folder() -> None:
    sources, broken = find_in_folder(EXAMPLES)
    assert sorted(plywise.load(source).name for source in sources) == list(EXAMPLE_NAMES)
    assert broken == []


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.py")), ids=lambda file: file.stem)
def test_an_example_is_a_page_or_two(file: Path) -> None:
    assert 40 <= len(file.read_text(encoding="utf-8").splitlines()) <= 150


def test_broken_files_are_named_and_the_others_found(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("from plywise import game\n@game()\nclass\n")
    (tmp_path / "exits.py").write_text("import sys\n\nif True:\n    sys.exit()\n@game()\nclass X: ...\n")
    (tmp_path / "two.py").write_text(TWO)
    (tmp_path / "words.py").write_text("WORDS = 1\n")
    sources, broken = find_in_folder(tmp_path)
    assert [plywise.load(source).name for source in sources] == ["first", "second"]
    assert len(broken) == 2 and f"{tmp_path / 'broken.py'}:3: " in broken[0]
    assert f"{tmp_path / 'exits.py'}:4: the file does not import: SystemExit; a file of rules" in broken[1]


def test_a_folder_is_no_game(tmp_path: Path) -> None:
    (tmp_path / "mine.py").mkdir()
    with pytest.raises(BadGame, match=r"mine.py is a folder; name a file in it"):
        plywise.load(str(tmp_path / "mine.py"))


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


def test_a_game_without_a_description_has_none_by_python(tmp_path: Path) -> None:
    """A dataclass and a NamedTuple have a text of their own that lists the fields."""
    (tmp_path / "pebbles.py").write_text(PEBBLES)
    game = plywise.load(str(tmp_path / "pebbles.py"))
    assert game.description == "" and game.rules() == "Pebbles: no rules written."
    (tmp_path / "pebbles.py").write_text(PEBBLES.replace("left:", '"""Take one to three."""\n    left:'))
    assert plywise.load(str(tmp_path / "pebbles.py")).description == "Take one to three."


def test_a_change_within_the_same_second_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's cached bytecode is trusted by the second and the size, which both stay here."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "pebbles.py"
    for most in (3, 2):
        file.write_text(PEBBLES.replace("min(3", f"min({most}"))
        os.utime(file, (1_700_000_000, 1_700_000_000))
        assert len(plywise.load(str(file)).history().moves) == most
