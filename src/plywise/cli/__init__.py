"""The command line. It translates between the terminal and the library, and does nothing else.

An error is one line on standard error and an exit status: 2 for bad input, 130 for Ctrl-C, 141 for
a closed pipe, 1 for a bug in Plywise.
"""

import errno
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from plywise.cli.errors import describe_error, print_error, shorten_warnings
from plywise.core.errors import PlywiseError
from plywise.core.rule_output import StandardError, redirect_rules

REFUSED, BROKEN, INTERRUPTED, CLOSED = 2, 1, 130, 141
UNWRITABLE = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EFBIG),  # the disk, or the folder
    *(errno.ENOTDIR, errno.EEXIST),  # a file in place of a folder
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    shorten_warnings()
    _make_streams_safe()
    try:
        from plywise.cli.app import run

        with redirect_rules(StandardError()):
            status = run(words)
        sys.stdout.flush()
        if arguments is None and threading.active_count() > 1:
            # A thread still works in the background; it continues at the next start.
            sys.stderr.flush()
            os._exit(status)
    except PlywiseError as error:
        print_error(f"{error}{_cure(error)}")
        return REFUSED
    except (KeyboardInterrupt, EOFError):
        return _end_interrupted()
    except BrokenPipeError:
        _silence_output()
        return CLOSED
    except OSError as error:
        print_error(f"{error.filename or 'standard output'}: {error.strerror or error}{_cure(error)}")
        _silence_output()
        return BROKEN
    except Exception as error:
        text, is_users = describe_error(error)
        print_error(text)
        if os.environ.get("PLYWISE_TRACEBACK"):
            raise
        return REFUSED if is_users else BROKEN
    return status


def _cure(error: BaseException) -> str:
    """What to do about it, where the folder of the user's data is the obstacle."""
    cause = error if isinstance(error, OSError) else error.__context__
    if not isinstance(cause, OSError) or cause.errno not in UNWRITABLE or "PLYWISE_DATA" in str(error):
        return ""
    from plywise.core.endgame_index import data_folder

    path, place = Path(os.fsdecode(cause.filename or "")).absolute(), data_folder().absolute()
    if not cause.filename or not (path.is_relative_to(place) or place.is_relative_to(path)):
        return ""
    return "; name a folder that can be written to in $PLYWISE_DATA"


def _make_streams_safe() -> None:
    """Let printing never fail: unknown characters become `?`, a closed stream becomes the null device."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115  (as long as the process)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def _end_interrupted() -> int:
    try:
        sys.stdout.flush()
    except OSError:
        pass
    if threading.active_count() > 1:
        # A thread in compiled code cannot be joined, and must not run while the interpreter ends.
        os._exit(INTERRUPTED)
    return INTERRUPTED


def _silence_output() -> None:
    """The output is closed: send the rest to the null device, or flushing fails when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
