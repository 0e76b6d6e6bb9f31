"""Records as files: saved whole, and refused if they are damaged, of another version or other rules.

A digest of the game's source says at once that the rules are those of the record. Where it differs, which
may be by a comment, a sample of the record's nodes is compared with today's rules.
"""

import hashlib
import json
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.broken_files import refuse_broken
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.core.outcome import OPEN
from plywise.core.registry import load_named
from plywise.core.rules import Position
from plywise.core.untrusted import read_json, shorten
from plywise.explain.record import BOUNDS, CAUSES, HOW, ROW, Record, names_of
from plywise.search.recorder import NULL_SEARCH, SAME_POSITION, SINGULAR_SEARCH

MAGIC = b"plywise record "
VERSION = 1
# After the first line: a header (JSON, one line), the rows (packed), and this much checksum of it all.
CHECKSUM = hashlib.sha256().digest_size
SAMPLE = 500  # nodes that are compared with rules whose source is another one: a second or two
GAME_OVER, ALL_MOVES = CAUSES.index("over"), CAUSES.index("all moves")
SEARCHED = [CAUSES.index(cause) for cause in ("leaf", "cut", "all moves", "null move", "standing", "probcut")]
MAX_ROWS = 1 << 26  # nodes of the largest record that is read
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
    """The record in a file. Give a game of your own: the record only names it, and loads no code."""
    source = Path(path)
    with refuse_broken(f"record {source}", BadRecord):
        return _read(source, source.read_bytes(), game)


def _read(source: Path, data: bytes, game: Game | None) -> Record:
    first, _, rest = data.partition(b"\n")
    if not first.startswith(MAGIC):
        raise BadRecord(f"{source} is no record of a search; `plywise explain --record FILE` writes one")
    version = first[len(MAGIC) :].decode("ascii", "replace")
    if version != str(VERSION):
        version = shorten(version, 40)
        raise BadRecord(f"record {source} has version {version}; this Plywise reads version {VERSION}")
    if len(rest) <= CHECKSUM or hashlib.sha256(data[:-CHECKSUM]).digest() != data[-CHECKSUM:]:
        raise BadRecord(f"record {source} is damaged: its checksum is another one")
    words, _, packed = rest[:-CHECKSUM].partition(b"\n")
    header = read_json(words.decode())
    count = header["rows"]
    if not isinstance(count, int) or not 0 < count <= MAX_ROWS:
        raise BadRecord(f"record {source} is damaged: it has no number of nodes up to {MAX_ROWS}")
    # No more than the header promises: a file of a few bytes could unpack to all the memory there is.
    rows = np.frombuffer(zlib.decompressobj().decompress(packed, count * ROW.itemsize + 1), ROW)
    return _record(source, header, rows, game)


def _record(source: Path, header: dict[str, Any], rows: Any, game: Game | None) -> Record:
    name = header["game"]
    if game is None:
        try:
            game = load_named(str(name))  # no file: whoever sent the record would choose the code
        except UnknownName:
            raise BadRecord(
                f"record {source} is of {name!r}, which is not shipped; say FILE.py that has it"
            ) from None
    if game.name != name:
        raise BadRecord(f"record {source} is of {name}, not of {game.name}")
    same_source = header["rules"] == fingerprint(game)
    other_rules = BadRecord(f"record {source} was made with other rules of {name} than those of today")
    try:
        history = game.history(header["position"])
        for move in header["moves"]:
            history = history.play(move)
    except Exception:  # of other rules, of whatever kind
        if same_source:
            raise
        raise other_rules from None
    if _digest(history.text.encode()) != header["root"] or len(rows) != header["rows"]:
        raise BadRecord(f"record {source} does not fit its own header") if same_source else other_rules
    record = Record(
        history,
        header["evaluator"],
        rows,
        header["nodes"],
        header["result"],
        tuple(header["without"]),
        header["weights"],
        None if header["names"] is None else tuple(header["names"]),
    )
    if not same_source and not fits_rules(record):
        raise other_rules
    if not _is_tree(rows):
        raise BadRecord(f"record {source} is damaged: its nodes are no tree")
    return record


