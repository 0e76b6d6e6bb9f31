"""A game as pages see it: its moments, how it stands, and the news of it."""

import json
from typing import TYPE_CHECKING, Any

from plywise.web.live.engine_turn import EngineTurn
from plywise.web.live.saved import SavedGame
from plywise.web.payloads import outcome_payload, view_payload
from plywise.web.store import Row

if TYPE_CHECKING:
    from plywise.core.game import Game
    from plywise.web.connection import Connection
    from plywise.web.hub import Hub

MAX_CACHED_VIEWS = 64  # kept for those who walk to and fro


class WatchedGame(SavedGame):
    """A saved game with the connections that watch it."""

    def __init__(self, hub: "Hub", row: Row, game: "Game") -> None:
        super().__init__(hub, row, game)
        self.watchers: set[Connection] = set()
        self.engine_turns: dict[int, EngineTurn] = {}
        self._view_cache: dict[Any, dict[str, Any]] = {}

    def _load(self, row: Row) -> None:
        super()._load(row)
        self._view_cache = {}

    def view_payload(self, n: int) -> dict[str, Any]:
        """The moment of a node as the page draws it."""
        with self.lock:
            node = self.node(n)
            state = node.state
            at_tip = n == self.status.tip
            chosen = self.status.chosen if at_tip else {}
            side = self.side_to_choose(state, chosen)
            outcome = self.outcome if at_tip else state.outcome
            key = n, side, chosen.get(side, ()), outcome
            if key not in self._view_cache:
                if len(self._view_cache) >= MAX_CACHED_VIEWS:
                    self._view_cache.pop(next(iter(self._view_cache)))
                person = side in self.people
                self._view_cache[key] = view_payload(state, n, side, chosen.get(side, ()), outcome, person)
            return self._view_cache[key]

    def state_payload(self) -> dict[str, Any]:
        """All that a page shows of a running game."""
        with self.lock:
            outcome = self.outcome
            person = bool(self.people)
            open_ = outcome is None
            return {
                "tell": "state",
                "game": self.id,
                "version": self.version,
                "name": self.name,
                "title": self.game.title,
                "seats": self.seats,
                "evaluator": self.evaluator,
                "orientation": self.status.orientation,
                "nodes": [node.payload(self.status.marks.get(node.n)) for node in self.nodes],
                "tip": self.status.tip,
                "view": self.view_payload(self.status.tip),
                "thinking": sorted(self.engine_turns),
                "clock": self._clock_payload(),
                "hints": self.status.hints,
                "paused": self.status.paused,
                "outcome": outcome_payload(self.game, outcome),
                "offered": self.status.offered,
                "resigned": self.status.resigned,
                "can": {
                    "back": self._undo_target() is not None,
                    "forward": self._redo_target() is not None,
                    "offer": open_ and person,
                },
            }

    def _clock_payload(self) -> dict[str, Any] | None:
        if self.clocks is None:
            return None
        return {
            "left": [round(left, 3) for left in self.clocks.remaining(self.now())],
            "running": min(self.clocks.running, default=None),
            "increment": self.clocks.increment,
        }

    # --- telling ----------------------------------------------------------------------------------
    def broadcast(self, message: dict[str, Any], key: Any, every: float = 0.0) -> None:
        """Tell all who watch."""
        if self.watchers:
            words = json.dumps(message)
            for connection in list(self.watchers):
                connection.send((self.id, key), words, every)

    def broadcast_state(self) -> None:
        """Tell all who watch how the game stands now."""
        if self.watchers:
            self.broadcast(self.state_payload(), "state")
