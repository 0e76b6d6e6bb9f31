"""The store: games on disk, in one SQLite file with a write-ahead log.

A killed process loses nothing that was committed, because the operating system has the log. Therefore
`synchronous` is NORMAL: no move waits for the disk, and a power cut may take the last moves, never the file.
Two servers may share the file: a game has a version, and a write to an old version raises StaleVersion.
"""

import hashlib
import json
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any

from plywise.core.endgame_index import data_folder
from plywise.core.errors import PlywiseError
from plywise.core.untrusted import read_json

FILE_NAME = "games.sqlite"
SCHEMA_VERSION = 1
APPLICATION_ID = 0x506C7977  # "Plyw"; the database of another program is not written to
LOCK_TIMEOUT = 5.0  # seconds to wait for another server's write

CREATE_TABLES = """
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    game TEXT NOT NULL,
    settings TEXT NOT NULL,     -- JSON: seats, evaluator, clock, start, seed
    state TEXT NOT NULL,        -- JSON: tip, hints, clocks, partial choices, an end by agreement
    summary TEXT NOT NULL,      -- JSON: what a list of games shows
    version INTEGER NOT NULL,
    created REAL NOT NULL,
    changed REAL NOT NULL
);
CREATE INDEX games_of ON games (owner, changed);
CREATE TABLE nodes (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    body TEXT NOT NULL,         -- JSON: the choices, the dice, the clocks after it
    PRIMARY KEY (game, n)
) WITHOUT ROWID;
"""


UPDATE_GAME = (
    "UPDATE games SET state = ?, summary = ?, version = version + 1, changed = ? WHERE id = ? AND version = ?"
)
ADD_NODE = "INSERT INTO nodes VALUES (?, ?, ?, ?)"
CHANGE_NODE = "UPDATE nodes SET body = ? WHERE game = ? AND n = ?"


class NotSaved(PlywiseError):
    """The store cannot write or read: nothing has changed."""


class StaleVersion(PlywiseError):
    """Another server has written to this game since it was read."""

    def __init__(self) -> None:
        super().__init__("this game was changed by another Plywise; it is shown as it is now")


@dataclass(frozen=True)
class Row:
    """A saved game. `nodes` are (n, parent, body) in the order of n, the first being 1."""

    id: str
    owner: str
    game: str
    settings: dict[str, Any]
    state: dict[str, Any]
    summary: dict[str, Any]
    version: int = 1
    created: float = 0.0
    changed: float = 0.0
    nodes: tuple[tuple[int, int, dict[str, Any]], ...] = field(default=())


def owner_of(visitor: str) -> str:
    """The owner of a visitor's games: a hash, so that the file does not hold tokens."""
    return hashlib.sha256(visitor.encode()).hexdigest()[:32]


Work = Callable[[sqlite3.Connection], int]


@dataclass(eq=False)
class PendingWrite:
    """One write that waits for the next commit, and its result."""

    work: Work
    done: bool = False
    result: int = 0
    error: Exception | None = None


