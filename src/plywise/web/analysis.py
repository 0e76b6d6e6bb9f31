"""Analysis without end: searches whose lines are sent as they come, until the page wants quiet.

It makes room whenever a player's move needs the processor, and goes on afterwards where it was, because
the engine's table still knows what it had found.
"""

import json
import threading
import time
from typing import TYPE_CHECKING, Any

from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Line, Progress
from plywise.web.searching import searched
from plywise.web.slots import LOOKING, Cancelled
from plywise.web.views import line_data

if TYPE_CHECKING:
    from plywise.web.table import Table
    from plywise.web.visit import Visit

EVERY = 0.06  # seconds between two reports: about sixteen a second


class Analysis:
    """One analysis of one node for one page."""

    def __init__(self, visit: "Visit", table: "Table", n: int, lines: int, evaluator: str) -> None:
        self.visit, self.table, self.n, self.lines, self.evaluator = visit, table, n, lines, evaluator
        stage = table.node(n).stage
        self.over = stage.outcome is not None
        side = table.side_choosing(stage, {})
        self.history = stage.view(side)
        self.ended = threading.Event()
        self._room = threading.Event()  # set: leave the slot
        self._nodes, self._seconds, self._depth, self._full = 0, 0.0, 0, 0
        self._found: tuple[Line, ...] = ()
        self._said: list[dict[str, Any]] = []
        self._fast = True
        self._told = 0.0
        self._telling = threading.Lock()

    def start(self) -> None:
        self.table.house.thinkers.start(self.visit.who, self._run)

    def stop(self) -> None:
        """End it; nothing more is told."""
        with self._telling:
            self.ended.set()
        self.visit.drop((self.table.id, "analysis"))
        self._room.set()
        self.table.house.slots.nudge()

    def _run(self) -> None:
        house, table = self.table.house, self.table
        try:
            if self.over or not table.game.moves(self.history.position):
                self._tell(over=True)
                return
            engines = house.engines(table, self.evaluator)
            finished = False
            while not self.ended.is_set() and not finished:
                self._room.clear()
                with (
                    house.slots.hold(
                        self.visit.who, LOOKING, self._room.set, lambda: not self.ended.is_set()
                    ),
                    engines.lent(large=True, stopped=self.ended) as engine,
                ):
                    if engine is None:
                        return
                    self._fast = engine.runner.compiled or not table.game.compiled
                    finished = self._slice(engine, engines.ready)
            self._tell(over=True)
        except Cancelled:
            pass
        except Exception as error:
            from plywise.web.visit import sentence

            words = {"tell": "error", "game": table.id, "words": sentence(error)}
            self.visit.tell((table.id, "error"), json.dumps(words))

    def _slice(self, engine: Engine, ready: threading.Event) -> bool:
        """Search until somebody else needs the slot; whether there is nothing more to find."""
        before, begun = (self._nodes, self._seconds), time.monotonic()

        def tell(report: Progress) -> None:
            self._nodes = before[0] + report.nodes
            self._seconds = before[1] + report.seconds
            done = report.depth - (report.current is not None)
            if report.lines and done >= self._depth:
                self._depth, self._full = done, report.full or self._full
                if report.lines is not self._found:
                    self._found = report.lines
                    self._said = [line_data(self.history, line, self.evaluator) for line in report.lines]
            if not self._fast and ready.is_set():
                self._room.set()  # the compiled search is there: go on with it
            self._tell()

        def tick() -> None:
            if time.monotonic() - self._told < EVERY or not self._said:
                return
            self._nodes = before[0] + engine.nodes
            self._seconds = before[1] + time.monotonic() - begun
            self._tell()

        result = searched(engine, self.history, Limits(), self._room, tell, self.lines, tick)
        self._nodes = before[0] + result.nodes
        self._seconds = before[1] + time.monotonic() - begun
        return not self._room.is_set()

    def _tell(self, over: bool = False) -> None:
        if self.ended.is_set():
            return
        self._told = time.monotonic()
        message = {
            "tell": "analysis",
            "game": self.table.id,
            "node": self.n,
            "depth": self._depth,
            "nodes": self._nodes,
            "seconds": round(self._seconds, 2),
            "speed": round(self._nodes / self._seconds) if self._seconds > 0.001 else 0,
            "full": self._full,
            "compiled": self._fast,
            "evaluator": self.evaluator,
            "lines": self._said,
            "over": over,
        }
        words = json.dumps(message)
        with self._telling:
            if not self.ended.is_set():
                self.visit.tell((self.table.id, "analysis"), words, EVERY)
