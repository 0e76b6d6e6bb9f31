"""The engine pool: an uncompiled engine until a compiled one is there, and calls to those who wait."""

import threading

from plywise.play.engine_pool import EnginePool
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
    calls: list[bool] = []
    pool = Uncompiled(sample("pebbles"))
    pool.on_compile("one", calls.append)
    pool._notify(False)
    pool.on_compile("one", calls.append)
    assert calls == [False]
    pool.on_compile("two", calls.append)
    assert calls == [False, False], "who comes later is called, too"
    pool.ready.set()
    pool._notify(True)
    pool._notify(True)
    assert calls == [False, False, True, True]
