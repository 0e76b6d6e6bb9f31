"""A class of positions becomes a game, or is refused with the place and the reason."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plywise
from plywise.core.errors import BadGame, BadMove, BadPosition, UnknownName
from plywise.core.rules import RULES
from tests.conftest import sample


def written(tmp_path: Path, body: str) -> str:
    file = tmp_path / "mine.py"
    file.write_text("from typing import NamedTuple\nfrom plywise import game\n" + body)
    return str(file)


def test_a_compiled_game_gets_the_defaults_it_leaves_out() -> None:
    for name in RULES:
        assert callable(getattr(sample("pebbles").position, name))


def test_a_plain_game_may_leave_out_nearly_everything() -> None:
    @plywise.game()
    @dataclass(frozen=True)
    class CountDown:
        left: int = 3
        turn: int = 0

        def moves(self) -> list[str]:
            return ["one", "two"][: self.left]

        def play(self, move: str) -> "CountDown":
            return CountDown(self.left - (1 if move == "one" else 2), 1 - self.turn)

    game = CountDown.game  # type: ignore[attr-defined]
    assert game.name == "count_down"
    assert not game.compiled
    history = game.history("start moves two")
    assert history.moves == ["one"]
    assert history.play("one").outcome == plywise.Outcome(1, "first has no move")
    assert plywise.analyse(game.history(), depth=5).score < 0


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("@game()\nclass A(NamedTuple):\n    x: int = 0\n", "no field 'turn'"),
        ("@game()\nclass A(NamedTuple):\n    turn: int = 0\n", "no method 'moves'"),
        (
            "@game()\nclass A(NamedTuple):\n    turn: int = 0\n    def moves(self, b, n): return n\n"
            "    def play(self): return self\n",
            "mine.py:7: A.play takes (self) and should take (self, move)",
        ),
        (
            "@game()\nclass A(NamedTuple):\n    turn: int = 0\n    key: int = 0\n"
            "    def moves(self, b, n): return n\n    def play(self, move): return self\n",
            "the field 'key' has the name of a rule",
        ),
        ("class A: pass\n", "no game in this file"),
        ("x = 1 / 0\n", "mine.py:3: the file does not import: ZeroDivisionError"),
        ("def f(:\n", "mine.py:3: invalid syntax"),
    ],
)
def test_a_bad_file_is_refused_with_place_and_reason(tmp_path: Path, body: str, reason: str) -> None:
    with pytest.raises(BadGame) as error:
        plywise.load(written(tmp_path, body))
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


def test_several_games_in_a_file_are_told_apart(tmp_path: Path) -> None:
    body = "".join(
        f"@game()\nclass {name}(NamedTuple):\n    turn: int = 0\n"
        "    def moves(self, buffer, n): return n\n    def play(self, move): return self\n"
        for name in ("One", "Two")
    )
    file = written(tmp_path, body)
    with pytest.raises(BadGame, match=r"several games \(one, two\)"):
        plywise.load(file)
    assert plywise.load(f"{file}:two").name == "two"
    with pytest.raises(UnknownName, match=r"unknown game in mine\.py 'three'"):
        plywise.load(f"{file}:three")


def test_unknown_names_suggest_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown game 'conect_four'; did you mean 'connect_four'\?"):
        plywise.load("conect_four")
    with pytest.raises(
        UnknownName, match="unknown evaluator of pebbles 'zzz'; there is: default, mobility, outcome, parity"
    ):
        sample("pebbles").evaluation("zzz")


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadGame, match="there is no such file"):
        plywise.load(str(tmp_path / "none.py"))


def test_bad_positions_and_moves_name_text_and_reason() -> None:
    game = plywise.load("tic_tac_toe")
    with pytest.raises(BadPosition, match="bad position 'xxxx': nine of"):
        game.parse("xxxx")
    with pytest.raises(BadPosition, match="cannot be"):
        game.parse("xxx...... x")
    with pytest.raises(BadMove, match=r"illegal move 'z9': x can play a3, b3.*\[\.\.\.\.\.\.\.\.\. x\]"):
        game.history().play("z9")
    with pytest.raises(BadMove, match="the game is over"):
        game.history("xxxoo.... o").play("a1")


def test_an_illegal_move_changes_nothing() -> None:
    history = plywise.load("connect_four").history("444444")
    before = (history.text, history.moves, history.length)
    with pytest.raises(BadMove):
        history.play("4")
    with pytest.raises(BadMove):
        history.play(3)
    assert (history.text, history.moves, history.length) == before


def test_listing_games_imports_neither_numba_nor_numpy() -> None:
    import subprocess
    import sys

    code = (
        "import sys, plywise; plywise.shipped(); plywise.load('connect_four').history('4').moves;"
        "print(sorted({'numba', 'numpy', 'rich'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


class Wrong(NamedTuple):
    """Not decorated: only used to show that `game` returns the class it was given."""

    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        return n

    def play(self, move: int) -> "Wrong":
        return self


def test_the_decorator_returns_the_class() -> None:
    assert plywise.game("wrong")(Wrong) is Wrong


def test_whether_sides_alternate_is_not_asked_and_old_files_that_say_it_load() -> None:
    @plywise.game("old", alternating=False)
    class Old(NamedTuple):
        turn: int = 0

        def moves(self, buffer: Any, n: int) -> int:
            return n

        def play(self, move: int) -> "Old":
            return self

    assert not hasattr(Old.game, "alternating")  # type: ignore[attr-defined]
