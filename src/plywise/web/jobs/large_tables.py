"""Hash tables of a visitor's choice: one for each visitor, all together within a share of the memory.

Who can have none, because others have the memory or another page of the same visitor has the table, analyses
with the usual one.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from plywise.core.cores import memory
from plywise.play.engine_pool import SERVER_TABLE, EnginePool
from plywise.search.engine import Engine

SIZES = (16, 32, 64, 128, 256, 512, 1024)  # megabytes that a page may ask for, where the memory allows it
SHARE = 4  # all large tables together have this part of the memory; one has half of that at most
TIMEOUT = 1.0  # seconds to wait for one's own table, which the analysis before may still use
POLL_INTERVAL = 0.01


@dataclass(eq=False)
class _Table:
    engine: Engine
    pool: EnginePool
    megabytes: int
    in_use: bool = True


class LargeTables:
    """Lends each visitor an engine with a table of a size that the visitor has chosen."""

    def __init__(self, budget: int | None = None) -> None:
        self.budget = memory() // SHARE if budget is None else budget
        self._lock = threading.Lock()
        self._tables: OrderedDict[str, _Table] = OrderedDict()  # by owner, the least recently used first

    @property
    def sizes(self) -> list[int]:
        """The sizes that a page may ask for, in megabytes; the first is the usual one."""
        return [size for size in SIZES if size == SERVER_TABLE or size <= self.budget // 2]

    @property
    def megabytes(self) -> int:
        """The memory of all tables that are kept now."""
        with self._lock:
            return sum(table.megabytes for table in self._tables.values())

    @contextmanager
    def borrow(
        self, owner: str, pool: EnginePool, megabytes: int, stopped: threading.Event
    ) -> Iterator[Engine | None]:
        """The owner's engine with a table of this size; None if it cannot be had now."""
        until = time.monotonic() + TIMEOUT
        while (table := self._take(owner, pool, megabytes, stopped)) is None:
            if stopped.is_set() or time.monotonic() > until:
                yield None
                return
            time.sleep(POLL_INTERVAL)
        try:
            yield table.engine
        finally:
            with self._lock:
                table.in_use = False

    def drop(self, owner: str) -> None:
        """Forget the table of a visitor who has gone."""
        with self._lock:
            self._tables.pop(owner, None)

    def _take(self, owner: str, pool: EnginePool, megabytes: int, stopped: threading.Event) -> _Table | None:
        with self._lock:
            mine = self._tables.get(owner)
            # Who is stopped because the visitor has gone must not make a table after it was dropped.
            if stopped.is_set() or (mine is not None and mine.in_use):
                return None
            if mine is None or (mine.pool, mine.megabytes) != (pool, megabytes):
                self._tables.pop(owner, None)
                mine = None
                if not self._make_room(megabytes):
                    return None
            table = mine or _Table(pool.new_engine(megabytes, compiled=True), pool, megabytes)
            table.in_use = True
            self._tables[owner] = table
            self._tables.move_to_end(owner)
            return table

    def _make_room(self, megabytes: int) -> bool:
        """Drop tables that nobody uses until there is room; whether there is."""
        room = self.budget - sum(table.megabytes for table in self._tables.values())
        for owner in [owner for owner, table in self._tables.items() if not table.in_use]:
            if room >= megabytes:
                break
            room += self._tables.pop(owner).megabytes
        return room >= megabytes
