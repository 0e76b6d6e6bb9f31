"""Searches recorded for the page: made in a thread, kept while their page is there, within bounds.

A page has one record at a time. All records of the process together have a bound, too: when it is
reached, the one that has not been looked at for longest is given up, and its page is told so.
"""

import itertools
import json
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plywise.core.game import Game
from plywise.core.history import History
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Progress, Result
from plywise.web.requests import Refused
from plywise.web.searching import searched
from plywise.web.slots import LOOKING, Cancelled

if TYPE_CHECKING:
    from plywise.explain import Record
    from plywise.web.table import Table
    from plywise.web.visit import Visit

HASH = 16  # megabytes of the table of a search that is recorded
MOST_ROWS = 6_000_000  # nodes of all records together: about 200 MB
SOON = 20_000  # nodes that are searched uncompiled at once, rather than after compiling
LONGEST = 30.0  # seconds of a recorded search, whatever was asked for
HURRY = 3.0  # seconds that are left to it when others wait for the processor
EVERY = 0.1  # seconds between two reports
LOOK_AGAIN = 0.1  # seconds between looks at whether it is still wanted

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Wish:
    """What is to be recorded."""

    history: History
    limits: Limits
    evaluator: str
    without: tuple[str, ...]
    most: int


class Recording:
    """One recorded search of one page. `record` is there once the search has ended."""

    def __init__(self, visit: "Visit", table: "Table", node: int, wish: Wish) -> None:
        self.visit, self.table, self.node, self.wish = visit, table, node, wish
        self.number = next(_numbers)
        self.record: Record | None = None
        self.result: Result | None = None
        self.gone = ""  # why there is no record any more
        self.change = ""  # what the best line changes, in words
        self.note = ""  # why the search ended before its limit
        self.lock = threading.Lock()  # for walking the record, which remembers positions
        self.enough = threading.Event()  # end the search, keep what there is
        self.ended = threading.Event()  # nobody wants it any more
        self._engine: Engine | None = None  # while it searches
        self._begun = 0.0
        self._hurried = False

    def start(self) -> None:
        self.table.house.thinkers.start(self.visit.who, self._run)

    def finish(self) -> None:
        """End the search now; what it has found so far is the record."""
        self.enough.set()
        self.table.house.slots.nudge()

    def stop(self) -> None:
        """Forget it."""
        self.ended.set()
        self.finish()
        SHELF.remove(self)
        with self.lock:
            self.record = None

    def give_up(self) -> None:
        """Leave its memory to newer ones."""
        with self.lock:
            self.record = None
            self.gone = "this record was given up for newer ones; record the search again to see it"

    def kept(self) -> "Record":
        """The record, if there is one."""
        record = self.record
        if record is None:
            raise Refused(self.gone or "the search is still being recorded; its tree comes when it ends")
        SHELF.use(self)
        return record

    # --- recording --------------------------------------------------------------------------------
    def _run(self) -> None:
        slots = self.table.house.slots
        try:
            self._tell("waiting")
            compiled = self._prepared()
            with slots.hold(self.visit.who, LOOKING, self._make_room, lambda: not self.enough.is_set()):
                self._search(compiled)
            if self.ended.is_set():
                return
            SHELF.add(self)
            from plywise.web.why_words import summary

            with self.lock:
                if self.record is not None:
                    self._tell("done", **summary(self))
        except Cancelled:
            self.gone = "the search was stopped before it began; record another one"
            self._tell("failed", words=self.gone)
        except Exception as error:
            from plywise.web.visit import sentence

            self.gone = sentence(error)
            self._tell("failed", words=self.gone)
        finally:
            self._engine = None  # its log is as large as the record

    def _prepared(self) -> bool:
        """Whether the compiled recorder can be used; a larger search waits until it can."""
        game, source = self.table.game, self.table.house.catalogue.source(self.table.name)
        if not game.compiled:
            return False
        if is_compiled(game, self.wish.evaluator):
            return True
        if (self.wish.limits.nodes or SOON + 1) <= SOON:
            return False
        self._tell("preparing", words=f"compiling the recorder of {game.title}, once")
        work = compile_apart(source, self.wish.evaluator)
        while not work.wait(LOOK_AGAIN):
            if self.enough.is_set():
                raise Cancelled
        return True

    def _search(self, compiled: bool) -> None:
        from plywise.explain.reasons import changed
        from plywise.explain.record import of
        from plywise.explain.sentences import change_in_words

        wish = self.wish
        self._engine = engine = Engine(
            self.table.game,
            wish.evaluator,
            hash=HASH,
            compiled=compiled,
            without=wish.without,
            record=wish.most,
        )
        self._begun = time.monotonic()
        self._tell("searching", nodes=0, depth=0)
        result = searched(engine, wish.history, wish.limits, self.enough, self._progress)
        self._engine = None
        self.result = result
        if self._hurried and time.monotonic() - self._begun > HURRY:
            self.note = "the search was ended early, because others waited for the processor"
        elif wish.limits.time == LONGEST and result.seconds >= LONGEST:
            self.note = (
                f"the search was ended after {LONGEST:g} seconds, before it had all that was asked for"
            )
        record = of(engine, wish.history, result)
        change = changed(wish.history, result.line, engine)
        unit = engine.evaluation.unit
        self.change = change_in_words(self.table.game, wish.history.turn, change, unit, "the line")
        del engine  # the record is a copy
        record.size, record.fanout, record.level  # noqa: B018  (worked out here, not when the page waits for them)
        with self.lock:
            self.record = None if self.ended.is_set() else record

    def _make_room(self) -> None:
        """Others need the processor: the search may go on for a little while."""
        engine, left = self._engine, self._begun + (self.wish.limits.time or LONGEST) - time.monotonic()
        if engine is not None and left > HURRY:
            self._hurried = True
            engine.hurry(HURRY)

    def _progress(self, report: Progress) -> None:
        words = {"nodes": report.nodes, "depth": report.depth, "seconds": round(report.seconds, 2)}
        self._tell("searching", **words)

    def _tell(self, state: str, **more: Any) -> None:
        if self.ended.is_set():
            return
        message = {"tell": "why", "game": self.table.id, "record": self.number, "state": state, **more}
        every = EVERY if state == "searching" else 0.0
        self.visit.tell((self.table.id, "why"), json.dumps(message), every)


