"""Records as files: saved whole, and refused if they are damaged, of another version or another game."""

import hashlib
import json
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.core.registry import load as load_game
from plywise.explain.record import ROW, Record, names_of

MAGIC = b"plywise record "
VERSION = 1
# After the first line: a header (JSON, one line), the rows (packed), and this much checksum of it all.
CHECKSUM = hashlib.sha256().digest_size
PACKING = 1  # zlib's level: records shrink to a quarter, and a million nodes still take under a second


class BadRecord(PlywiseError):
    """A file that is no record, or a record that does not belong here."""


def save(record: Record, path: str | os.PathLike[str]) -> None:
    """Write a record to a file. An older file is replaced only by a whole one."""
    history = record.history
    first = history
    while first.before is not None and first.move is not None:
        first = first.before
    header = {
        "game": record.game.name,
        "rules": fingerprint(record.game),
        "position": "start" if first.position == record.game.start() else first.text,
        "moves": history.played,
        "root": _digest(history.text.encode()),
        "evaluator": record.evaluator,
        "without": list(record.without),
        "weights": record.weights,
        "nodes": record.nodes,
        "rows": len(record),
        "result": dict(record.result),
        "names": names_of(record),
    }
    body = b"%s%d\n%s\n" % (MAGIC, VERSION, json.dumps(header).encode())
    body += zlib.compress(np.ascontiguousarray(record.rows).view(np.uint8).data, PACKING)
    target = Path(path)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(body + hashlib.sha256(body).digest())
        part.replace(target)
    except OSError as error:
        raise BadRecord(f"record {target} cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def load(path: str | os.PathLike[str], game: Game | None = None) -> Record:
    """The record in a file. A game of your own has to be given; a record names it, and loads no code."""
    source = Path(path)
    try:
        data = source.read_bytes()
    except OSError as error:
        raise BadRecord(f"record {source}: {error.strerror}") from None
    first, _, rest = data.partition(b"\n")
    if not first.startswith(MAGIC):
        raise BadRecord(f"{source} is no record of a search; `plywise explain --record FILE` writes one")
    version = first[len(MAGIC) :].decode("ascii", "replace")
    if version != str(VERSION):
        raise BadRecord(f"record {source} has version {version}; this Plywise reads version {VERSION}")
    if len(rest) <= CHECKSUM or hashlib.sha256(data[:-CHECKSUM]).digest() != data[-CHECKSUM:]:
        raise BadRecord(f"record {source} is damaged: its checksum is another one")
    words, _, packed = rest[:-CHECKSUM].partition(b"\n")
    try:
        header = json.loads(words)
        # No more than the header promises: a file of a few bytes could unpack to all the memory there is.
        rows = np.frombuffer(zlib.decompressobj().decompress(packed, header["rows"] * ROW.itemsize + 1), ROW)
        return _record(source, header, rows, game)
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        zlib.error,
    ) as error:
        raise BadRecord(f"record {source} cannot be read: {error}") from None


def _record(source: Path, header: dict[str, Any], rows: Any, game: Game | None) -> Record:
    name = header["game"]
    if game is None:
        try:
            game = load_game(name)
        except UnknownName:
            raise BadRecord(
                f"record {source} is of {name!r}, which is not shipped; say FILE.py that has it"
            ) from None
    if game.name != name:
        raise BadRecord(f"record {source} is of {name}, not of {game.name}")
    if header["rules"] != fingerprint(game):
        raise BadRecord(f"record {source} was made with other rules of {name} than those of today")
    history = game.history(header["position"])
    for move in header["moves"]:
        history = history.play(move)
    if _digest(history.text.encode()) != header["root"] or len(rows) != header["rows"]:
        raise BadRecord(f"record {source} does not fit its own header")
    return Record(
        history,
        header["evaluator"],
        rows,
        header["nodes"],
        header["result"],
        tuple(header["without"]),
        header["weights"],
        None if header["names"] is None else tuple(header["names"]),
    )


def fingerprint(game: Game) -> str:
    """A digest of the source that a game's rules stand in: its file, and its neighbours in a package."""
    source = game.source
    package = source.with_name("__init__.py").is_file()
    files = sorted(source.parent.glob("*.py")) if package else [source]
    text = b"".join(file.read_bytes() for file in files if file.is_file())
    return _digest(text.replace(b"\r\n", b"\n"))


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:32]
