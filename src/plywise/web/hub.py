"""The hub: all live games, the store, the engines, and the limits that hold for every visitor."""

import asyncio
import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol
from weakref import WeakValueDictionary

from plywise.core.broken_files import refuse_broken
from plywise.core.game import Game
from plywise.core.process_memory import return_freed_memory
from plywise.play.engine_pool import EnginePool, EnginePools
from plywise.play.readiness import Readiness, readiness_text
from plywise.play.seat import Seat
from plywise.play.state import GameState
from plywise.web.access import Access, side_of_key
from plywise.web.catalogue import Catalogue
from plywise.web.jobs.large_tables import LargeTables
from plywise.web.jobs.scheduler import MAX_TURNS, MAX_TURNS_OF_VISITOR, Scheduler, SearchThreads
from plywise.web.live.game import LiveGame
from plywise.web.live.state_payload import is_summary, summary
from plywise.web.live.tree import GameStatus
from plywise.web.schema import Refused
from plywise.web.store import NotSaved, Row, Store, owner_of
from plywise.web.watching import WatchList

REQUEST_THREADS = 4  # threads that answer requests; more would only wait for each other
SLOW_THREADS = 2  # threads that read and write whole games
MAX_CONNECTIONS = 300  # pages at a time
MAX_CONNECTIONS_OF_VISITOR = 20  # of one visitor
MAX_OPEN_GAMES = 12  # games that one page has open
MAX_SAVED_GAMES = 500  # games of one visitor
MAX_LISTED_GAMES = 200  # of those, that a page is told of at once
MANY_MOVES = 200  # moves that no thread for short requests plays through: 20 ms in chess
MEMORY_DELAY = 3.0  # seconds after the end of a connection: many may end together


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_urlsafe(12)


def new_seed() -> int:
    """A seed for the dice of a world, and for what engines of a level choose."""
    return secrets.randbelow(1 << 31)


def _missing(id: str) -> str:
    return f"there is no game {id!r}; it may have been deleted"


def _preparing_payload(live_game: LiveGame, evaluator: str, readiness: Readiness) -> dict[str, Any]:
    """The message how far a game is compiled."""
    name = live_game.game.title if evaluator == "default" else evaluator
    return {
        "tell": "preparing",
        "game": live_game.id,
        "what": readiness_text(name, readiness),
        "share": None if readiness.share is None else round(readiness.share, 3),
    }


class PageConnection(Protocol):
    """What the hub needs to know of a page's connection."""

    owner: str | None  # the visitor, once it is known
    live_games: dict[str, LiveGame]  # the games that this page has open
    key_sides: dict[str, int]  # by game: the side whose play link the page has opened

    @property
    def known_owner(self) -> str:
        """The visitor; refused before it is known."""
        ...

    @property
    def has_output(self) -> bool:
        """Whether messages wait to be sent."""
        ...

    def send(self, key: Hashable, words: str, every: float = 0.0) -> None:
        """Send a message (see Watcher)."""
        ...

    def stop_jobs_of(self, live_game: LiveGame) -> None:
        """Stop the jobs of this page that are about a game."""
        ...

    def stop_all_jobs(self) -> None:
        """Stop all jobs of this page."""
        ...