class Shelf:
    """The records of all pages, the least used first."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Recording, int] = OrderedDict()

    def add(self, one: Recording) -> None:
        """Keep one more; others may have to go."""
        with self._lock:
            self._kept[one] = len(one.record) if one.record is not None else 0
            gone = []
            while sum(self._kept.values()) > self.most and len(self._kept) > 1:
                gone.append(self._kept.popitem(last=False)[0])
        for other in gone:
            other.give_up()

    def use(self, one: Recording) -> None:
        """It is being looked at."""
        with self._lock:
            if one in self._kept:
                self._kept.move_to_end(one)

    def remove(self, one: Recording) -> None:
        """It is not wanted any more."""
        with self._lock:
            self._kept.pop(one, None)


SHELF = Shelf(MOST_ROWS)


# --- compiling ------------------------------------------------------------------------------------
def is_compiled(game: Game, evaluator: str) -> bool:
    """Whether the disk has the compiled recorder of this game and evaluation already."""
    from plywise.core.cache import SUFFIX, folder
    from plywise.native.twin import Twin
    from plywise.search import visit
    from plywise.search.memory import layout
    from plywise.search.runner import evaluation_changes

    evaluation = game.evaluation(evaluator)
    wanted = {**evaluation_changes(evaluation), "RECORD": True}
    changes = {name: (getattr(visit, name), value) for name, value in wanted.items()}
    twin = Twin(visit.iterate, game.position, changes, layout(game, evaluation))  # type: ignore[arg-type]
    return (folder() / f"{twin.tag}{SUFFIX}").exists()


_compiling: dict[tuple[str, str], threading.Event] = {}
_compiling_lock = threading.Lock()


def compile_apart(source: str, evaluator: str) -> threading.Event:
    """Compile the recorder in another process, once at a time; the event tells when that is done."""
    with _compiling_lock:
        known = _compiling.get((source, evaluator))
        if known is not None:
            return known
        done = _compiling[source, evaluator] = threading.Event()

    def run() -> None:
        try:
            words = [sys.executable, "-m", "plywise.web.why_recording", source, evaluator]
            subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
        finally:
            with _compiling_lock:
                del _compiling[source, evaluator]
            done.set()

    threading.Thread(target=run, daemon=True).start()
    return done


def _compile_here(source: str, evaluator: str) -> None:
    import os

    from plywise.core.registry import load

    if hasattr(os, "nice"):
        os.nice(5)
    Engine(load(source), evaluator, hash=1, record=1)


if __name__ == "__main__":
    _compile_here(*sys.argv[1:3])
