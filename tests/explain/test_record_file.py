"""Records as files: read back equal, and refused in one sentence when something is wrong."""

import hashlib
import json
import random
from pathlib import Path

import pytest

import plywise
from plywise import Game
from plywise.explain import BadRecord, Record, load, save
from plywise.explain.record_file import MAGIC, fits_rules
from tests.conftest import Scaled, open_positions, sample
from tests.explain.trees import recorded

STICKS = """
from dataclasses import dataclass
from plywise import game

@game("sticks")
@dataclass(frozen=True)
class Sticks:
    left: int = 9
    turn: int = 0

    def moves(self):
        return [("take", n) for n in range(1, min(3, self.left) + 1)]

    def play(self, move):
        return Sticks(self.left - move[1], 1 - self.turn)
"""


def same(one: Record, two: Record) -> None:
    assert (one.rows == two.rows).all()
    assert (one.nodes, one.result, one.evaluator) == (two.nodes, two.result, two.evaluator)
    assert (one.history.text, one.history.played) == (two.history.text, two.history.played)


def test_a_record_is_read_back_as_it_was(any_game: Game, tmp_path: Path) -> None:
    kept = recorded(open_positions(any_game, 1, seed=5)[0], most=400)
    file = tmp_path / "a.record"
    save(kept, file)
    again = load(file, any_game)
    same(kept, again)
    for node in random.Random(1).sample(range(len(kept)), min(20, len(kept))):
        assert again.node(node) == kept.node(node)
        assert again.past(node).text == kept.past(node).text


def test_a_shipped_game_need_not_be_named(tmp_path: Path) -> None:
    kept = recorded(plywise.load("connect_four").history("44 moves 3 3"))
    save(kept, tmp_path / "a.record")
    same(kept, load(tmp_path / "a.record"))


def test_moves_of_a_plain_game_are_known_to_other_processes(tmp_path: Path) -> None:
    """A plain game numbers its moves as they come, so the numbers are good for one process."""
    file = tmp_path / "sticks.py"
    file.write_text(STICKS)
    game = plywise.load(str(file))
    kept = recorded(game.history(), depth=5)
    save(kept, tmp_path / "a.record")
    other = plywise.load(str(file))  # the same file, as another process has it
    assert other is not game
    list(other.history().play(str(("take", 3))).moves)
    other.position.names[("take", 2)]
    again = load(tmp_path / "a.record", other)
    for node in range(len(kept)):
        assert again.line(node) == kept.line(node)
        assert again.past(node).text == kept.past(node).text
    save(again, tmp_path / "b.record")
    assert load(tmp_path / "b.record", other).line(len(kept) - 1) == kept.line(len(kept) - 1)


# --- refused ----------------------------------------------------------------------------------------
@pytest.fixture
def written(tmp_path: Path) -> Path:
    file = tmp_path / "a.record"
    save(recorded(plywise.load("connect_four").history(), depth=3), file)
    return file


def test_damage_anywhere_is_noticed(written: Path) -> None:
    whole = written.read_bytes()
    dice = random.Random(3)
    for place in [*dice.sample(range(len(whole)), 60), len(whole) - 1, 0]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << dice.randrange(8)
        written.write_bytes(damaged)
        with pytest.raises(BadRecord, match=r"damaged|no record|version"):
            load(written)
    for length in (0, 5, 20, len(whole) // 2, len(whole) - 1):
        written.write_bytes(whole[:length])
        with pytest.raises(BadRecord, match=r"damaged|no record|version"):
            load(written)
    written.write_bytes(whole)
    load(written)


def test_another_version_is_refused_by_its_number(written: Path) -> None:
    written.write_bytes(written.read_bytes().replace(MAGIC + b"1", MAGIC + b"7", 1))
    with pytest.raises(BadRecord, match=r"has version 7; this Plywise reads version 1$"):
        load(written)


def test_another_game_is_refused_by_its_name(written: Path) -> None:
    with pytest.raises(BadRecord, match=r"is of connect_four, not of duel$"):
        load(written, sample("duel"))


def test_a_game_of_ones_own_has_to_be_given(tmp_path: Path) -> None:
    save(recorded(sample("pebbles").history(), depth=2), tmp_path / "a.record")
    with pytest.raises(BadRecord, match=r"is of 'pebbles', which is not shipped; say FILE\.py that has it"):
        load(tmp_path / "a.record")


CHANGED_RULES = {
    "more moves": ("min(3", "min(4"),
    "fewer moves": ("min(3", "min(2"),
    "other moves": ('("take", n)', '("pick", n)'),
    "another start": ("left: int = 9", "left: int = 8"),
    "another winner": ("    def play", "    def stuck(self):\n        return 1\n\n    def play"),
    "an earlier end": (
        "    def play",
        "    def outcome(self):\n        return -1 if self.left == 4 else None\n\n    def play",
    ),
    "a failure": ("return Sticks(self.left - move[1]", "return Sticks(self.left - move[2]"),
}


@pytest.mark.parametrize("change", CHANGED_RULES)
def test_other_rules_are_refused(tmp_path: Path, change: str) -> None:
    file = tmp_path / "sticks.py"
    file.write_text(STICKS)
    save(recorded(plywise.load(str(file)).history(), depth=9), tmp_path / "a.record")
    old, new = CHANGED_RULES[change]
    assert old in STICKS
    file.write_text(STICKS.replace(old, new))
    with pytest.raises(BadRecord, match=r"made with other rules of sticks than those of today$"):
        load(tmp_path / "a.record", plywise.load(str(file)))


def test_other_comments_are_no_other_rules(tmp_path: Path) -> None:
    file = tmp_path / "sticks.py"
    file.write_text(STICKS)
    kept = recorded(plywise.load(str(file)).history().play("('take', 2)"), depth=9)
    save(kept, tmp_path / "a.record")
    file.write_text(STICKS.replace("    left", '    """Take one to three sticks."""\n\n    left'))
    same(kept, load(tmp_path / "a.record", plywise.load(str(file))))


def test_a_record_fits_the_rules_that_it_was_made_with(any_game: Game, scaled: Scaled) -> None:
    for seed in scaled((2,), (1, 2)):
        history = open_positions(any_game, 1, seed=seed)[0]
        for limit in (300, 100_000):
            assert fits_rules(recorded(history, most=limit))
    moves = history.moves[:1]
    assert fits_rules(recorded(history, moves=moves))


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="No such file"):
        load(tmp_path / "nothing")
    (tmp_path / "text").write_text("1. e4 e5\n")
    with pytest.raises(BadRecord, match="is no record of a search"):
        load(tmp_path / "text")
    with pytest.raises(BadRecord, match="cannot be written"):
        save(recorded(sample("pebbles").history(), depth=1), tmp_path / "no" / "folder")


@pytest.mark.parametrize("tail", ["", ":Sticks"])
def test_a_record_that_names_a_file_runs_none_of_it(tmp_path: Path, tail: str) -> None:
    """Whoever sends a record could send a file beside it."""
    code, file, mark = tmp_path / "sticks.py", tmp_path / "a.record", tmp_path / "run"
    code.write_text(f"from pathlib import Path\nPath({str(mark)!r}).touch()\n{STICKS}")
    save(recorded(plywise.load("tic_tac_toe").history()), file)
    first, header, rest = file.read_bytes()[:-32].split(b"\n", 2)
    changed = json.dumps({**json.loads(header), "game": f"{code}{tail}"}).encode()
    body = b"\n".join((first, changed, rest))
    file.write_bytes(body + hashlib.sha256(body).digest())
    with pytest.raises(BadRecord, match="which is not shipped"):
        load(file)
    assert not mark.exists()
