"""A lock between processes: a file that the operating system locks.

The system frees the lock of a process that ends, however it ends, so a lock file that was left behind
locks nothing.
"""

import os
import sys
import time
from pathlib import Path

SUFFIX = ".lock"
POLL = 0.05  # seconds between two attempts
TIMEOUT = 600.0  # a process that holds a lock for longer is stopped or hangs: go on without it


class FileLock:
    """Only one process at a time holds the lock of a path. Where the disk gives no locks, all go on."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(f".{path.name}{SUFFIX}")
        self._file: int | None = None

    @property
    def held(self) -> bool:
        return self._file is not None

    def acquire(self, timeout: float = TIMEOUT) -> bool:
        """Wait for the lock; False if there is none to have: the caller goes on without it."""
        until = time.monotonic() + timeout
        while not self.held:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError:
                return False
            try:
                locked = _lock(file) and self._is_ours(file)
            except BaseException as error:
                os.close(file)
                if isinstance(error, OSError):
                    return False  # a file system without locks
                raise
            if locked:
                self._file = file
                return True
            os.close(file)
            if time.monotonic() >= until:
                return False
            time.sleep(POLL)
        return True

    def release(self) -> None:
        """Let the next one have it."""
        if self._file is None:
            return
        try:
            os.unlink(self.path)  # while it is locked: whoever waits for this file sees that it is gone
        except OSError:
            pass  # Windows keeps open files; `prune` of core/cache_folder.py deletes them later
        os.close(self._file)
        self._file = None

    def _is_ours(self, file: int) -> bool:
        """Whether the locked file is still the one at the path: its last owner has deleted it."""
        try:
            return os.path.samestat(os.fstat(file), os.stat(self.path))
        except OSError:
            return False


def is_locked(path: Path) -> bool:
    """Whether a process holds the lock of this very file; False where that cannot be found out."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        with path.open("rb") as file:
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def _lock(file: int) -> bool:
    """Lock an open file; False if another process has it. OSError where there are no locks."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
    else:
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
