"""The command line. It translates between words on a terminal and the library, and does nothing else.

Whatever goes wrong is one line on standard error and a status: 2 for what Plywise refuses, 130 for
Ctrl-C, 141 for a reader that went away, 1 for a mistake of Plywise itself.
"""

import os
import sys
import threading
from collections.abc import Sequence

from plywise.cli.errors import describe_error, print_error, print_warnings
from plywise.core.errors import PlywiseError

REFUSED, BROKEN, INTERRUPTED, CLOSED = 2, 1, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    print_warnings()
    _make_streams_safe()
    try:
        from plywise.cli.app import run

        status = run(words)
        sys.stdout.flush()
        if arguments is None and threading.active_count() > 1:
            # Work behind a game is left where it is: it goes on next time.
            sys.stderr.flush()
            os._exit(status)
    except PlywiseError as error:
        print_error(str(error))
        return REFUSED
    except (KeyboardInterrupt, EOFError):
        return _end_interrupted()
    except BrokenPipeError:
        _silence_output()
        return CLOSED
    except OSError as error:
        print_error(f"{error.filename or 'standard output'}: {error.strerror or error}")
        _silence_output()
        return BROKEN
    except Exception as error:
        text, theirs = describe_error(error)
        print_error(text)
        if os.environ.get("PLYWISE_TRACEBACK"):
            raise
        return REFUSED if theirs else BROKEN
    return status


def _make_streams_safe() -> None:
    """A terminal that lacks a sign shows a question mark, and a closed stream swallows: no errors."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115  (as long as the process)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
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
        # A thread inside compiled code cannot be waited for and must not outlive the interpreter.
        os._exit(INTERRUPTED)
    return INTERRUPTED


def _silence_output() -> None:
    """Nobody takes what is printed: nothing may be left to flush when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
