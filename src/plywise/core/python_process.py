"""Processes of our own that run Python: with this very Plywise, and nothing of the current folder.

Python puts the current folder before its own modules. A file there may have the name of one of them
(`random.py`, `queue.py`), and nobody has said that it is to be run.
"""

import os
import sys
from pathlib import Path
from typing import Any

PACKAGES = Path(__file__).parents[2]  # the folder in which Python finds `plywise`


def python_command(*arguments: str) -> list[str]:
    """The command that runs Python with these arguments."""
    return [sys.executable, "-P", *arguments]


def python_environment() -> dict[str, str]:
    """The environment in which that Python finds this Plywise."""
    paths = [str(PACKAGES), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def print_warning(message: Any, *rest: Any, **more: Any) -> None:
    """Print a warning in such a process as one line, as the command line does; for `warnings.showwarning`."""
    print("plywise: warning:", " ".join(str(message).split()), file=sys.stderr, flush=True)
