"""Errors that a person can act on: each is one sentence with the place and the reason."""

import importlib
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

from plywise.core.untrusted import shorten, visible
from plywise.core.wide_bits import explain_mixing

MAX_MESSAGE = 2000  # characters of an error, whatever it quotes
MAX_NAME = 80  # characters of an unknown name that are quoted, and compared with those that are known


def near_names(name: str, names: Iterable[str], likeness: float = 0.6) -> list[str]:
    """The name that was meant, if one of these is like it."""
    import difflib  # for mistakes only: a start without them does not wait for it

    return difflib.get_close_matches(name, list(names), 1, likeness)


class PlywiseError(Exception):
    """Anything that Plywise refuses; the message is one line."""

    def __init__(self, message: str) -> None:
        # It may quote a stranger's name or line: whoever prints it sends no command to the terminal.
        words = shorten(" ".join(message.split()), MAX_MESSAGE)
        super().__init__(shorten(visible(words), MAX_MESSAGE))


class UnknownName(PlywiseError):
    """A game, evaluator, player or switch that is not there."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names, name = sorted(known), shorten(name, MAX_NAME)
        near = near_names(name, names, 0.5)
        others = ", ".join(other for other in names if other not in near)
        if near:
            hint = f"did you mean {near[0]!r}?" + (f" (also: {others})" if others else "")
        else:
            hint = f"there is: {others}" if others else "there is none"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class BadPosition(PlywiseError):
    """Text that is no position, or a position that the rules do not allow."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"bad position {shorten(text)!r}: {shorten(reason, 400)}")
        self.reason = reason


class BadMove(PlywiseError):
    """Text that is no move, or a move that is not legal; `position` says where."""

    def __init__(self, move: str, reason: str, position: str) -> None:
        move, why = shorten(move, 40), shorten(reason, 400)
        super().__init__(f"illegal move {move!r}: {why} [{shorten(position)}]")
        self.move, self.reason = move, reason


class BadGame(PlywiseError):
    """A game file, or a rule in it, that cannot be used; the message names file and line."""


class BrokenRule(BadGame):
    """A rule of a game that returned what it may not; `rule` is its name."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


class BadLimits(PlywiseError):
    """Limits of a search that make no sense together."""


# --- errors of others, in words ---------------------------------------------------------------------
def exception_text(error: BaseException) -> str:
    """Any error in short: `TypeError: 'int' object is not callable`."""
    return f"{type(error).__name__}: {explain_mixing(error) or error}".rstrip(": ")


def author_frame(error: BaseException, installed: bool = False) -> traceback.FrameSummary | None:
    """The last place that an error passed outside Plywise and Python: in the file of a game's author.

    That of an `installed` game stands among the packages.
    """
    package, imports = str(Path(__file__).parents[1]), str(Path(importlib.__file__).parent)
    others = (package, imports, "<") if installed else (package, sys.prefix, sys.base_prefix, "<")
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame for frame in reversed(frames) if not frame.filename.startswith(others)), None)
