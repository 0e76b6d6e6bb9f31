"""The house: all tables, the store, the engines, and the rules that are the same for every visitor."""

import json
import os
import secrets
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from plywise.core.game import Game
from plywise.play.stage import Stage
from plywise.web.catalogue import Catalogue
from plywise.web.engines import Pool, Shared
from plywise.web.requests import Refused
from plywise.web.slots import Slots, Thinkers
from plywise.web.store import Row, Store, owner_of
from plywise.web.table import Table
from plywise.web.tree import Standing
from plywise.web.visit import Visit

WORKERS = 4  # threads that answer requests; more would only wait for each other
MOST_VISITS = 300  # pages at a time
MOST_PAGES = 20  # of one visitor
MOST_OPEN = 12  # games that one page has open
MOST_KEPT = 500  # games of one visitor


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_urlsafe(12)


def new_seed() -> int:
    """A seed for the dice of a world, and for what engines of a level choose."""
    return secrets.randbelow(1 << 31)


def _preparing(table: Table, evaluator: str, done: bool) -> dict[str, Any]:
    """The news that a game is being compiled, or is."""
    what = f"compiling {table.game.title}" if evaluator == "default" else f"compiling {evaluator}"
    return {"tell": "preparing", "game": table.id, "what": what, "share": 1 if done else None}


class House:
    """What all visits share."""

    def __init__(
        self,
        store: Store,
        files: Sequence[str] = (),
        *,
        pool: Pool | None = None,
        slots: Slots | None = None,
    ) -> None:
        self.store, self.catalogue = store, Catalogue(files)
        self.slots = slots or Slots(max(1, os.cpu_count() or 1))
        self.thinkers = Thinkers()
        self.pool = pool or Pool(self.slots.count)
        self.workers = ThreadPoolExecutor(WORKERS, "plywise-page")
        self.lock = threading.RLock()
        self.tables: dict[str, Table] = {}
        self.visits: set[Visit] = set()
        self.closed = False

    # --- visitors ---------------------------------------------------------------------------------
    def come(self, visit: Visit) -> None:
        """A page connects."""
        with self.lock:
            if len(self.visits) >= MOST_VISITS:
                raise Refused(f"{MOST_VISITS} pages are open already; close one and try again")
            self.visits.add(visit)

    def greet(self, visit: Visit, token: str) -> None:
        """A page says who it is."""
        owner = owner_of(token)
        with self.lock:
            if sum(one.owner == owner for one in self.visits) >= MOST_PAGES and visit.owner != owner:
                raise Refused(f"you have {MOST_PAGES} pages open already; close one and try again")
            visit.owner = owner

    def left(self, visit: Visit) -> None:
        """A page is gone."""
        with self.lock:
            self.visits.discard(visit)
        visit.end_all()
        self.slots.nudge()
        for table in list(visit.tables.values()):
            self.close(visit, table.id)

    def bye(self) -> None:
        """The server ends: tell the pages, and leave everything as it is kept."""
        with self.lock:
            self.closed = True
            visits, tables = list(self.visits), list(self.tables.values())
        for visit in visits:
            visit.end_all()
            visit.tell("bye", json.dumps({"tell": "bye"}))
        for table in tables:
            table.close()

    # --- tables -----------------------------------------------------------------------------------
    def add(
        self,
        owner: str,
        name: str,
        seats: list[dict[str, Any]],
        stage: Stage,
        evaluator: str = "default",
        clock: dict[str, float] | None = None,
        orientation: int = 0,
    ) -> Table:
        """A new game that has got as far as a stage, kept from its beginning."""
        game = stage.game
        game.evaluation(evaluator)
        if self.store.count(owner) >= MOST_KEPT:
            raise Refused(f"{MOST_KEPT} games are kept already; delete some first")
        settings = {
            "seats": seats,
            "evaluator": evaluator,
            "clock": clock,
            "root": stage.record()[0],
            "seed": new_seed(),
        }
        row = Row(new_id(), owner, name, settings, Standing(orientation=orientation).data(None), {})
        table = Table(self, row, game)
        table.follow(stage)
        self.store.add(table.row())
        return table

    def table(self, visit: Visit, id: str) -> Table:
        """The table of that id, which the page has open."""
        if id in visit.tables:
            return visit.tables[id]
        self.row(id)
        raise Refused(f"open the game {id!r} first")

    def row(self, id: str) -> Row:
        """The game of that id, as it is kept."""
        row = self.store.get(id)
        if row is None:
            raise Refused(f"there is no game {id!r}; it may have been deleted")
        return row

    def open(self, visit: Visit, id: str) -> Table:
        """Show a game to a page from now on."""
        if id not in visit.tables and len(visit.tables) >= MOST_OPEN:
            raise Refused(f"{MOST_OPEN} games are open on this page already; close one first")
        with self.lock:
            table = self.tables.get(id)
            if table is not None:
                table.watchers.add(visit)
        if table is None:
            row = self.row(id)
            if row.game not in self.catalogue.sources:
                raise Refused(
                    f"this is a game of {row.game!r}, which is not there; start plywise with its file"
                )
            loaded = Table(self, row, self.catalogue.game(row.game))
            with self.lock:  # another page may have been faster
                table = self.tables.setdefault(id, loaded)
                table.watchers.add(visit)
        visit.tables[id] = table
        table.watch(visit)
        if len(table.people) < 2 and self.engines(table).compiling:
            visit.tell((id, "preparing"), json.dumps(_preparing(table, table.evaluator, False)))
        return table

    def close(self, visit: Visit, id: str) -> None:
        """A page does not show a game any more."""
        table = visit.tables.pop(id, None)
        if table is None:
            return
        for name, work in list(visit.going.items()):
            if work.table is table:
                visit.end(name)
        if table.leave(visit):
            self.rest(table)

    def rest(self, table: Table) -> None:
        """Forget a table that nobody watches; the store has it."""
        with self.lock:
            if not table.watchers and self.tables.get(table.id) is table:
                del self.tables[table.id]

    def delete(self, visit: Visit, id: str) -> None:
        """Forget a game for ever; only its owner may."""
        if not self.store.delete(id, visit.who):
            raise Refused(f"you have no game {id!r}")
        with self.lock:
            table = self.tables.pop(id, None)
        if table is not None:
            table.close()
            table.tell({"tell": "error", "game": id, "words": "this game has been deleted"}, "error")

    # --- engines ----------------------------------------------------------------------------------
    def engines(self, table: Table, evaluator: str | None = None) -> Shared:
        """The engines for a table; if they have to be compiled, its pages are told."""
        evaluator = evaluator or table.evaluator
        found = self.pool.engines(table.game, self.catalogue.source(table.name), evaluator)

        def heard(done: bool) -> None:
            now = self.tables.get(table.id)  # it may have been closed and opened again meanwhile
            if now is not None:
                now.tell(_preparing(now, evaluator, done), "preparing")

        found.hear(table.id, heard)
        return found

    def game(self, name: str) -> Game:
        """The game of that name."""
        return self.catalogue.game(name)
