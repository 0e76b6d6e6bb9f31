"""An engine at its turn: it waits for a slot, thinks, and tells its table what it has chosen."""

import threading
import time
from typing import TYPE_CHECKING

from plywise.core.errors import PlywiseError
from plywise.play.clock import Clock
from plywise.play.player import Player
from plywise.search.result import Progress
from plywise.web.slots import PLAYING, Cancelled
from plywise.web.views import line_words

if TYPE_CHECKING:
    from plywise.web.table import Table

PACE = 0.7  # seconds a move at least where engines play each other: somebody wants to see it
EVERY = 0.1  # seconds between two reports to a page


class Job:
    """One choice of one engine."""

    def __init__(self, table: "Table", side: int) -> None:
        self.table, self.side = table, side
        self.player: Player | None = None
        self.stage = table.tip.stage
        self.cancelled, self.started = threading.Event(), False
        self.begun = self.told = time.monotonic()
        self.clock: Clock | None = None
        if table.clocks is not None:
            self.clock = Clock(table.clocks.shows(table.now())[side], table.clocks.increment)

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
        self.table.house.slots.nudge()

    def _run(self) -> None:
        table, house = self.table, self.table.house
        try:
            self.player = table.player(self.side)
            with house.slots.hold(
                table.owner, PLAYING, self.player.stop, lambda: not self.cancelled.is_set()
            ):
                chosen = self.player.think(
                    self.stage, self.side, clock=self._remaining(), progress=self._tell
                )
            if not table.people:
                self.cancelled.wait(max(0.0, PACE - (time.monotonic() - self.begun)))
            if not self.cancelled.is_set():
                table.chose(self, chosen.moves)
        except Cancelled:
            pass
        except PlywiseError as error:
            table.failed(self, str(error))
        except Exception as error:
            table.failed(self, f"the engine cannot go on: {type(error).__name__}: {error}")
        finally:
            if not table.watchers and not table.jobs:
                house.rest(table)

    def _remaining(self) -> Clock | None:
        """The clock after the wait for a slot."""
        if self.clock is None:
            return None
        waited = time.monotonic() - self.begun
        return Clock(max(self.clock.left - waited, 0.01), self.clock.increment)

    def _tell(self, report: Progress) -> None:
        if self.cancelled.is_set():
            if self.player is not None:
                self.player.stop()  # in case it was cancelled before it began
            return
        now = time.monotonic()
        if not report.lines or now - self.told < EVERY:
            return
        self.told = now
        table, best = self.table, report.lines[0]
        history = self.stage.view(self.side)
        unit = table.game.evaluation(table.evaluator).unit
        table.tell(
            {
                "tell": "thinking",
                "game": table.id,
                "side": self.side,
                "depth": report.depth,
                "nodes": report.nodes,
                "words": line_words(history, best, unit),
                "line": list(best.moves),
            },
            ("thinking", self.side),
            EVERY,
        )
