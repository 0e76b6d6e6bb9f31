"""Limits by time are kept by the searching threads themselves: nobody has to watch them."""

import pytest

import plywise
from plywise.search import handle
from plywise.search.handle import Search

LONG = 300  # seconds: a test that waits for longer has failed


def wait_for_threads(search: Search) -> bool:
    """Whether the threads end while nobody asks for reports."""
    for thread in search._threads:
        thread.join(LONG)
    return not any(thread.is_alive() for thread in search._threads)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("compiled", [False, True])
def test_a_search_ends_in_time_though_nobody_watches_it(compiled: bool, threads: int) -> None:
    game = plywise.load("connect_four")
    engine = plywise.Engine(game, hash=1, compiled=compiled, threads=threads)
    search = engine.start(game.history(), time=0.05)
    next(search, None)  # on a busy machine the time is up before there is anything to report
    assert wait_for_threads(search)
    assert search.result().move is not None


@pytest.mark.parametrize("compiled", [False, True])
def test_a_ponder_hit_ends_in_time_though_nobody_watches_it(compiled: bool) -> None:
    game = plywise.load("connect_four")
    search = plywise.Engine(game, hash=1, compiled=compiled).start(game.history(), infinite=True)
    next(search)
    search.hurry(0.02)
    assert wait_for_threads(search)
    assert search.result().move is not None


def test_the_clock_is_read_more_often_where_nodes_take_long() -> None:
    game = plywise.load("connect_four")
    engine = plywise.Engine(game, hash=1, compiled=False)
    engine.search(game.history(), time=0.2)
    assert engine.thread_states(1)[0].record.poll_nodes < 1024


def test_a_stop_is_seen_among_the_first_nodes() -> None:
    game = plywise.load("connect_four")
    search = plywise.Engine(game, hash=1).start(game.history(), infinite=True)
    search.stop()
    assert search.result().nodes < 100


@pytest.mark.parametrize("compiled", [False, True])
def test_the_first_iteration_is_finished_though_the_time_is_up(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handle, "FIRST_TIME", LONG * handle.SECOND)
    game = plywise.load("connect_four")
    result = plywise.Engine(game, hash=1, compiled=compiled).search(game.history("444"), time=1e-9)
    assert result.depth == 1 and result.nodes < 100


@pytest.mark.parametrize("seconds", [1e15, float("inf")])
def test_any_time_is_a_limit(seconds: float) -> None:
    game = plywise.load("tic_tac_toe")
    search = plywise.Engine(game, hash=1).start(game.history(), time=seconds, depth=2)
    search.hurry(seconds)
    assert search.result().depth == 2
