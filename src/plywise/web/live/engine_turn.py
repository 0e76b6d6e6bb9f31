"""Engines at their turn: each waits for a slot, searches, and hands its choice to the game."""

import threading
import time
from typing import Protocol

from plywise.core.errors import PlywiseError, exception_text
from plywise.play.clock import Clock
from plywise.play.player import Player
from plywise.play.state import GameState
from plywise.search.result import Progress
from plywise.web.jobs.scheduler import PLAYING, Cancelled, Scheduler, SearchThreads
from plywise.web.live.tree import Choices

REPORT_INTERVAL = 0.1  # seconds between two reports to a page


class TurnListener(Protocol):
    """The game that engines play. All but `player` are called in the engine's thread."""

    def player(self, side: int) -> Player:
        """The player of a side."""
        ...

    def engine_reported(self, turn: "EngineTurn", report: Progress) -> None:
        """An engine has found something."""
        ...

    def engine_chose(self, turn: "EngineTurn", moves: tuple[str, ...]) -> None:
        """An engine has made its choice."""
        ...

    def engine_failed(self, turn: "EngineTurn", words: str) -> None:
        """An engine cannot choose."""
        ...

    def engine_ended(self) -> None:
        """The thread of an engine ends, whatever came of it."""
        ...


class EngineTurn:
    """One choice of one engine. With a clock, the wait for a thread and a slot is taken from its time."""

    def __init__(
        self,
        turns: "EngineTurns",
        state: GameState,
        side: int,
        clock: Clock | None = None,
        min_seconds: float = 0.0,
    ) -> None:
        self.turns, self.state, self.side = turns, state, side
        self.clock, self.min_seconds = clock, min_seconds
        self.cancelled, self.started = threading.Event(), False
        self._player: Player | None = None
        self._started_at = self._last_report = time.monotonic()

    def start(self) -> None:
        """Think, unless it does already."""
        if not self.started:
            self.started = True
            self.turns.threads.start_when_free(
                self.turns.owner, self._run, lambda: not self.cancelled.is_set()
            )

    def cancel(self) -> None:
        """Nobody wants the answer any more."""
        self.cancelled.set()
        if self._player is not None:
            self._player.stop()
        self.turns.scheduler.wake()

    def _run(self) -> None:
        listener = self.turns.listener
        try:
            self._player = player = listener.player(self.side)
            with self.turns.scheduler.hold(
                self.turns.owner, PLAYING, player.stop, lambda: not self.cancelled.is_set()
            ):
                decision = player.think(
                    self.state, self.side, clock=self._remaining_clock(), progress=self._report
                )
            self.cancelled.wait(max(0.0, self.min_seconds - (time.monotonic() - self._started_at)))
            if not self.cancelled.is_set():
                listener.engine_chose(self, decision.moves)
        except Cancelled:
            pass
        except PlywiseError as error:
            listener.engine_failed(self, str(error))
        except Exception as error:
            listener.engine_failed(self, f"the engine cannot go on: {exception_text(error)}")
        finally:
            listener.engine_ended()

    def _remaining_clock(self) -> Clock | None:
        """The clock after the wait for a slot."""
        if self.clock is None:
            return None
        waited = time.monotonic() - self._started_at
        return Clock(max(self.clock.left - waited, 0.01), self.clock.increment)

    def _report(self, report: Progress) -> None:
        if self.cancelled.is_set():
            if self._player is not None:
                self._player.stop()  # in case it was cancelled before it began
            return
        now = time.monotonic()
        if report.lines and now - self._last_report >= REPORT_INTERVAL:
            self._last_report = now
            self.turns.listener.engine_reported(self, report)


class EngineTurns:
    """The engines that have to choose for one game at present. The caller holds the game's lock."""

    def __init__(
        self, scheduler: Scheduler, threads: SearchThreads, owner: str, listener: TurnListener
    ) -> None:
        self.scheduler, self.threads, self.owner, self.listener = scheduler, threads, owner, listener
        self.choices: Choices = {}  # made already, where the other side has not chosen yet
        self._turns: dict[int, EngineTurn] = {}

    @property
    def sides(self) -> list[int]:
        """The sides whose engines think, or are about to."""
        return sorted(self._turns)

    def plan(self, side: int, state: GameState, clock: Clock | None, min_seconds: float) -> None:
        """Let the engine of a side choose; it begins with the next `start`."""
        if side not in self._turns:
            self._turns[side] = EngineTurn(self, state, side, clock, min_seconds)

    def start(self) -> None:
        """Let engines think that do not yet."""
        for turn in self._turns.values():
            turn.start()

    def is_current(self, turn: EngineTurn) -> bool:
        """Whether the game still waits for this choice."""
        return self._turns.get(turn.side) is turn

    def finish(self, turn: EngineTurn) -> None:
        """The choice is made: its engine does not think any more."""
        del self._turns[turn.side]

    def cancel(self) -> None:
        """Stop all engines, and forget what they have chosen."""
        for turn in self._turns.values():
            turn.cancel()
        self._turns.clear()
        self.choices = {}
