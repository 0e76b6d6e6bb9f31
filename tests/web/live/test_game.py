"""A live game without a server: what it saves before anybody hears of it."""

import json
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise.play.engine_pool import EnginePool
from plywise.play.state import start_game
from plywise.web.jobs.scheduler import Scheduler, SearchThreads
from plywise.web.live.game import LiveGame
from plywise.web.live.practice import count_hint
from plywise.web.live.tree import PERSON, GameStatus
from plywise.web.schema import Refused
from plywise.web.store import NotSaved, Row, StaleVersion, Store


class Services:
    """What the hub is to a live game."""

    def __init__(self, store: Store) -> None:
        self.store, self.scheduler, self.turn_threads = store, Scheduler(1), SearchThreads()

    def engines(self, live_game: LiveGame) -> EnginePool:
        raise AssertionError("persons only")

    def unload(self, live_game: LiveGame) -> None:
        pass


class Listener:
    """A watcher that looks at the store whenever it hears of a new state."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.heard: list[tuple[int, int]] = []  # the version that was sent, and the one on disk

    def send(self, key: Any, words: str, every: float = 0.0) -> None:
        message = json.loads(words)
        kept = self.store.get(message["game"])
        assert kept is not None and message["tell"] == "state"
        self.heard.append((message["version"], kept.version))


@pytest.fixture
def store(folder: Path) -> Store:
    return Store(folder / "games.sqlite")


def new_game(store: Store) -> LiveGame:
    game = plywise.load("tic_tac_toe")
    state = start_game(game)
    settings = {"seats": [PERSON, PERSON], "evaluator": "default", "clock": None, "seed": 1}
    settings["root"] = state.serialise()[0]
    row = Row("g1", "me", "tic_tac_toe", settings, GameStatus().to_json(0, None), {})
    live_game = LiveGame(Services(store), row, game)
    store.add(live_game.to_row())
    return live_game


def test_a_change_is_on_disk_before_anybody_hears_of_it(store: Store) -> None:
    live_game, listener = new_game(store), Listener(store)
    live_game.add_watcher(listener)
    live_game.play(0, "b2")
    live_game.undo()
    live_game.redo()
    live_game.offer_draw(0)
    live_game.end(1, "x resigned", resigned=0)
    assert listener.heard == [(version, version) for version in range(1, 7)]


def test_a_game_comes_back_from_the_store(store: Store) -> None:
    live_game = new_game(store)
    for move in ("b2", "a1"):
        live_game.play(live_game.tip.n, move)
    row = store.get("g1")
    assert row is not None
    again = LiveGame(Services(store), row, live_game.game)
    assert again.state_payload() == live_game.state_payload()
    assert again.to_row().nodes == live_game.to_row().nodes


def test_what_the_disk_refuses_has_not_happened(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    live_game = new_game(store)
    before = live_game.state_payload()

    def refuse(*rest: object) -> int:
        raise NotSaved("the disk is full")

    monkeypatch.setattr(store, "change", refuse)
    for change in (
        lambda: live_game.play(0, "b2"),
        lambda: count_hint(live_game),
        lambda: live_game.end(0, "x"),
    ):
        with pytest.raises(NotSaved):
            change()
    assert live_game.state_payload() == before


def test_a_game_that_went_on_elsewhere_is_loaded_again(store: Store) -> None:
    here = new_game(store)
    row = store.get("g1")
    assert row is not None
    there = LiveGame(Services(store), row, here.game)
    here.play(0, "b2")
    with pytest.raises(StaleVersion):
        there.play(0, "a1")
    assert (there.tip.n, there.version) == (1, here.version)
    there.play(1, "a1")
    assert there.tip.n == 2


def test_what_holds_at_a_node_depends_on_the_tip(store: Store) -> None:
    live_game = new_game(store)
    live_game.play(0, "b2")
    live_game.end(0, "o resigned", resigned=1)
    assert live_game.context(0).outcome is None and live_game.context(0).side == 0
    live_game.context(1).require_running()  # the study goes on where a side has resigned
    with pytest.raises(Refused, match="the game is over: o resigned"):
        live_game.require_running()
