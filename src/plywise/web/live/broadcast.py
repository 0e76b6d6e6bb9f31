"""Broadcasts: who watches one game, and what all of them are sent."""

import json
from collections.abc import Callable, Hashable
from typing import Any, Protocol

MAX_CACHED_VIEWS = 64  # of one game, for pages that step to and fro


class Watcher(Protocol):
    """Somebody who is sent messages: a connection."""

    def send(self, key: Hashable, words: str, every: float = 0.0) -> None:
        """Send a message in place of one that waits under the same key, at most one in `every` seconds."""
        ...


class Broadcast:
    """The watchers of one game. Its views are made once and kept for the next who asks."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.watchers: set[Watcher] = set()
        self._views: dict[Hashable, dict[str, Any]] = {}

    def __bool__(self) -> bool:
        """Whether anybody watches."""
        return bool(self.watchers)

    def add(self, watcher: Watcher) -> None:
        self.watchers.add(watcher)

    def remove(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)

    def send(self, message: dict[str, Any], key: Hashable, every: float = 0.0) -> None:
        """Send a message to all who watch."""
        if self.watchers:
            words = json.dumps(message)
            for watcher in list(self.watchers):
                watcher.send((self.game_id, key), words, every)

    def send_error(self, words: str) -> None:
        """Tell all who watch what went wrong."""
        self.send({"tell": "error", "game": self.game_id, "words": words}, "error")

    # --- views --------------------------------------------------------------------------------------
    def view(self, key: Hashable, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The view of that key; it is made if it is not kept."""
        if key not in self._views:
            view = make()
            if len(self._views) >= MAX_CACHED_VIEWS:
                self._views.pop(next(iter(self._views)))
            self._views[key] = view
        return self._views[key]

    def forget_views(self) -> None:
        """Another server has changed the game: what was drawn may be wrong."""
        self._views.clear()
