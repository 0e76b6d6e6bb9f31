"""Errors as one line on standard error."""

import sys
import textwrap
import traceback
import warnings
from typing import Any

from plywise.cli.console import is_terminal, width
from plywise.core.errors import PlywiseError, exception_text
from plywise.core.rule_output import game_files
from plywise.core.untrusted import visible

USER_MODULES = "plywise_user_"  # how the registry begins the module names of a user's files


def print_error(message: str) -> None:
    """Print an error as one line on standard error; on a terminal it is broken between words."""
    text = f"plywise: {visible(' '.join(message.split()))}"
    if is_terminal(sys.stderr):
        text = textwrap.fill(text, width(), break_on_hyphens=False, break_long_words=False)
    print(text, file=sys.stderr, flush=True)


def describe_error(error: BaseException) -> tuple[str, bool]:
    """An error in one sentence, and whether the user can correct it."""
    if isinstance(error, PlywiseError):
        return str(error), True
    if isinstance(error, MemoryError):
        return f"not enough memory: {error}".rstrip(": "), True
    reason = exception_text(error)
    frames = list(traceback.walk_tb(error.__traceback__))
    for frame, line in reversed(frames):
        is_users = str(frame.f_globals.get("__name__", "")).startswith(USER_MODULES)
        if is_users or frame.f_code.co_filename in game_files:
            code = frame.f_code
            return f"{code.co_filename}:{line}: {code.co_name} fails: {reason}", True
    own = sorted(game_files)
    if own:  # a rule of theirs returned something that the core cannot use
        return (
            f"{own[-1]}: a rule of this game breaks the contract ({reason}); `plywise check` says where",
            True,
        )
    frame, line = frames[-1]
    place = f"{frame.f_code.co_filename}:{line}"
    return f"a mistake in Plywise, please report it: {place}: {reason} (PLYWISE_TRACEBACK=1 shows all)", False


def shorten_warnings() -> None:
    """From now on, print Plywise's own warnings as one line, once each; others as Python does."""
    usual, printed = warnings.showwarning, set[str]()

    def show(message: Any, category: type[Warning], *rest: Any, **more: Any) -> None:
        if not category.__module__.startswith("plywise."):
            usual(message, category, *rest, **more)
        elif str(message) not in printed:
            printed.add(str(message))
            print_error(f"warning: {message}")

    warnings.showwarning = show
