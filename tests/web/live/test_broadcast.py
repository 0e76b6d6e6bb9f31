"""Broadcasts: everybody who watches is sent the same, and views are made once."""

import json
from typing import Any

from plywise.web.live.broadcast import MAX_CACHED_VIEWS, Broadcast


class Listener:
    def __init__(self) -> None:
        self.messages: list[tuple[Any, dict[str, Any], float]] = []

    def send(self, key: Any, words: str, every: float = 0.0) -> None:
        self.messages.append((key, json.loads(words), every))


def test_all_watchers_and_nobody_else_are_sent_a_message() -> None:
    broadcast = Broadcast("g1")
    assert not broadcast
    here, gone = Listener(), Listener()
    for watcher in (here, gone):
        broadcast.add(watcher)
    broadcast.remove(gone)
    broadcast.send({"tell": "state"}, "state", 0.5)
    broadcast.send_error("no")
    assert broadcast and gone.messages == []
    assert here.messages == [
        (("g1", "state"), {"tell": "state"}, 0.5),
        (("g1", "error"), {"tell": "error", "game": "g1", "words": "no"}, 0.0),
    ]


def test_a_view_is_made_once_until_it_is_forgotten() -> None:
    broadcast = Broadcast("g1")
    made: list[int] = []

    def view(n: int) -> dict[str, Any]:
        return broadcast.view(n, lambda: {"n": n, "times": made.append(n) or made.count(n)})  # type: ignore[func-returns-value]

    assert view(0) is view(0)
    broadcast.forget_views()
    assert view(0)["times"] == 2
    for n in range(1, MAX_CACHED_VIEWS + 1):
        view(n)
    assert view(0)["times"] == 3, "the oldest view makes room"
    assert view(MAX_CACHED_VIEWS)["times"] == 1
