"""What went wrong, as one line on standard error."""

import sys
import traceback
import warnings
from typing import Any

from plywise.core.errors import PlywiseError

USERS = "plywise_user_"  # the registry gives a user's files module names that begin so


def complain(message: str) -> None:
    """Say one line on standard error."""
    print("plywise:", " ".join(message.split()), file=sys.stderr, flush=True)


def sentence(error: BaseException) -> tuple[str, bool]:
    """An error in one sentence, and whether the user's own game is to blame."""
    if isinstance(error, PlywiseError):
        return str(error), True
    reason = f"{type(error).__name__}: {error}".rstrip(": ")
    frames = list(traceback.walk_tb(error.__traceback__))
    for frame, line in reversed(frames):
        if str(frame.f_globals.get("__name__", "")).startswith(USERS):
            code = frame.f_code
            return f"{code.co_filename}:{line}: {code.co_name} fails: {reason}", True
    frame, line = frames[-1]
    place = f"{frame.f_code.co_filename}:{line}"
    return f"a mistake in Plywise, please report it: {place}: {reason} (PLYWISE_TRACEBACK=1 shows all)", False


def show_warnings() -> None:
    """A game that is played uncompiled is worth one line; other warnings stay as Python shows them."""
    usual, said = warnings.showwarning, set[str]()

    def show(message: Any, category: type[Warning], *rest: Any, **more: Any) -> None:
        if category.__name__ != "NotCompiled":
            usual(message, category, *rest, **more)
        elif str(message) not in said:
            said.add(str(message))
            complain(f"warning: {message}")

    warnings.showwarning = show