class Hub:
    """What all connections share."""

    def __init__(
        self,
        store: Store,
        files: Sequence[str] = (),
        *,
        pool: EnginePools | None = None,
        scheduler: Scheduler | None = None,
        watch: Sequence[str] = (),
    ) -> None:
        self.store, self.catalogue, self.watched = store, Catalogue(files), WatchList(watch)
        self.scheduler = scheduler or Scheduler(max(1, os.cpu_count() or 1))
        self.search_threads = SearchThreads()
        self.turn_threads = SearchThreads(MAX_TURNS_OF_VISITOR, MAX_TURNS)
        self.pool = pool or EnginePools(self.scheduler.count)
        self.large_tables = LargeTables()
        self.workers = ThreadPoolExecutor(REQUEST_THREADS, "plywise-page")
        self.slow_workers = ThreadPoolExecutor(SLOW_THREADS, "plywise-text")
        self._slow_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.lock = threading.RLock()
        self.live_games: dict[str, LiveGame] = {}
        self.connections: set[PageConnection] = set()
        self.asking_sockets = 0  # WebSockets of other pages that ask for moves; only the event loop counts
        self.closed = False
        self._returns_memory = False  # soon

    # --- connections ---------------------------------------------------------------------------------
    def add_connection(self, connection: PageConnection) -> None:
        """Count a page that connects; refused if there are too many."""
        with self.lock:
            if len(self.connections) >= MAX_CONNECTIONS:
                raise Refused(f"{MAX_CONNECTIONS} pages are open already; close one and try again")
            self.connections.add(connection)

    def identify(self, connection: PageConnection, token: str) -> None:
        """Say whose page it is, once; refused if the visitor has too many."""
        owner = owner_of(token)
        with self.lock:
            if connection.owner not in (None, owner):  # what this one has is given back at the page's end
                raise Refused("this page is another visitor's already; open a new one")
            if connection.owner is None and (
                sum(other.owner == owner for other in self.connections) >= MAX_CONNECTIONS_OF_VISITOR
            ):
                raise Refused(
                    f"you have {MAX_CONNECTIONS_OF_VISITOR} pages open already; close one and try again"
                )
            connection.owner = owner

    def remove_connection(self, connection: PageConnection) -> None:
        """Close what a page had open: it is gone."""
        with self.lock:
            self.connections.discard(connection)
        connection.stop_all_jobs()
        self.scheduler.wake()
        for live_game in list(connection.live_games.values()):
            self.close(connection, live_game.id)
        with self.lock:
            gone = all(one.owner != connection.owner for one in self.connections)
        if gone and connection.owner is not None:
            self.large_tables.drop(connection.owner)

    def return_memory_later(self, loop: asyncio.AbstractEventLoop) -> None:
        """Some seconds after a page has gone, give the memory that it used back to the system."""
        if not self._returns_memory:
            self._returns_memory = True
            loop.call_later(MEMORY_DELAY, self._return_memory, loop)

    def _return_memory(self, loop: asyncio.AbstractEventLoop) -> None:
        self._returns_memory = False
        if not self.closed:
            loop.run_in_executor(self.slow_workers, return_freed_memory)

    def slow_lock(self, owner: str) -> asyncio.Lock:
        """The lock of a visitor's slow requests: one at a time, on whichever of its pages."""
        return self._slow_locks.setdefault(owner, asyncio.Lock())

    def shut_down(self) -> None:
        """Tell the pages that the server ends; every game is saved already."""
        with self.lock:
            self.closed = True
            connections, live_games = list(self.connections), list(self.live_games.values())
        for connection in connections:
            connection.stop_all_jobs()
            connection.send("bye", json.dumps({"tell": "bye"}))
        for live_game in live_games:
            live_game.close()

    # --- games -----------------------------------------------------------------------------------
    def new_game(
        self,
        owner: str,
        name: str,
        seats: list[dict[str, Any]],
        state: GameState,
        evaluator: str = "default",
        clock: dict[str, float] | None = None,
        orientation: int = 0,
        fill: Callable[[LiveGame], None] | None = None,
    ) -> LiveGame:
        """Save a new game that has reached a state; `fill` adds what was studied beside it."""
        game = state.game
        game.evaluation(evaluator)
        if self.store.count(owner) >= MAX_SAVED_GAMES and not self._empty_bin_by_one(owner):
            raise Refused(f"{MAX_SAVED_GAMES} games are kept already; delete some first")
        settings = {
            "seats": seats,
            "evaluator": evaluator,
            "clock": clock,
            "root": state.serialise()[0],
            "seed": new_seed(),
        }
        row = Row(new_id(), owner, name, settings, GameStatus(orientation=orientation).to_json(0, None), {})
        live_game = LiveGame(self, row, game)
        live_game.advance_to(state)
        if fill is not None:
            fill(live_game)
        self.store.add(live_game.to_row())
        return live_game

    def live_game(self, connection: PageConnection, id: str) -> LiveGame:
        """The live game of that id, which the page has open."""
        live_game = connection.live_games.get(id)  # whoever deletes the game takes it from there
        if live_game is not None:
            return live_game
        if not self.store.exists(id):
            raise Refused(_missing(id))
        raise Refused(f"open the game {id!r} first")

    def takes_long(self, connection: PageConnection, fields: dict[str, Any]) -> bool:
        """Whether a request is about a long game, or a long variation, that must be played through first."""
        id, n = fields.get("game"), fields.get("node")
        if not isinstance(id, str):
            return False
        live_game = connection.live_games.get(id)
        if live_game is not None:
            return isinstance(n, int) and live_game.tree.missing_states(n, MANY_MOVES) >= MANY_MOVES
        try:
            return id not in self.live_games and self.store.last_node(id) >= MANY_MOVES
        except NotSaved:
            return False  # whoever answers says so

    def saved_row(self, id: str) -> Row:
        """The saved game of that id."""
        row = self.store.get(id)
        if row is None:
            raise Refused(_missing(id))
        return row

    def saved_games(self, owner: str, most: int = MAX_LISTED_GAMES) -> list[dict[str, Any]]:
        """What a list shows of a visitor's games, the last changed first; a damaged row hides its game."""
        return [game for game in self.store.list(owner, most) if is_summary(game)]

    def load(self, row: Row) -> LiveGame:
        """The live game of a row; a damaged one is refused in a sentence."""
        with refuse_broken(f"the game {row.id}", NotSaved):
            live_game = LiveGame(self, row, self.catalogue.game(row.game))
            shown = summary(live_game)
            json.dumps([live_game.state_payload(), shown], allow_nan=False)  # a page can read it
            if not is_summary(shown):
                raise ValueError("it has a seat, an end or a number that no game has")
            return live_game

    def access(self, connection: PageConnection, live_game: LiveGame) -> Access:
        """What a page may do in a game."""
        names = live_game.game.sides
        if connection.owner == live_game.owner:
            return Access(True, (0, 1), names)
        side = connection.key_sides.get(live_game.id)
        return Access(False, () if side is None else (side,), names)

    def open(self, connection: PageConnection, id: str, key: str | None = None) -> LiveGame:
        """Show a game to a page from now on; with the key of a play link it may also play that side."""
        if id not in connection.live_games and len(connection.live_games) >= MAX_OPEN_GAMES:
            raise Refused(f"{MAX_OPEN_GAMES} games are open on this page already; close one first")
        with self.lock:
            live_game = self.live_games.get(id)
            if live_game is not None:
                live_game.broadcast.add(connection)
        if live_game is None:
            row = self.saved_row(id)
            if row.game not in self.catalogue.sources:
                raise Refused(
                    f"this is a game of {row.game!r}, which is not there; start plywise with its file"
                )
            loaded = self.load(row)
            with self.lock:  # another page may have been faster
                live_game = self.live_games.setdefault(id, loaded)
                live_game.broadcast.add(connection)
        connection.live_games[id] = live_game
        try:
            if not self.store.exists(id):  # it was deleted while it was loaded
                raise Refused(_missing(id))
            if key is not None:
                connection.key_sides[id] = side_of_key(live_game.status.play_keys, key)
        except Refused:
            self.close(connection, id)
            raise
        live_game.add_watcher(connection)
        for seat in live_game.engine_seats:
            readiness = self.seat_engines(live_game, seat).readiness
            if readiness is not None:
                words = json.dumps(_preparing_payload(live_game, seat.evaluator, readiness))
                connection.send((id, "preparing"), words)
        return live_game

    def close(self, connection: PageConnection, id: str) -> None:
        """Stop showing a game to a page."""
        connection.key_sides.pop(id, None)
        live_game = connection.live_games.pop(id, None)
        if live_game is None:
            return
        connection.stop_jobs_of(live_game)
        if live_game.remove_watcher(connection):
            self.unload(live_game)

    def unload(self, live_game: LiveGame) -> None:
        """Drop a live game that nobody watches; the store has it."""
        with self.lock:
            if not live_game.broadcast and self.live_games.get(live_game.id) is live_game:
                del self.live_games[live_game.id]

    def delete(self, connection: PageConnection, id: str) -> None:
        """Delete a game, for all who watch it; only its owner may."""
        if not self.store.delete(id, connection.known_owner):
            raise Refused(f"you have no game {id!r}")
        with self.lock:
            live_game = self.live_games.pop(id, None)
            watchers = [one for one in self.connections if id in one.live_games]
        if live_game is not None:
            live_game.close()
            live_game.broadcast.send_error("this game has been deleted")
        for watcher in watchers:
            self.close(watcher, id)

    def put_into_bin(self, connection: PageConnection, id: str, binned: bool) -> None:
        """Put a game into the bin, from which it can come back, or take it out; only its owner may."""
        since = time.time() if binned else None
        with self.lock:
            live_game = self.live_games.get(id)
        saved: Row | LiveGame = self.saved_row(id) if live_game is None else live_game
        if saved.owner != connection.known_owner:
            raise Refused(f"you have no game {id!r}")
        if isinstance(saved, LiveGame):
            saved.set_binned(since)
        else:
            state, summary = {**saved.state, "binned": since}, {**saved.summary, "binned": since}
            self.store.change(id, saved.version, state, summary)

    def _empty_bin_by_one(self, owner: str) -> bool:
        """Delete the game that has been in the bin longest; whether there was one."""
        binned = [game for game in self.saved_games(owner, MAX_SAVED_GAMES) if game.get("binned")]
        oldest = min(binned, key=lambda game: float(game["binned"]), default=None)
        return oldest is not None and self.store.delete(oldest["id"], owner)

    # --- engines ----------------------------------------------------------------------------------
    def engines(self, live_game: LiveGame, evaluator: str | None = None) -> EnginePool:
        """The engines of a live game; if they must be compiled, its pages are told."""
        return self._pool_of(live_game, evaluator or live_game.evaluator, "default", ())

    def seat_engines(self, live_game: LiveGame, seat: Seat) -> EnginePool:
        """The engines of a seat of a live game."""
        return self._pool_of(live_game, seat.evaluator, seat.player, seat.without)

    def _pool_of(
        self, live_game: LiveGame, evaluator: str, player: str, without: Sequence[str]
    ) -> EnginePool:
        source = self.catalogue.source(live_game.name)
        found = self.pool.engines(live_game.game, source, evaluator, player, without)

        def notify(readiness: Readiness) -> None:
            now = self.live_games.get(live_game.id)  # it may have been closed and opened again meanwhile
            if now is not None:
                now.broadcast.send(_preparing_payload(now, evaluator, readiness), "preparing")

        found.on_compile(live_game.id, notify)
        return found

    def game(self, name: str) -> Game:
        """The game of that name."""
        return self.catalogue.game(name)
