"""A game that was never compiled: the board is there at once, and play goes on meanwhile."""

import threading
from pathlib import Path

import pytest

from plywise.play import engine_pool
from plywise.play.engine_pool import MAX_POOLS, EnginePools, compile_in_process
from plywise.play.readiness import Readiness, ReadinessListener
from plywise.search.specialisation import is_cached
from plywise.web.hub import Hub
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
