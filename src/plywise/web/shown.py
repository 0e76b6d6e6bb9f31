"""A game as pages see it: its moments, how it stands, and the news of it."""

import json
from typing import TYPE_CHECKING, Any

from plywise.web.kept import Kept
from plywise.web.store import Row
from plywise.web.thinking import Job
from plywise.web.views import outcome_data, view_data

if TYPE_CHECKING:
    from plywise.core.game import Game
    from plywise.web.house import House
    from plywise.web.visit import Visit

VIEWS = 64  # kept for those who walk to and fro


class Shown(Kept):
    """A kept game with those who watch it."""

    def __init__(self, house: "House", row: Row, game: "Game") -> None:
        super().__init__(house, row, game)
        self.watchers: set[Visit] = set()
        self.jobs: dict[int, Job] = {}
        self._views: dict[Any, dict[str, Any]] = {}

    def _load(self, row: Row) -> None:
        super()._load(row)
        self._views = {}

    def view(self, n: int) -> dict[str, Any]:
        """The moment of a node as the page draws it."""
        with self.lock:
            node = self.node(n)
            stage = node.stage
            here = n == self.standing.tip
            chosen = self.standing.chosen if here else {}
            side = self.side_choosing(stage, chosen)
            outcome = self.outcome if here else stage.outcome
            key = n, side, chosen.get(side, ()), outcome
            if key not in self._views:
                if len(self._views) >= VIEWS:
                    self._views.pop(next(iter(self._views)))
                person = side in self.people
                self._views[key] = view_data(stage, n, side, chosen.get(side, ()), outcome, person)
            return self._views[key]

    def state(self) -> dict[str, Any]:
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
                "orientation": self.standing.orientation,
                "nodes": [node.data(self.standing.marks.get(node.n)) for node in self.nodes],
                "tip": self.standing.tip,
                "view": self.view(self.standing.tip),
                "thinking": sorted(self.jobs),
                "clock": self._clock_data(),
                "hints": self.standing.hints,
                "paused": self.standing.paused,
                "outcome": outcome_data(self.game, outcome),
                "offered": self.standing.offered,
                "resigned": self.standing.resigned,
                "can": {
                    "back": self._back() is not None,
                    "forward": self._forward() is not None,
                    "offer": open_ and person,
                },
            }

    def _clock_data(self) -> dict[str, Any] | None:
        if self.clocks is None:
            return None
        return {
            "left": [round(left, 3) for left in self.clocks.shows(self.now())],
            "running": min(self.clocks.running, default=None),
            "increment": self.clocks.increment,
        }

    # --- telling ----------------------------------------------------------------------------------
    def tell(self, message: dict[str, Any], key: Any, every: float = 0.0) -> None:
        """Tell all who watch."""
        if self.watchers:
            words = json.dumps(message)
            for visit in list(self.watchers):
                visit.tell((self.id, key), words, every)

    def tell_state(self) -> None:
        """Tell all who watch how the game stands now."""
        if self.watchers:
            self.tell(self.state(), "state")
