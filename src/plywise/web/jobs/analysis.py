"""Analysis without end: lines are sent as they are found, until the page stops it.

It leaves its slot whenever a player's move needs the processor. Afterwards it soon is where it was,
because the engine's table still knows what it had found. Of the threads that the page has asked for it has
as many as there are slots; a page may also ask for a larger hash table (jobs/large_tables.py). Before the
game is compiled it searches for a second, shows that, and leaves the processor to the compiler; from then on
new positions get glances.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from plywise.play.engine_pool import SERVER_TABLE, EnginePool
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Line, Progress
from plywise.web.connection import Connection, error_text
from plywise.web.jobs.cancellable import search_with_stop
from plywise.web.jobs.scheduler import ANALYSING, SLICE, Cancelled, Lease
from plywise.web.live.game import LiveGame
from plywise.web.payloads import line_payload

REPORT_INTERVAL = 0.06  # seconds between two reports: about sixteen a second
POLL = 0.05  # seconds between looks at whether the compiler is done, or nobody wants the answer any more


class Analysis:
    """One analysis of one node for one page."""

    def __init__(
        self,
        connection: Connection,
        live_game: LiveGame,
        n: int,
        lines: int,
        evaluator: str,
        threads: int = 1,
        hash: int = SERVER_TABLE,
    ) -> None:
        self.connection, self.live_game, self.n = connection, live_game, n
        self.lines, self.evaluator, self.threads, self.hash = lines, evaluator, threads, hash
        state = live_game.node(n).state
        self.over = state.outcome is not None
        side = live_game.side_to_choose(state, {})
        self.history = state.view(side)
        self.cancelled = threading.Event()
        self._leave_slot = threading.Event()  # set: leave the slot
        self._nodes, self._seconds, self._depth, self._full = 0, 0.0, 0, 0
        self._lines: tuple[Line, ...] = ()
        self._line_payloads: list[dict[str, Any]] = []
        self._compiled = True
        self._used: dict[str, int] = {}
        self._last_report = 0.0
        self._send_lock = threading.Lock()

    def start(self) -> None:
        self.connection.hub.search_threads.start(self.connection.known_owner, self._run)

    def stop(self) -> None:
        """End it; nothing more is sent."""
        with self._send_lock:
            self.cancelled.set()
        self.connection.discard((self.live_game.id, "analysis"))
        self._leave_slot.set()
        self.connection.hub.scheduler.wake()

    def _run(self) -> None:
        hub, live_game = self.connection.hub, self.live_game
        try:
            if self.over or not live_game.game.moves(self.history.position):
                self._send_report(over=True)
                return
            engines = hub.engines(live_game, self.evaluator)
            finished, stand_in = False, engines.take_analysis_seconds(time.monotonic())
            while not self.cancelled.is_set() and not finished:
                self._leave_slot.clear()
                with (
                    hub.scheduler.hold(
                        self.connection.known_owner,
                        ANALYSING,
                        self._leave_slot.set,
                        lambda: not self.cancelled.is_set(),
                        self.threads if live_game.game.compiled and engines.ready.is_set() else 1,
                    ) as lease,
                    self._engine(engines) as engine,
                ):
                    if engine is None:
                        return
                    self._compiled = engine.specialisation.compiled or not live_game.game.compiled
                    if self._compiled:
                        stand_in = None
                    engine.threads = lease.slots
                    try:
                        finished = self._search_slice(engine, engines.ready, lease, stand_in)
                    finally:
                        engine.threads = 1
                if stand_in is not None:
                    finished = False  # the compiled search goes on from here
                    while self._lines and not self.cancelled.is_set() and not engines.ready.wait(POLL):
                        pass
                stand_in = engines.stand_in_seconds  # if it has seen nothing yet, it may take longer
            self._send_report(over=True)
        except Cancelled:
            pass
        except Exception as error:
            words = {"tell": "error", "game": live_game.id, "words": error_text(error)}
            self.connection.send((live_game.id, "error"), json.dumps(words))

    @contextmanager
    def _engine(self, engines: EnginePool) -> Iterator[Engine | None]:
        """An engine with the hash table that was asked for, if it can be had, else with the usual one."""
        hub, owner = self.connection.hub, self.connection.known_owner
        if self.hash > SERVER_TABLE and self.live_game.game.compiled and engines.ready.is_set():
            with hub.large_tables.borrow(owner, engines, self.hash, self.cancelled) as engine:
                if engine is not None:
                    yield engine
                    return
        with engines.borrow(large=True, stopped=self.cancelled) as engine:
            yield engine

    def _search_slice(
        self, engine: Engine, ready: threading.Event, lease: Lease, seconds: float | None
    ) -> bool:
        """Search until others need the slot, or for `seconds`; whether there is nothing more to find."""
        self._used = {"threads": engine.threads, "hash": engine.table.megabytes}
        before, started_at = (self._nodes, self._seconds), time.monotonic()

        def on_progress(report: Progress) -> None:
            self._nodes = before[0] + report.nodes
            self._seconds = before[1] + report.seconds
            done = report.depth - (report.current is not None)
            if report.lines and done >= self._depth:
                self._depth, self._full = done, report.full or self._full
                if report.lines is not self._lines:
                    self._lines = report.lines
                    self._line_payloads = [
                        line_payload(self.history, line, self.evaluator) for line in report.lines
                    ]
            if not self._compiled and ready.is_set():
                self._leave_slot.set()  # the compiled search is there: go on with it
            self._send_report()

        def on_tick() -> None:
            if time.monotonic() - started_at > SLICE and self.connection.hub.scheduler.could_grow(lease):
                self._leave_slot.set()  # begin again with more threads
            if time.monotonic() - self._last_report < REPORT_INTERVAL or not self._line_payloads:
                return
            self._nodes = before[0] + engine.nodes
            self._seconds = before[1] + time.monotonic() - started_at
            self._send_report()

        result = search_with_stop(
            engine, self.history, Limits(time=seconds), self._leave_slot, on_progress, self.lines, on_tick
        )
        self._nodes = before[0] + result.nodes
        self._seconds = before[1] + time.monotonic() - started_at
        return not self._leave_slot.is_set()

    def _send_report(self, over: bool = False) -> None:
        if self.cancelled.is_set():
            return
        self._last_report = time.monotonic()
        message = {
            "tell": "analysis",
            "game": self.live_game.id,
            "node": self.n,
            "depth": self._depth,
            "nodes": self._nodes,
            "seconds": round(self._seconds, 2),
            "speed": round(self._nodes / self._seconds) if self._seconds > 0.001 else 0,
            "full": self._full,
            "compiled": self._compiled,
            "evaluator": self.evaluator,
            **self._used,
            "lines": self._line_payloads,
            "over": over,
        }
        words = json.dumps(message)
        with self._send_lock:
            if not self.cancelled.is_set():
                self.connection.send((self.live_game.id, "analysis"), words, REPORT_INTERVAL)
