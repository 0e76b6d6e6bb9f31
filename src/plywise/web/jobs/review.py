"""A review of a whole game: the chances at each node, and which moves were mistakes (`explain/marks.py`).

It waits until the game is compiled, and tells the page so: what an uncompiled search sees in a moment is no
judgement. For the same reason a compiled search that got too little of a busy processor is given more time.
"""

import json
import threading
from typing import Any

from plywise.core.history import History
from plywise.core.scores import WIN
from plywise.play.engine_pool import EnginePool
from plywise.play.readiness import waiting_text
from plywise.search.limits import Limits
from plywise.search.result import Result
from plywise.web.connection import Connection, error_text
from plywise.web.jobs.cancellable import search_with_stop
from plywise.web.jobs.scheduler import ANALYSING, Cancelled
from plywise.web.live import practice
from plywise.web.live.game import LiveGame
from plywise.web.live.tree import Node
from plywise.web.payloads import first_chance, result_words

POLL = 0.05  # seconds between looks at whether the compiler is done, or nobody wants the review any more
LEAST_NODES = 30_000  # of a compiled search: some hundredths of a second, if it has the processor to itself
MOST_SLOWDOWN = 20  # times the seconds of a position: how long it may take to visit as many nodes


class Review:
    """One review for one page: the line from the start through the tip to its end.

    What the owner's review finds is `saved` with the game; that of others only they see.
    """

    def __init__(
        self, connection: Connection, live_game: LiveGame, seconds: float, saved: bool = True
    ) -> None:
        self.connection, self.live_game, self.seconds = connection, live_game, seconds
        self.saved = saved
        self.cancelled = threading.Event()
        with live_game.lock:
            self.line = live_game.tree.line_through_tip()
        self.entries: dict[int, dict[str, Any]] = {}
        self._done = 0
        self._send_lock = threading.Lock()

    def start(self) -> None:
        self.connection.hub.search_threads.start(self.connection.known_owner, self._run)

    def stop(self) -> None:
        """End it; what is found stays, and nothing more is sent."""
        with self._send_lock:
            self.cancelled.set()
        self.connection.discard((self.live_game.id, "review"))
        self.connection.hub.scheduler.wake()

    def _run(self) -> None:
        live_game = self.live_game
        try:
            earlier: tuple[float, str | None] | None = None
            self._send_report()
            for node in self.line:
                earlier = self._review_node(node, earlier)
                if self.cancelled.is_set():
                    return
                self._done += 1
                self._send_report()
            if self.saved:
                marks = {n: (one["mark"], one["chance"]) for n, one in self.entries.items()}
                practice.save_marks(live_game, marks)
        except Cancelled:
            pass
        except Exception as error:
            words = {"tell": "error", "game": live_game.id, "words": error_text(error)}
            self.connection.send((live_game.id, "error"), json.dumps(words))

    def _review_node(self, node: Node, earlier: tuple[float, str | None] | None) -> tuple[float, str | None]:
        """Judge a node by what was known one move before; its chance and best move, for the next one."""
        from plywise.explain.marks import accuracy, move_mark

        live_game, game = self.live_game, self.live_game.game
        with live_game.lock:
            state = node.state
        history = state.view(state.turn)
        outcome = state.outcome
        if outcome is not None:
            chance = 0.5 if outcome.winner is None else float(outcome.winner == 0)
            score = 0 if outcome.winner is None else WIN if outcome.winner == 0 else -WIN
            words, best = outcome.short_reason, None
        else:
            result = self._search(history)
            chance = first_chance(game, history.turn, result.score, live_game.evaluator)
            score = result.score if history.turn == 0 else -result.score
            words = result_words(history, result)
            best = None if result.move is None else game.label(history.position, result.number)
        entry = {
            "score": score,
            "chance": chance,
            "words": words,
            "best": None,
            "mark": None,
            "accuracy": None,
        }
        if earlier is not None and node.side is not None:
            was, entry["best"] = earlier
            mine = (was, chance) if node.side == 0 else (1 - was, 1 - chance)
            if entry["best"] != node.label:
                entry["mark"] = move_mark(*mine)
            entry["accuracy"] = round(accuracy(*mine), 1)
        self.entries[node.n] = entry
        return chance, best

    def _search(self, history: History) -> Result:
        hub = self.connection.hub
        engines = hub.engines(self.live_game)
        self._wait_until_compiled(engines)
        with (
            hub.scheduler.hold(
                self.connection.known_owner, ANALYSING, wanted=lambda: not self.cancelled.is_set()
            ),
            engines.borrow(large=True, stopped=self.cancelled) as engine,
        ):
            if engine is None:
                raise Cancelled
            result = search_with_stop(engine, history, Limits(time=self.seconds), self.cancelled)
            if engine.specialisation.compiled and result.nodes < LEAST_NODES and not self.cancelled.is_set():
                longer = Limits(nodes=LEAST_NODES, time=MOST_SLOWDOWN * self.seconds)
                result = search_with_stop(engine, history, longer, self.cancelled)
            return result

    def _wait_until_compiled(self, engines: EnginePool) -> None:
        """Wait, and tell the page how long; returns at once for a plain game, or once no compiler works."""
        told: str | None = None
        while not engines.ready.wait(POLL):
            if self.cancelled.is_set():
                raise Cancelled
            readiness = engines.readiness
            if readiness is None:  # it is only loaded, which takes a moment
                continue
            words = waiting_text("The review", self.live_game.game.title, readiness)
            if words != told:
                told = words
                self._send_report(words)
        if told is not None:
            self._send_report()

    def _send_report(self, waiting: str | None = None) -> None:
        message = {
            "tell": "review",
            "game": self.live_game.id,
            "done": self._done,
            "of": len(self.line),
            "waiting": waiting,
            "nodes": {str(n): entry for n, entry in self.entries.items()},
        }
        with self._send_lock:
            if not self.cancelled.is_set():
                self.connection.send((self.live_game.id, "review"), json.dumps(message), 0.1)
