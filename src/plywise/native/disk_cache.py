"""Compiled code from the disk: one file for each specialisation, named by its digest, with a checksum.

Whatever goes wrong with the disk, the code is compiled in memory instead. Two processes that need the
same code do not compile it both: the second waits and loads it. $PLYWISE_COMPILE_LOG names a file that
gets a line for each compilation.
"""

import hashlib
import os
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import caching, compiler, serialize
from numba.core.runtime import rtsys

from plywise.core.cache_folder import (
    SUFFIX,
    CacheUnusable,
    cache_folder,
    mark_compiling,
    prune,
    remove,
    unmark_compiling,
    unusable_text,
    write_whole,
)
from plywise.core.file_lock import FileLock
from plywise.native.prebuilt import warn_unused

MAGIC = b"plywise1"
HEAD = len(MAGIC) + 32


class DiskCache(caching._Cache):  # type: ignore[misc]
    """The cache of one dispatcher: a single file, named by the digest of all that it was compiled from."""

    def __init__(self, tag: str, find_prebuilt: Callable[[], Path | None] = lambda: None) -> None:
        self.path = cache_folder() / f"{tag}{SUFFIX}"
        self.find_prebuilt = find_prebuilt
        self.prebuilt: Path | None = None  # the file of the package that the code came from
        self.lock = FileLock(self.path)
        self.loaded = False  # the code came from the disk

    @property
    def cache_path(self) -> str:
        return str(self.path.parent)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        result = self._load(target_context) or self._load_prebuilt(target_context)
        if result is None:
            mark_compiling(self.path)
            if self.lock.acquire():  # held until `close`, after the code was made and saved
                result = self._load(target_context)  # another process may have made it meanwhile
        return result

    def close(self) -> None:
        """The code is there, loaded or compiled, or cannot be made."""
        self.lock.release()
        unmark_compiling(self.path)

    def has_file(self) -> bool:
        """Whether the code is there, in the cache or in the package."""
        return self.path.exists() or self.find_prebuilt() is not None

    def _load(self, target_context: Any) -> Any:
        try:
            content = self.path.read_bytes()
        except OSError:
            return None
        result = self._rebuild(content, target_context)
        if result is None:
            remove(self.path)
            return None
        try:
            os.utime(self.path)  # what is used is kept
        except OSError:
            pass
        return result

    def _load_prebuilt(self, target_context: Any) -> Any:
        """The code that came with the package; it is never changed."""
        path = self.find_prebuilt()
        if path is None:
            return None
        try:
            result = self._rebuild(path.read_bytes(), target_context)
        except OSError:
            result = None
        if result is None:
            warn_unused("a file of it is damaged")
        else:
            self.prebuilt = path
        return result

    def _rebuild(self, content: bytes, target_context: Any) -> Any:
        """The code in a file, or None if the file is damaged."""
        head, body = content[:HEAD], content[HEAD:]
        if head != MAGIC + hashlib.sha256(body).digest():
            return None
        # Loaded code calls the runtime, so that comes first. A refresh of the whole context would do it
        # too, but import all that only a compilation needs.
        rtsys.initialize(target_context)
        try:
            result = compiler.CompileResult._rebuild(target_context, *pickle.loads(body))
        except Exception:  # whatever is missing here, the code can be compiled again
            return None
        self.loaded = True
        return result

    def save_overload(self, sig: Any, cres: Any) -> None:
        _log(f"{self.path} {cres.fndesc.qualname}")
        body = serialize.dumps(cres._reduce())
        try:
            write_whole(self.path, MAGIC + hashlib.sha256(body).digest() + body)
            prune(self.path.parent)
        except OSError as error:
            problem = f"{self.path.parent}: {error.strerror or error}"
            warnings.warn(unusable_text(problem), CacheUnusable, stacklevel=2)

    def enable(self) -> None:
        """Numba's switch; this cache is always on."""

    def disable(self) -> None:
        """Numba's switch; this cache is always on."""

    def flush(self) -> None:
        """Nothing is buffered."""


def _log(line: str) -> None:
    """Write a line to the log of compilations, if there is one."""
    log = os.environ.get("PLYWISE_COMPILE_LOG")
    if log:
        try:
            with open(log, "a", encoding="utf-8") as file:  # one write, so that lines do not mix
                file.write(line + "\n")
        except OSError:
            pass  # a full disk costs the log, not the code
