"""What the rules of a game print goes elsewhere: standard output belongs to answers, JSON and protocols."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

MAX_LINES = 50  # that rules may print to standard error; they are asked thousands of times a second

game_files: set[str] = set()  # in which a game was defined that did not come with Plywise


class RuleOutput:
    """A stream that passes on what Plywise writes, and gives to `rules` what rules write, with the place."""

    def __init__(self, usual: Any, rules: Callable[[str, str], None]) -> None:
        self.usual, self.rules = usual, rules

    def write(self, text: str) -> int:
        place = _place_in_rules(sys._getframe(1))
        if place is None:
            self.usual.write(text)
        else:
            self.rules(text, place)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.usual, name)


def _place_in_rules(frame: Any) -> str | None:
    """Where the rules of a game are being asked, compiled or not; None if it is Plywise that writes."""
    while frame is not None:
        name, code = str(frame.f_globals.get("__name__", "")), frame.f_code
        if code.co_filename in game_files:
            return f"{code.co_filename}:{frame.f_lineno}: {code.co_name}()"
        if name.startswith("plywise.native"):
            return "compiled rules"
        if name.startswith("plywise."):
            return None
        frame = frame.f_back
    return None


@contextmanager
def redirect_rules(rules: Callable[[str, str], None]) -> Iterator[None]:
    """While it lasts, what rules print is given to `rules`, text by text with its place."""
    usual = sys.stdout
    sys.stdout = RuleOutput(usual, rules)
    try:
        yield
    finally:
        sys.stdout = usual


class StandardError:
    """Shows the first lines that rules print on standard error, and says when it shows no more."""

    def __init__(self) -> None:
        self.lines = 0

    def __call__(self, text: str, place: str) -> None:
        if self.lines < MAX_LINES:
            sys.stderr.write(text)
            self.lines += text.count("\n")
            if self.lines >= MAX_LINES:
                sys.stderr.write(f"plywise: {place} prints more, which is not shown\n")
