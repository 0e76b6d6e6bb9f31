"""Recorded searches of the page: made in a thread, and kept as long as their page is there.

A page has one record at a time. All records together are limited, too: beyond that, the record that was not
looked at for longest is dropped, and its page is told when it asks.
"""

import itertools
import json
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plywise.core.history import History
from plywise.play.engine_pool import compile_in_process
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Progress, Result
from plywise.search.specialisation import is_cached
from plywise.web.connection import Connection, error_text
from plywise.web.jobs.cancellable import search_with_stop
from plywise.web.jobs.scheduler import ANALYSING, Cancelled
from plywise.web.live.game import LiveGame
from plywise.web.schema import Refused
from plywise.web.why.wording import summary_payload

if TYPE_CHECKING:  # the explanations are imported when the first search is recorded
    from plywise.explain import Record

HASH_MB = 16  # megabytes of the table of a search that is recorded
MAX_RECORDED_NODES = 6_000_000  # nodes of all records together: about 200 MB
MAX_NODES_UNCOMPILED = 20_000  # nodes of a search that does not wait for the compiler
MAX_SECONDS = 30.0  # seconds of a recorded search, whatever was asked for
HURRY_SECONDS = 3.0  # seconds that it still gets when others wait for the processor
REPORT_INTERVAL = 0.1  # seconds between two reports
POLL_INTERVAL = 0.1  # seconds between looks at whether it is still wanted

_numbers = itertools.count(1)


@dataclass(frozen=True)
class RecordingRequest:
    """What is to be recorded."""

    history: History
    limits: Limits
    evaluator: str
    without: tuple[str, ...]
    most: int