class Store:
    """The file of saved games. Any thread may call it."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = data_folder() / FILE_NAME if path is None else path
        self.notes: list[str] = []  # what the user should know about the file
        self._lock, self._read_lock = threading.Lock(), threading.Lock()
        self._waiting: deque[PendingWrite] = deque()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._open()
            self._reader = _connect(self.path)
        except (sqlite3.Error, OSError) as error:
            advice = "name a folder that can be written to in $PLYWISE_DATA"
            raise NotSaved(f"the games cannot be kept in {self.path}: {error}; {advice}") from None

    def close(self) -> None:
        with self._lock, self._read_lock:
            self._file.close()
            self._reader.close()

    # --- the file -------------------------------------------------------------------------------
    def _open(self) -> sqlite3.Connection:
        try:
            file, found = _open_checked(self.path)
        except sqlite3.OperationalError:
            raise  # locked, or not allowed: the file is not damaged
        except sqlite3.DatabaseError as error:
            aside = _set_aside(self.path)
            self.notes.append(
                f"{self.path} is damaged ({error}); it is kept as {aside.name}, and a new one begun"
            )
            file, found = _open_checked(self.path)
        if found > SCHEMA_VERSION:
            file.close()
            newer, self.path = (
                self.path,
                self.path.with_name(f"{self.path.stem}-{SCHEMA_VERSION}{self.path.suffix}"),
            )
            self.notes.append(
                f"{newer} was written by a newer Plywise (form {found}; this one reads {SCHEMA_VERSION});"
                f" it is left as it is, and games are kept in {self.path.name} meanwhile"
            )
            file, _ = _open_checked(self.path)
        return file

    def _write(self, work: Work) -> int:
        """Do the work in a transaction: all of it is on disk when this returns, or nothing if it raises.

        The thread that gets the lock writes for all that wait: many writes at once cost one commit.
        """
        mine = PendingWrite(work)
        self._waiting.append(mine)
        with self._lock:
            if not mine.done:
                self._write_waiting()
        if mine.error is not None:
            raise mine.error
        return mine.result

    def _write_waiting(self) -> None:
        """Write for all that wait in one transaction; if one of them fails, one by one."""
        batch: list[PendingWrite] = []
        while self._waiting:
            batch.append(self._waiting.popleft())
        try:
            self._commit(batch)
        except sqlite3.Error:
            for write in batch:
                try:
                    self._commit([write])
                except sqlite3.Error as error:
                    write.error = NotSaved(f"the game cannot be kept in {self.path}: {error}")
        for write in batch:
            write.done = True

    def _commit(self, batch: list[PendingWrite]) -> None:
        self._file.execute("BEGIN IMMEDIATE")
        try:
            for write in batch:
                write.error = None
                try:
                    write.result = write.work(self._file)
                except StaleVersion as error:  # it has written nothing
                    write.error = error
            self._file.execute("COMMIT")
        except BaseException:
            if self._file.in_transaction:
                self._file.execute("ROLLBACK")
            raise

    def _read(self, sql: str, *values: Any) -> list[Any]:
        with self._read_lock:
            try:
                return self._reader.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise NotSaved(f"the games cannot be read from {self.path}: {error}") from None

    # --- games ----------------------------------------------------------------------------------
    def add(self, row: Row) -> Row:
        """Save a new game."""
        now = time.time()
        row = replace(row, version=1, created=now, changed=now)
        values = (
            row.id,
            row.owner,
            row.game,
            json.dumps(row.settings),
            json.dumps(row.state),
            json.dumps(row.summary),
            row.version,
            now,
            now,
        )
        nodes = _node_rows(row.id, row.nodes)

        def work(file: sqlite3.Connection) -> int:
            file.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            file.executemany(ADD_NODE, nodes)
            return row.version

        self._write(work)
        return row

    def change(
        self,
        id: str,
        version: int,
        state: dict[str, Any],
        summary: dict[str, Any],
        nodes: tuple[tuple[int, int, dict[str, Any]], ...] = (),
        changed: tuple[tuple[int, int, dict[str, Any]], ...] = (),
    ) -> int:
        """Save the present state of a game, its new nodes and the changed ones; gives its new version."""
        values = json.dumps(state), json.dumps(summary), time.time(), id, version
        added = _node_rows(id, nodes)
        written = [(body, game, n) for game, n, _, body in _node_rows(id, changed)]

        def work(file: sqlite3.Connection) -> int:
            if file.execute(UPDATE_GAME, values).rowcount != 1:
                raise StaleVersion
            if added:
                file.executemany(ADD_NODE, added)
            if written:
                file.executemany(CHANGE_NODE, written)
            return version + 1

        return self._write(work)

    def get(self, id: str) -> Row | None:
        """The game of that id, whole."""
        with self._read_lock:
            try:
                # One transaction, so that the nodes are those of this version.
                self._reader.execute("BEGIN")
                try:
                    found = self._reader.execute("SELECT * FROM games WHERE id = ?", (id,)).fetchone()
                    nodes = self._reader.execute(
                        "SELECT n, parent, body FROM nodes WHERE game = ? ORDER BY n", (id,)
                    ).fetchall()
                finally:
                    self._reader.execute("COMMIT")
            except sqlite3.Error as error:
                raise NotSaved(f"the game cannot be read from {self.path}: {error}") from None
        if found is None:
            return None
        id, owner, game, settings, state, summary, version, created, changed = found
        try:
            _require_types(id, game, version, created, changed)
            return Row(
                id,
                owner,
                game,
                _read_object(settings),
                _read_object(state),
                _read_object(summary),
                version,
                created,
                changed,
                tuple((n, parent, _read_object(body)) for n, parent, body in nodes),
            )
        except (ValueError, TypeError):
            raise NotSaved(f"the game {id} is damaged in {self.path}; the others are not") from None

    def list(self, owner: str, most: int) -> list[dict[str, Any]]:
        """The summaries of a visitor's games, the last changed first."""
        rows = self._read(
            "SELECT id, game, summary, changed FROM games WHERE owner = ? ORDER BY changed DESC, id LIMIT ?",
            owner,
            most,
        )
        found = []
        for id, game, summary, changed in rows:
            try:
                _require_types(id, game, 1, changed)
                found.append({**_read_object(summary), "id": id, "game": game, "changed": changed})
            except (ValueError, TypeError):
                continue  # one damaged row hides one game
        return found

    def count(self, owner: str) -> int:
        """How many games a visitor has saved."""
        return int(self._read("SELECT count(*) FROM games WHERE owner = ?", owner)[0][0])

    def exists(self, id: str) -> bool:
        """Whether there is a game of that id."""
        return bool(self._read("SELECT 1 FROM games WHERE id = ?", id))

    def last_node(self, id: str) -> int:
        """The number of a game's last node; 0 if there is no such game, or none but the root."""
        last = self._read("SELECT max(n) FROM nodes WHERE game = ?", id)[0][0]
        return last if isinstance(last, int) else 0

    def delete(self, id: str, owner: str) -> bool:
        """Delete a game of this owner; whether there was one."""

        def work(file: sqlite3.Connection) -> int:
            return file.execute("DELETE FROM games WHERE id = ? AND owner = ?", (id, owner)).rowcount

        return self._write(work) == 1


