"""All hooks of a game are in `Presentation`, and all of them are asked."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import plywise
from plywise.core.presentation import HOOKS, OLD_NAMES, Presentation, find_hook
from plywise.core.rules import RULES

SOURCE = Path(plywise.__file__).parent


def calls(*names: str) -> Iterator[tuple[str, str, str]]:
    """Where the package calls such a function, of what, and the constant that is its second argument."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                name = node.args[1] if len(node.args) > 1 else None
                if isinstance(name, ast.Constant):
                    yield path.relative_to(SOURCE).as_posix(), ast.unparse(node.args[0]), str(name.value)


def test_each_hook_is_asked_and_no_other_is() -> None:
    assert {name for _, _, name in calls("find_hook")} == set(HOOKS)


def test_hooks_are_asked_in_one_way() -> None:
    asked = [call for call in calls("hasattr", "getattr") if call[2] in HOOKS]
    assert [call for call in asked if call[1] != "error"] == []  # an error has a reason too


def test_a_hook_that_is_not_in_the_contract_cannot_be_asked() -> None:
    with pytest.raises(LookupError, match="'colour' is no hook"):
        find_hook(object(), "colour")


def test_no_name_is_both_a_rule_and_a_hook() -> None:
    assert set(HOOKS).isdisjoint(RULES)


@pytest.mark.parametrize("hook", HOOKS)
def test_each_hook_promises_something_and_says_its_default(hook: str) -> None:
    text = inspect.getdoc(getattr(Presentation, hook)) or ""
    assert text.split("\n")[0].endswith(".")
    assert "Default: " in text


@pytest.mark.parametrize("name", plywise.shipped())
def test_the_shipped_games_take_what_the_contract_gives(name: str) -> None:
    author = plywise.load(name).author
    for hook in HOOKS:
        method = find_hook(author, hook)
        if method is not None:
            wanted = list(inspect.signature(getattr(Presentation, hook)).parameters)
            assert list(inspect.signature(method).parameters) == wanted, hook


def test_a_field_with_the_name_of_a_hook_is_no_hook() -> None:
    @plywise.game()
    @dataclass(frozen=True)
    class Cards:
        board: str = "ace king"
        turn: int = 0

        def moves(self) -> list[str]:
            return self.board.split()

        def play(self, move: str) -> "Cards":
            return Cards(self.board.replace(move, "").strip(), 1 - self.turn)

    game = Cards.game  # type: ignore[attr-defined]
    assert game.board(game.start()) == repr(Cards())


def test_hooks_have_the_names_of_0_1_0_too() -> None:
    @plywise.game()
    @dataclass(frozen=True)
    class Sticks:
        left: int = 2
        turn: int = 0

        def moves(self) -> list[int]:
            return [1, 2][: self.left]

        def play(self, move: int) -> "Sticks":
            return Sticks(self.left - move, 1 - self.turn)

        def said(self, move: int) -> str:
            return f"take {move}"

        def styled(self, move: int, style: str) -> str:
            return f"{style} {move}"

    assert set(OLD_NAMES) <= set(HOOKS)
    game = Sticks.game  # type: ignore[attr-defined]
    move = game.read_move(game.start(), "2")
    assert game.label(game.start(), move) == "take 2"
    assert game.move_text_in_style(game.start(), move, "short") == "short 2"