class Recording:
    """One recorded search of one page. `record` is there once the search has ended."""

    def __init__(
        self, connection: Connection, live_game: LiveGame, node: int, request: RecordingRequest
    ) -> None:
        self.connection, self.live_game, self.node, self.request = connection, live_game, node, request
        self.number = next(_numbers)
        self.record: Record | None = None
        self.result: Result | None = None
        self.gone_reason = ""  # why there is no record any more
        self.change = ""  # what the best line changes, in words
        self.note = ""  # why the search ended before its limit
        self.lock = threading.Lock()  # for walking the record, which remembers positions
        self.finishing = threading.Event()  # end the search, keep what there is
        self.cancelled = threading.Event()  # nobody wants it any more
        self._engine: Engine | None = None  # while it searches
        self._started_at = 0.0
        self._hurried = False

    def start(self) -> None:
        self.connection.hub.search_threads.start(self.connection.known_owner, self._run)

    def finish(self) -> None:
        """End the search now; what it has found is the record."""
        self.finishing.set()
        self.connection.hub.scheduler.wake()

    def stop(self) -> None:
        """End the search and drop the record."""
        self.cancelled.set()
        self.finish()
        RECORD_CACHE.remove(self)
        with self.lock:
            self.record = None

    def evict(self) -> None:
        """Drop the record, to make room for newer ones."""
        with self.lock:
            self.record = None
            self.gone_reason = "this record was deleted to make room for newer ones; record the search again"

    def require_record(self) -> "Record":
        """The record; Refused if there is none."""
        record = self.record
        if record is None:
            raise Refused(
                self.gone_reason or "the search is still being recorded; its tree comes when it ends"
            )
        RECORD_CACHE.touch(self)
        return record

    # --- recording --------------------------------------------------------------------------------
    def _run(self) -> None:
        scheduler = self.connection.hub.scheduler
        try:
            self._send_status("waiting")
            compiled = self._prepare()
            with scheduler.hold(
                self.connection.known_owner, ANALYSING, self._preempt, lambda: not self.finishing.is_set()
            ):
                self._search(compiled)
            if self.cancelled.is_set():
                return
            RECORD_CACHE.add(self)
            with self.lock:
                if self.record is not None and self.result is not None:
                    summary = summary_payload(self.record, self.result, self.change, self.note)
                    self._send_status("done", node=self.node, **summary)
        except Cancelled:
            self.gone_reason = "the search was stopped before it began; record another one"
            self._send_status("failed", words=self.gone_reason)
        except Exception as error:
            self.gone_reason = error_text(error)
            self._send_status("failed", words=self.gone_reason)
        finally:
            self._engine = None  # its log is as large as the record

    def _prepare(self) -> bool:
        """Whether the compiled recorder can be used; a larger search waits until it can."""
        game, source = self.live_game.game, self.connection.hub.catalogue.source(self.live_game.name)
        if not game.compiled:
            return False
        if is_cached(game, self.request.evaluator, record=True):
            return True
        if (self.request.limits.nodes or MAX_NODES_UNCOMPILED + 1) <= MAX_NODES_UNCOMPILED:
            return False
        self._send_status("preparing", words=f"compiling the recorder of {game.title}, once")
        work = start_compiling(source, self.request.evaluator)
        while not work.wait(POLL_INTERVAL):
            if self.finishing.is_set():
                raise Cancelled
        return True

    def _search(self, compiled: bool) -> None:
        from plywise.explain.reasons import line_change
        from plywise.explain.record import record_of
        from plywise.explain.wording import change_text

        request = self.request
        self._engine = engine = Engine(
            self.live_game.game,
            request.evaluator,
            hash=HASH_MB,
            compiled=compiled,
            without=request.without,
            record=request.most,
        )
        self._started_at = time.monotonic()
        self._send_status("searching", nodes=0, depth=0)
        result = search_with_stop(
            engine, request.history, request.limits, self.finishing, self._send_progress
        )
        self._engine = None
        self.result = result
        if self._hurried and time.monotonic() - self._started_at > HURRY_SECONDS:
            self.note = "the search was ended early, because others waited for the processor"
        elif request.limits.time == MAX_SECONDS and result.seconds >= MAX_SECONDS:
            self.note = (
                f"the search was ended after {MAX_SECONDS:g} seconds, before it had all that was asked for"
            )
        record = record_of(engine, request.history, result)
        change = line_change(request.history, result.line, engine)
        unit = engine.evaluation.unit
        self.change = change_text(self.live_game.game, request.history.turn, change, unit, "the line")
        del engine  # the record is a copy
        record.size, record.fanout, record.level  # noqa: B018  (worked out here, not when the page waits for them)
        with self.lock:
            self.record = None if self.cancelled.is_set() else record

    def _preempt(self) -> None:
        """Others need the processor: the search gets a few more seconds."""
        engine, left = (
            self._engine,
            self._started_at + (self.request.limits.time or MAX_SECONDS) - time.monotonic(),
        )
        if engine is not None and left > HURRY_SECONDS:
            self._hurried = True
            engine.hurry(HURRY_SECONDS)

    def _send_progress(self, report: Progress) -> None:
        words = {"nodes": report.nodes, "depth": report.depth, "seconds": round(report.seconds, 2)}
        self._send_status("searching", **words)

    def _send_status(self, state: str, **more: Any) -> None:
        if self.cancelled.is_set():
            return
        message = {"tell": "why", "game": self.live_game.id, "record": self.number, "state": state, **more}
        every = REPORT_INTERVAL if state == "searching" else 0.0
        self.connection.send((self.live_game.id, "why"), json.dumps(message), every)


class RecordCache:
    """The records of all pages, the one used longest ago first."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._sizes: OrderedDict[Recording, int] = OrderedDict()

    def add(self, recording: Recording) -> None:
        """Keep a record; older ones may have to go."""
        with self._lock:
            self._sizes[recording] = len(recording.record) if recording.record is not None else 0
            evicted = []
            while sum(self._sizes.values()) > self.most and len(self._sizes) > 1:
                evicted.append(self._sizes.popitem(last=False)[0])
        for other in evicted:
            other.evict()

    def touch(self, recording: Recording) -> None:
        """Note that a record is being looked at."""
        with self._lock:
            if recording in self._sizes:
                self._sizes.move_to_end(recording)

    def remove(self, recording: Recording) -> None:
        """Do not keep a record any more."""
        with self._lock:
            self._sizes.pop(recording, None)


RECORD_CACHE = RecordCache(MAX_RECORDED_NODES)


# --- compiling ------------------------------------------------------------------------------------
_compiling: dict[tuple[str, str], threading.Event] = {}
_compiling_lock = threading.Lock()


def start_compiling(source: str, evaluator: str) -> threading.Event:
    """Compile the recorder in another process, once at a time; the event is set when that is done."""
    with _compiling_lock:
        known = _compiling.get((source, evaluator))
        if known is not None:
            return known
        done = _compiling[source, evaluator] = threading.Event()

    def run() -> None:
        try:
            compile_in_process(source, evaluator, record=True)
        finally:
            with _compiling_lock:
                del _compiling[source, evaluator]
            done.set()

    threading.Thread(target=run, daemon=True).start()
    return done