def _is_tree(rows: Any) -> bool:
    """Whether each node's parent comes before it and at most a ply above, and its marks are known ones."""
    parent = rows["parent"].astype(np.int64)
    if (parent < -1).any() or (parent >= np.arange(len(rows))).any():
        return False
    below = np.flatnonzero(parent >= 0)
    steps = rows["ply"][below].astype(np.int64) - rows["ply"][parent[below]]
    return (
        bool(((steps == 0) | (steps == 1)).all())
        and bool((rows["ply"][parent < 0] == 0).all())
        and all(
            bool((rows[name] < len(names)).all())
            for name, names in (("cause", CAUSES), ("why", HOW), ("bound", BOUNDS))
        )
    )


# --- today's rules --------------------------------------------------------------------------------
def fits_rules(record: Record) -> bool:
    """Whether a record may be one of today's rules, by a sample of its nodes.

    Every move that leads to them is legal, the game is over where the record says so and nowhere else, and
    where all moves were searched, they are all the moves there are.
    """
    rows, positions = record.rows, dict[int, Position]()
    if not (rows["parent"] < np.arange(len(rows))).all():
        return False
    # Nothing is pruned where the window is open. The root is left out: its moves may have been chosen.
    full = (rows["cause"] == ALL_MOVES) & (rows["depth"] > 0) & (rows["ply"] > 0)
    full &= (rows["beta"] - rows["alpha"] > 1) & (rows["why"] != SINGULAR_SEARCH)
    try:
        return all(
            _is_consistent(record, node, _legal_position(record, node, positions))
            for node in _spread(np.arange(len(rows)))
        ) and all(
            _has_all_moves(record, node, _legal_position(record, node, positions))
            for node in _spread(np.flatnonzero(full))
        )
    except Exception:  # rules that are asked about moves or positions of other rules may fail in any way
        return False


def _spread(nodes: Any) -> list[int]:
    """At most SAMPLE of the nodes, evenly spread; the same ones each time."""
    if len(nodes) <= SAMPLE:
        return [int(node) for node in nodes]
    return [int(nodes[i * len(nodes) // SAMPLE]) for i in range(SAMPLE)]


def _legal_position(record: Record, node: int, positions: dict[int, Position]) -> Position:
    """The position at a node, all moves to it checked; `positions` has those of nodes checked before."""
    game, position = record.game, record.history.position
    for step in record.path(node)[1:]:
        if step not in positions:
            why = int(record.why[step])
            if why == NULL_SEARCH:
                if not position.can_skip():
                    raise BadRecord(f"node {step} is a pass, which is not allowed there")
                positions[step] = position.skip()
            elif why in SAME_POSITION:
                positions[step] = position
            else:
                move = record.number(position, int(record.move[step]))
                if move not in game.moves(position):
                    raise BadRecord(f"the move to node {step} is not legal")
                positions[step] = position.play(move)
        position = positions[step]
    return position


def _is_consistent(record: Record, node: int, position: Position) -> bool:
    """Whether the game is over at a node if the record says so, with that result, and open if it does not."""
    cause = int(record.cause[node])
    if cause == GAME_OVER:
        return record.game.verdict(position) == np.sign(record.value[node])
    return cause not in SEARCHED or record.ply[node] == 0 or position.outcome() == OPEN


def _has_all_moves(record: Record, node: int, position: Position) -> bool:
    """Whether the moves below a node are all legal moves there. True where the record ends within it."""
    if node + int(record.size[node]) >= len(record):
        return True
    searched = {
        record.number(position, int(record.move[child]))
        for child in record.below(node)
        if record.by_move(child)
    }
    return searched == set(record.game.moves(position))


def fingerprint(game: Game) -> str:
    """A digest of the source of a game's rules: its file, and its neighbours in a package."""
    source = game.source
    package = source.with_name("__init__.py").is_file()
    files = sorted(source.parent.glob("*.py")) if package else [source]
    text = b"".join(file.read_bytes() for file in files if file.is_file())
    return _digest(text.replace(b"\r\n", b"\n"))


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:32]
