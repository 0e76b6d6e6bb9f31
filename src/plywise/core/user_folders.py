"""The folders of this user: where a program keeps its caches and its data.

Where there is no home folder, as for some services, a folder among the temporary files takes its place. It
is this user's alone and said once; processes that are started from here use it too.
"""

import os
import tempfile
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

_lock = threading.Lock()
_without_home: set[Path] = set()


class NoHomeFolder(UserWarning):
    """This user has no home folder: what should be kept may be lost."""


def user_folder(variable: str, find: Callable[[], Path], what: str) -> Path:
    """The folder that a variable of the environment names, else the system's place for it."""
    with _lock:
        chosen = os.environ.get(variable)
        if chosen:
            return Path(chosen)
        try:
            place = find()
        except RuntimeError:  # platformdirs: there is no home folder
            place = Path("~")
        if place.is_absolute():
            return place
        place = Path(tempfile.mkdtemp(prefix="plywise-"))
        os.environ[variable] = str(place)
        _without_home.add(place)
    message = f"there is no home folder: {what} is kept in {place} for now; ${variable} names a lasting place"
    warnings.warn(message, NoHomeFolder, stacklevel=3)
    return place


def is_without_home(place: Path) -> bool:
    """Whether a folder stands in for one in the home folder."""
    return place in _without_home
