"""A game that was never compiled: the board is there at once, and play goes on meanwhile."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plywise.core.history import History
from plywise.play import engine_pool
from plywise.play.engine_pool import MAX_POOLS, EnginePools, compile_in_process
from plywise.play.readiness import Readiness, ReadinessListener
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Result
from plywise.search.specialisation import is_cached
from plywise.web.hub import Hub
from plywise.web.jobs import review
from plywise.web.server import Server
from plywise.web.store import Store
from tests.conftest import sample
from tests.web.page import TIMEOUT, Page


def test_play_goes_on_uncompiled_until_the_compiler_is_done(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str, str]] = []
    half, done = threading.Event(), threading.Event()

    def compiler(source: str, evaluator: str, player: str, listener: ReadinessListener) -> None:
        asked.append((source, evaluator, player))
        assert half.wait(TIMEOUT)
        listener(Readiness(0.5, 4.2))
        assert done.wait(TIMEOUT)

    monkeypatch.setattr(engine_pool, "is_cached", lambda game, evaluator, player: False)
    hub = Hub(Store(folder / "games.sqlite"), pool=EnginePools(2, compiler))
    server = Server(hub, 0).start()
    with Page(server.port) as page:
        id = page.new("connect_four", None, 2)
        news = page.wait_for("preparing")
        assert (news["game"], news["share"]) == (id, None)
        assert news["what"] == "Getting Connect Four ready (once, some seconds). You can play already."
        half.set()
        news = page.wait_for("preparing", lambda one: one["share"] is not None)
        assert news["share"] == 0.5
        assert news["what"] == "Getting Connect Four ready (once, about 4 s more). You can play already."
        with Page(server.port, page.visitor) as second:
            second.open(id)
            assert second.wait_for("preparing")["share"] == 0.5, "who comes later is told, too"
        page.play(id, "4")
        assert page.wait_for_turn(id)["tip"] == 2
        page.ask("analyse", game=id, node=2)
        assert not page.wait_for("analysis", lambda one: one["lines"])["compiled"]
        done.set()
        page.wait_for("preparing", lambda one: one["share"] == 1)
        assert page.wait_for("analysis", lambda one: one["compiled"])["lines"], "it goes on with the fast one"
        page.ask("quiet", game=id)
    server.stop()
    assert asked == [("connect_four", "default", "default")]


def test_a_review_waits_for_the_compiler_and_can_be_stopped_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half, done = threading.Event(), threading.Event()
    searched: list[bool] = []
    search = review.search_with_stop

    def compiler(source: str, evaluator: str, player: str, listener: ReadinessListener) -> None:
        assert half.wait(TIMEOUT)
        listener(Readiness(0.5, 4.2))
        assert done.wait(TIMEOUT)

    def search_and_note(engine: Engine, *rest: Any) -> Result:
        searched.append(engine.specialisation.compiled)
        return search(engine, *rest)

    monkeypatch.setattr(engine_pool, "is_cached", lambda game, evaluator, player: False)
    monkeypatch.setattr(review, "search_with_stop", search_and_note)
    hub = Hub(Store(folder / "games.sqlite"), pool=EnginePools(2, compiler))
    server = Server(hub, 0).start()
    with Page(server.port) as page:
        id = page.new("connect_four", moves=["4", "4"])
        page.ask("review", game=id, seconds=0.05)
        news = page.wait_for("review", lambda one: one["waiting"])
        assert news["waiting"] == "The review begins when Connect Four is ready (once, some seconds)."
        half.set()
        news = page.wait_for("review", lambda one: "about" in (one["waiting"] or ""))
        assert news["waiting"] == "The review begins when Connect Four is ready (once, about 4 s more)."
        assert (news["done"], news["nodes"]) == (0, {})
        page.ask("stop review", game=id)
        page.news.clear()
        page.ask("review", game=id, seconds=0.05)
        assert page.wait_for("review", lambda one: one["waiting"])["done"] == 0
        assert searched == []
        done.set()
        assert page.wait_for("review", lambda one: one["done"] == one["of"])["waiting"] is None
    server.stop()
    assert searched and all(searched)
    assert len(searched) <= 6, "three positions, each once or twice: the first review has ended"


def test_a_review_that_gets_too_little_of_the_processor_is_given_more(
    server: Server, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine some tenths of a second may be depth 1 or 2, which marks good moves as bad."""
    given: list[Limits] = []
    results: list[Result] = []
    search = review.search_with_stop

    def search_starved(engine: Engine, history: History, limits: Limits, stop: threading.Event) -> Result:
        given.append(limits)
        results.append(search(engine, history, replace(limits, nodes=limits.nodes or 20, time=None), stop))
        return results[-1]

    monkeypatch.setattr(review, "search_with_stop", search_starved)
    id = page.new("connect_four", moves=["4"])
    page.ask("review", game=id, seconds=0.05)
    news = page.wait_for("review", lambda one: one["done"] == one["of"])
    assert [limits.nodes for limits in given] == [None, review.LEAST_NODES] * 2
    assert all(limits.time for limits in given), "no position takes for ever"
    assert min(result.depth for result in results[1::2]) > max(result.depth for result in results[::2])
    assert news["nodes"]["0"]["score"] == results[1].score


@pytest.mark.thorough("compiles a game")
def test_another_process_compiles(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE", str(folder))
    duel = sample("duel")
    assert not is_cached(duel, "default")
    compile_in_process(str(duel.source), "default")
    assert is_cached(duel, "default")


def test_few_games_keep_their_tables() -> None:
    pool = EnginePools(1, lambda source, evaluator, player, listener: None)
    made = [
        pool.engines(sample("pebbles"), f"pebbles {number}", "default") for number in range(MAX_POOLS + 1)
    ]
    assert pool.engines(sample("pebbles"), f"pebbles {MAX_POOLS}", "default") is made[-1]
    assert pool.engines(sample("pebbles"), "pebbles 0", "default") is not made[0]
