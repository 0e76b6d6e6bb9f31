"""An engine at its turn: it waits for a slot, searches, and gives its live game the choice."""

import threading
import time
from typing import TYPE_CHECKING

from plywise.core.errors import PlywiseError, exception_text
from plywise.play.clock import Clock
from plywise.play.player import Player
from plywise.search.result import Progress
from plywise.web.jobs.scheduler import PLAYING, Cancelled
from plywise.web.payloads import line_words

if TYPE_CHECKING:
    from plywise.web.live.game import LiveGame

MIN_MOVE_SECONDS = 0.7  # seconds a move at least where engines play each other: somebody wants to see it
REPORT_INTERVAL = 0.1  # seconds between two reports to a page


class EngineTurn:
    """One choice of one engine."""

    def __init__(self, live_game: "LiveGame", side: int) -> None:
        self.live_game, self.side = live_game, side
        self.player: Player | None = None
        self.state = live_game.tip.state
        self.cancelled, self.started = threading.Event(), False
        self.started_at = self.last_report = time.monotonic()
        self.clock: Clock | None = None
        if live_game.clocks is not None:
            self.clock = Clock(live_game.clocks.remaining(live_game.now())[side], live_game.clocks.increment)

    def start(self) -> None:
        """Think, unless it does already."""
        if not self.started:
            self.started = True
            threading.Thread(target=self._run, daemon=True).start()

    def cancel(self) -> None:
        """Nobody wants the answer any more."""
        self.cancelled.set()
        if self.player is not None:
            self.player.stop()
        self.live_game.hub.scheduler.wake()

    def _run(self) -> None:
        live_game, hub = self.live_game, self.live_game.hub
        try:
            self.player = live_game.player(self.side)
            with hub.scheduler.hold(
                live_game.owner, PLAYING, self.player.stop, lambda: not self.cancelled.is_set()
            ):
                chosen = self.player.think(
                    self.state, self.side, clock=self._remaining_clock(), progress=self._report
                )
            if not live_game.people:
                self.cancelled.wait(max(0.0, MIN_MOVE_SECONDS - (time.monotonic() - self.started_at)))
            if not self.cancelled.is_set():
                live_game.finish_engine_turn(self, chosen.moves)
        except Cancelled:
            pass
        except PlywiseError as error:
            live_game.fail_engine_turn(self, str(error))
        except Exception as error:
            live_game.fail_engine_turn(self, f"the engine cannot go on: {exception_text(error)}")
        finally:
            if not live_game.watchers and not live_game.engine_turns:
                hub.unload(live_game)

    def _remaining_clock(self) -> Clock | None:
        """The clock after the wait for a slot."""
        if self.clock is None:
            return None
        waited = time.monotonic() - self.started_at
        return Clock(max(self.clock.left - waited, 0.01), self.clock.increment)

    def _report(self, report: Progress) -> None:
        if self.cancelled.is_set():
            if self.player is not None:
                self.player.stop()  # in case it was cancelled before it began
            return
        now = time.monotonic()
        if not report.lines or now - self.last_report < REPORT_INTERVAL:
            return
        self.last_report = now
        live_game, best = self.live_game, report.lines[0]
        history = self.state.view(self.side)
        unit = live_game.game.evaluation(live_game.evaluator).unit
        live_game.broadcast(
            {
                "tell": "thinking",
                "game": live_game.id,
                "side": self.side,
                "depth": report.depth,
                "nodes": report.nodes,
                "words": line_words(history, best, unit),
                "line": list(best.moves),
            },
            ("thinking", self.side),
            REPORT_INTERVAL,
        )
