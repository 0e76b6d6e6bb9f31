"""The journal of a match: every finished pair is on disk before it counts.

A line has a checksum and a JSON object. The first line describes the match. An incomplete last line (a
crash) is dropped; damaged lines are counted, and their pairs are played again.
"""

import json
import os
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from plywise.arena.schedule import PairResult
from plywise.core.broken_files import WRONG_CONTENTS, refuse_broken
from plywise.core.errors import PlywiseError
from plywise.core.untrusted import read_json

FORMAT = 1
LOCK_ATTEMPTS = 3
MAX_HEADER = 1 << 24  # bytes of a first line


class BadJournal(PlywiseError):
    """A journal that cannot be used."""


def encode_line(data: dict[str, Any]) -> bytes:
    """One line of a journal."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def decode_line(line: bytes) -> dict[str, Any] | None:
    """The data of a line; None if it is damaged."""
    checksum, _, text = line.rstrip(b"\n").partition(b" ")
    try:
        if not line.endswith(b"\n") or int(checksum, 16) != zlib.crc32(text):
            return None
        data = read_json(text.decode())
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def check_header(path: Path, data: dict[str, Any] | None) -> dict[str, Any]:
    """The data of a first line; BadJournal if it is none, or that of another version."""
    if data is None or "match" not in data:
        raise BadJournal(f"{path}: this is no journal of a match, or its first line is damaged")
    if data["match"] != FORMAT:
        raise BadJournal(f"{path}: format {data['match']}; this Plywise writes format {FORMAT}")
    return data


class Journal:
    """An open journal; only one process at a time can have it open."""

    def __init__(self, path: Path, file: BinaryIO, header: dict[str, Any], damaged: int = 0) -> None:
        self.path, self.header, self.damaged = path, header, damaged
        self._file = file

    @classmethod
    def create(cls, path: Path, header: dict[str, Any]) -> "Journal":
        """Create a journal; an existing file is never overwritten."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("xb")
        except FileExistsError:
            if not path.is_file():
                raise BadJournal(f"{path}: this is a folder, or no file with contents") from None
            raise BadJournal(f"{path}: there is a match already; --resume {path} goes on with it") from None
        except OSError as error:
            raise BadJournal(f"{path}: {error.strerror}") from None
        _lock(path, file)
        journal = cls(path, file, {"match": FORMAT, **header})
        journal._write(journal.header)
        return journal

    @staticmethod
    def is_begun(path: Path) -> bool:
        """Whether there is a journal to resume; one that was cut off in its first line is deleted."""
        try:
            with path.open("rb") as file:
                if file.readline(MAX_HEADER).endswith(b"\n"):
                    return True
            path.unlink()
        except FileNotFoundError:
            pass
        except OSError as error:
            raise BadJournal(f"{path}: {error.strerror}") from None
        return False

    @classmethod
    def resume(cls, path: Path) -> "Journal":
        """Open a journal to continue it. An incomplete last line is cut off."""
        if path.exists() and not path.is_file():
            raise BadJournal(f"{path}: this is a folder, or no file with contents")
        try:
            file = path.open("r+b")
        except OSError as error:
            raise BadJournal(f"{path}: {error.strerror}") from None
        _lock(path, file)
        with refuse_broken(f"match {path}", BadJournal):
            return cls._resume(path, file)

    @classmethod
    def _resume(cls, path: Path, file: BinaryIO) -> "Journal":
        good = damaged = 0
        header: dict[str, Any] | None = None
        for line in file:
            data = decode_line(line)
            if header is None:
                header = check_header(path, data)
            elif data is None and line.endswith(b"\n"):
                damaged += 1
            if line.endswith(b"\n"):
                good += len(line)
        if header is None:
            raise BadJournal(f"{path}: this is no journal of a match: it is empty")
        file.seek(good)
        file.truncate()
        return cls(path, file, header, damaged)

    def add(self, data: dict[str, Any]) -> None:
        """Write a pair; it is on disk when this returns."""
        self._write(data)

    def _write(self, data: dict[str, Any]) -> None:
        try:
            self._file.write(encode_line(data))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise BadJournal(f"{self.path}: {error.strerror}") from None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The pairs in the order in which they were written."""
        return read_pairs(self.path)

    def close(self) -> None:
        self._file.close()


def read_pairs(path: Path) -> Iterator[dict[str, Any]]:
    """The undamaged pairs of a journal, as their lines say them."""
    with path.open("rb") as file:
        for line in file:
            data = decode_line(line)
            if data is not None and "pair" in data:
                yield data


def checked_pairs(pairs: Iterable[dict[str, Any]], players: int) -> Iterator[PairResult]:
    """Pairs of a journal as results; those that no match of these players could have written are left out.

    These are played again, like the pairs of damaged lines.
    """
    for data in pairs:
        try:
            found = PairResult.from_dict(data)
        except WRONG_CONTENTS:
            continue
        if max(found.first, found.second) < players:
            yield found


def _lock(path: Path, file: BinaryIO) -> None:
    """Lock the file: two processes with one journal would play every pair twice."""
    try:
        import fcntl
    except ImportError:  # Windows has no lock that lets others read: see docs/other-systems.md
        return
    for _ in range(LOCK_ATTEMPTS):  # whoever asks whether it is being played holds it for a moment
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError:
            time.sleep(0.05)
    file.close()
    raise BadJournal(f"{path}: another process plays this match")
