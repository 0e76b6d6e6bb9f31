"""The folder of compiled code: where it is, how big, and keeping it tidy.

A file is written beside its place and renamed into it, so it is there whole or not at all.
"""

import os
import tempfile
import threading
import time
from pathlib import Path

from plywise.core.file_lock import SUFFIX as LOCK
from plywise.core.user_folders import user_folder

SUFFIX = ".native"
PART = ".part"
KEEP_DAYS = 60
TRIAL_BYTES = 1 << 20  # of a trial whether the disk has room: more than the code of any game
KEEP_BYTES = 256 << 20
_compiling: set[Path] = set()


def cache_folder() -> Path:
    """Where compiled code is kept: $PLYWISE_CACHE, else the system's place for caches."""
    return user_folder("PLYWISE_CACHE", _system_folder, "compiled code")


def _system_folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("plywise", appauthor=False)


class CacheUnusable(UserWarning):
    """Compiled code cannot be kept: it is made anew by each process."""


def find_problem(place: Path | None = None) -> str | None:
    """Why nothing can be written to the folder; None if something can."""
    place = cache_folder() if place is None else place
    trial = place / f".{os.getpid()}-{threading.get_ident()}{PART}"
    try:
        write_whole(trial, bytes(TRIAL_BYTES))
    except OSError as error:
        return f"{place}: {error.strerror or error}"
    finally:
        remove(trial)
    return None


def unusable_text(problem: str) -> str:
    """The sentence for people who have no use of their cache."""
    return (
        f"compiled code cannot be kept in {problem}; games are compiled anew by each process until"
        " $PLYWISE_CACHE names a folder that can be written to"
    )


def is_compiling() -> bool:
    """Whether this process compiles what the folder does not hold: that takes its time."""
    return bool(_compiling)


def mark_compiling(path: Path) -> None:
    """The file is not there, and is being made."""
    _compiling.add(path)


def unmark_compiling(path: Path) -> None:
    """The file is no longer being made, whether it is there or not."""
    _compiling.discard(path)


def files(place: Path | None = None) -> list[Path]:
    """All files of the cache, with what killed processes left behind."""
    place = cache_folder() if place is None else place
    return sorted(path for end in (f"*{SUFFIX}", f".*{PART}", f".*{LOCK}") for path in place.glob(end))


def size(place: Path | None = None) -> int:
    """How many bytes the cache takes."""
    return sum(_stat(path)[1] for path in files(place))


def clear(place: Path | None = None) -> int:
    """Delete the compiled code; how many files that were."""
    return sum(remove(path) for path in files(place))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".", suffix=PART, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except BaseException:
        remove(Path(name))
        raise


def prune(place: Path, now: float | None = None) -> None:
    """Delete leftovers, what was not used for long, and the least recently used above the limit."""
    now = time.time() if now is None else now
    total = 0
    for used, bytes_, path in sorted(((*_stat(path), path) for path in files(place)), reverse=True):
        total += bytes_
        left_over = path.suffix in (PART, LOCK) and now - used > 3600
        if left_over or total > KEEP_BYTES or now - used > KEEP_DAYS * 86400:
            remove(path)


def remove(path: Path) -> bool:
    """Delete a file that may be gone already; whether it was there."""
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _stat(path: Path) -> tuple[float, int]:
    try:
        info = path.stat()
    except OSError:
        return 0.0, 0
    return info.st_mtime, info.st_size