def _require_types(id: Any, game: Any, version: Any, *times: Any) -> None:
    """ValueError if a row holds what was never written there: SQLite keeps any value in any column."""
    if not (isinstance(id, str) and isinstance(game, str) and isinstance(version, int)):
        raise ValueError("no name, or no number")
    if not (f"{id}{game}".isprintable() and all(isinstance(one, float) and isfinite(one) for one in times)):
        raise ValueError("no text, or no time")


def _read_object(text: str) -> dict[str, Any]:
    """The object that a column holds; ValueError or TypeError if it is damaged."""
    value = read_json(text)
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _connect(path: Path) -> sqlite3.Connection:
    try:  # no other user of this machine may read them
        path.touch(0o600)
        for end in ("", "-wal", "-shm"):  # a server of 0.1.0 that was killed has left them for all to read
            beside = path.with_name(path.name + end)
            if beside.exists():
                beside.chmod(0o600)
    except OSError:
        pass  # SQLite says what is wrong
    found = sqlite3.connect(path, timeout=LOCK_TIMEOUT, isolation_level=None, check_same_thread=False)
    # Bytes that are no text are found where their row is read: they must not spoil the list of all games.
    found.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    return found


def _node_rows(id: str, nodes: Iterable[tuple[int, int, dict[str, Any]]]) -> list[tuple[str, int, int, str]]:
    return [(id, n, parent, json.dumps(body)) for n, parent, body in nodes]


def _open_checked(path: Path) -> tuple[sqlite3.Connection, int]:
    """Open the file and check that it is not damaged; with it, the version of its schema."""
    file = _connect(path)
    try:
        found, mark, tables = (
            int(file.execute(sql).fetchone()[0])
            for sql in ("PRAGMA user_version", "PRAGMA application_id", "SELECT count(*) FROM sqlite_master")
        )
        if tables and mark != APPLICATION_ID:
            raise sqlite3.DatabaseError("it is not a file of Plywise's games")
        if found > SCHEMA_VERSION:
            return file, found
        report = file.execute("PRAGMA quick_check(1)").fetchone()[0]
        if report != "ok":
            raise sqlite3.DatabaseError(str(report).strip().splitlines()[-1])
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = NORMAL")
        file.execute("PRAGMA foreign_keys = ON")
        if not found:
            _make_tables(file)
    except BaseException:
        file.close()
        raise
    return file, SCHEMA_VERSION


def _make_tables(file: sqlite3.Connection) -> None:
    """Create the tables of an empty file, unless another server has just done so."""
    file.execute("BEGIN IMMEDIATE")
    try:
        if not int(file.execute("PRAGMA user_version").fetchone()[0]):
            for statement in CREATE_TABLES.split(";\n"):
                if statement.strip():
                    file.execute(statement)
            file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            file.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        file.execute("COMMIT")
    except BaseException:
        if file.in_transaction:
            file.execute("ROLLBACK")
        raise


def _set_aside(path: Path) -> Path:
    """Rename a damaged file, with its log, so that nothing of it is lost."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside, more = path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}"), 1
    while aside.exists():
        more += 1
        aside = path.with_name(f"{path.stem}-damaged-{stamp}-{more}{path.suffix}")
    os.replace(path, aside)
    for tail in ("-wal", "-shm"):
        log = Path(f"{path}{tail}")
        if log.exists():
            os.replace(log, Path(f"{aside}{tail}"))
    return aside
