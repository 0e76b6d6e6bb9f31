"""The engine pool: an uncompiled engine until a compiled one is there, and calls to those who wait."""

import threading
from pathlib import Path

import pytest

from plywise import load
from plywise.play import engine_pool
from plywise.play.engine_pool import STAND_IN_SECONDS, EnginePool
from plywise.play.levels import Level
from plywise.play.player import Player
from plywise.play.readiness import DONE, Readiness
from plywise.play.state import start_game
from plywise.search.engine import Engine
from tests.conftest import sample


class Uncompiled(EnginePool):
    """A pool that compiles nothing."""

    def prepare(self) -> None:
        pass


def test_a_table_is_kept_by_large_engines_only() -> None:
    pool = Uncompiled(sample("pebbles"))
    with pool.borrow() as first:
        assert first is not None
        assert not first.specialisation.compiled
        first.search(pool.game.history(), depth=3)
    with pool.borrow(large=True) as second:
        assert second is first, "an idle engine is lent again"
        assert len(second.table.entries) > 0
    with pool.borrow():
        assert len(first.table.entries) == 0


def test_nobody_waits_for_an_engine_after_a_stop() -> None:
    pool, stopped = Uncompiled(sample("pebbles"), most=1), threading.Event()
    stopped.set()
    with pool.borrow(), pool.borrow(stopped=stopped) as engine:
        assert engine is None


def test_who_waits_for_the_compiler_is_called_once() -> None:
    calls: list[Readiness] = []
    half = Readiness(0.5, 4.0)
    pool = Uncompiled(sample("pebbles"))
    pool.on_compile("one", calls.append)
    pool._notify(half)
    pool.on_compile("one", calls.append)
    assert calls == [half]
    pool.on_compile("two", calls.append)
    assert calls == [half, half], "who comes later is called, too"
    pool.ready.set()
    pool._notify(DONE)
    pool._notify(DONE)
    assert calls == [half, half, DONE, DONE]
    assert pool.readiness is None


def test_the_uncompiled_search_gives_way_only_while_a_compiler_works() -> None:
    pool = Uncompiled(sample("pebbles"))
    assert pool.stand_in_seconds == STAND_IN_SECONDS
    pool.ready.set()
    assert pool.stand_in_seconds is None, "also where compiling failed: nothing comes after it"


def test_an_analysis_from_position_to_position_has_a_tenth_of_the_time_beside_the_compiler() -> None:
    pool = Uncompiled(sample("pebbles"))
    moments = (0.0, 0.3, 0.6, 3.6, 60.0)
    assert [pool.take_analysis_seconds(now) for now in moments] == pytest.approx([1.0, 0.1, 0.1, 0.3, 1.0])
    pool.ready.set()
    assert pool.take_analysis_seconds(61.0) is None


def test_a_player_leaves_the_processor_to_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without that, this search would take for ever: nothing else limits it."""
    monkeypatch.setattr(engine_pool, "STAND_IN_SECONDS", 0.01)
    game = load("chess")
    deep = Level(0, "deep", "", depth=60, seconds=1e6)
    player = Player(game, deep, pool=Uncompiled(game), seed=1)
    state = start_game(game)
    assert player.think(state, 0).moves[0] in state.view(0).moves


def test_no_process_compiles_what_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code would be lost with it; the pool's own thread makes it instead."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("PLYWISE_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(
        engine_pool, "Engine", lambda *words, compiled, **more: Engine(*words, compiled=False, **more)
    )
    asked: list[str] = []
    pool = EnginePool(sample("pebbles"), compiler=lambda source, *rest: asked.append(source))
    pool.prepare()
    assert pool.ready.wait(240)
    assert not asked and not pool.failed
