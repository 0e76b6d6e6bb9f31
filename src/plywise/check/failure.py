"""An error that a rule raised: which rule of the author's it was, and in which position."""

import traceback
from typing import Any

from plywise.check.finding import Finding
from plywise.core.errors import PlywiseError, author_frame, exception_text
from plywise.core.game import Game
from plywise.core.presentation import HOOKS
from plywise.core.rules import RULES


def tell_failure(game: Game, error: Exception, otherwise: str = "") -> Finding:
    """The error with its line, under the name of the rule that was asked, and the position it was asked of.

    `otherwise` says what was done, for an error outside of the author's rules.
    """
    for frame, _ in traceback.walk_tb(error.__traceback__):
        rule = frame.f_code.co_name
        own = getattr(game.author, rule, None) if rule in RULES or rule in HOOKS else None
        if getattr(own, "__code__", None) is frame.f_code:
            first = frame.f_code.co_varnames[: frame.f_code.co_argcount][:1]
            position = frame.f_locals.get(first[0]) if first else None
            return Finding(rule, f"{error_text(error)} in [{_text(position)}]")
    return Finding("errors", f"{error_text(error)} {otherwise}".rstrip())


def error_text(error: Exception) -> str:
    """The error and the last line of the author's file that it passed through."""
    frame = author_frame(error)
    place = f"{frame.filename}:{frame.lineno}: " if frame is not None else ""
    return place + (str(error) if isinstance(error, PlywiseError) else exception_text(error))


def _text(position: Any) -> str:
    """The position by its own text, if it can still write one."""
    try:
        return str(position.text())
    except Exception:
        return repr(position)
