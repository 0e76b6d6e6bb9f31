"""The folder of a solver: its table, which outlives the process, and a line about the work done.

The table is a file in memory, one word a position. A word is whole at any moment, so a process that is killed
loses nothing that it had stored.
"""

import json
import os
from pathlib import Path
from typing import Any

from plywise.core.broken_files import WRONG_CONTENTS
from plywise.core.errors import PlywiseError
from plywise.core.file_lock import FileLock
from plywise.core.history import History
from plywise.core.untrusted import read_json, shorten
from plywise.search.solve import WORD

ABOUT, TABLE = "solve.json", "table"
VERSION = 2


class BadFolder(PlywiseError):
    """A folder that holds something else than the work to be resumed."""


class SolveFolder:
    """The work on one position of one game, kept on disk."""

    def __init__(self, path: Path, history: History) -> None:
        from plywise.native import rules_digest

        self.path = path
        self._header = {
            "version": VERSION,
            "game": history.game.name,
            "position": history.text,
            "rules": rules_digest(history.game.position),
        }
        self._spent = (0, 0.0)
        self._lock = FileLock(path / TABLE)
        try:
            path.mkdir(parents=True, exist_ok=True)
            if (path / ABOUT).exists():
                self._read()
            elif any(child.name != self._lock.path.name for child in path.iterdir()):
                raise BadFolder(f"{path} is no folder of `solve`: it has other files and no {ABOUT}")
        except FileExistsError:
            raise BadFolder(f"{path} is a file; give a folder") from None
        except OSError as error:
            raise BadFolder(f"{path}: {error.strerror}") from None
        if not self._lock.acquire(timeout=0.0) and self._lock.path.exists():
            raise BadFolder(f"{path} is in use by another process")
        self.keep(*self._spent)

    def _read(self) -> None:
        try:
            found = read_json((self.path / ABOUT).read_text(encoding="utf-8"))
            self._spent = int(found["nodes"]), float(found["seconds"])
            game, position = found["game"], found["position"]
        except WRONG_CONTENTS:
            raise BadFolder(f"{self.path / ABOUT} is damaged; give another folder") from None
        if found.get("version") != VERSION:
            raise BadFolder(f"{self.path} was made by another version of Plywise; give another folder")
        if (game, position) != (self._header["game"], self._header["position"]):
            about = shorten(f"{game} from {position!r}")
            raise BadFolder(f"{self.path} is about {about}; give another folder for this one")
        if found.get("rules") != self._header["rules"]:
            raise BadFolder(
                f"the rules of {game}, or Python, have changed since {self.path} was made;"
                " give another folder"
            )

    def close(self) -> None:
        """Let another process have the folder."""
        self._lock.release()

    def spent(self) -> tuple[int, float]:
        """The nodes and seconds of all runs before."""
        return self._spent

    def keep(self, nodes: int, seconds: float) -> None:
        """Write down the work so far."""
        about = self.path / ABOUT
        new = about.with_suffix(".new")
        text = json.dumps({**self._header, "nodes": nodes, "seconds": round(seconds, 3)})
        try:
            new.write_text(text, encoding="utf-8")
            os.replace(new, about)
        except OSError as error:
            raise BadFolder(f"{about}: {error.strerror}") from None

    def table(self, words: int) -> Any:
        """The table of this many words, or as it was made before."""
        import numpy as np

        file = self.path / TABLE
        dtype = np.dtype(list(WORD.fields))
        if not file.exists():
            try:
                with file.open("wb") as made:
                    if hasattr(os, "posix_fallocate"):  # a full disk is an error now, not a crash later
                        os.posix_fallocate(made.fileno(), 0, words * dtype.itemsize)
                    else:
                        made.truncate(words * dtype.itemsize)
            except OSError as error:
                file.unlink(missing_ok=True)
                raise BadFolder(f"{file}: {error.strerror}") from None
        size = file.stat().st_size // dtype.itemsize
        if size == 0 or size & (size - 1):
            raise BadFolder(f"{file} is damaged; give another folder")
        return np.memmap(file, dtype, "r+", shape=(size,))
