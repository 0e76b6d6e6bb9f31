"""The background player while its compiled engine is not there, or not yet."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

import plywise
from plywise.play import background, engine_pool, request
from plywise.play.background import BackgroundPlayer
from plywise.play.clock import Allowance, Clock, allowance
from plywise.play.request import SearchRequest, SearchTask
from plywise.search.engine import Engine

CHESS = plywise.load("chess")
PATIENCE = 240.0
MIDDLEGAME = "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N2NP1/PP2PPBP/R1BQ1RK1 w - - 0 9"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Compiled engines are there only when the event is set."""
    come = threading.Event()

    def engine(*words: Any, compiled: bool = True, **options: Any) -> Engine:
        if compiled:
            assert come.wait(PATIENCE)
        return Engine(*words, compiled=False, **options)

    monkeypatch.setattr(engine_pool, "Engine", engine)
    yield come
    come.set()


def silent(thought: SearchTask, report: Any) -> None:
    pass


def test_a_compiler_at_work_is_not_waited_for(held: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "is_compiling", lambda: True)
    assert not BackgroundPlayer(CHESS, silent).wait_until_ready(PATIENCE)


def test_code_that_is_only_loaded_is_waited_for(
    held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0

    def is_compiling() -> bool:
        nonlocal looks
        looks += 1
        if looks == 3:
            held.set()
        return False

    monkeypatch.setattr(background, "is_compiling", is_compiling)
    assert BackgroundPlayer(CHESS, silent).wait_until_ready(PATIENCE)
    assert looks >= 3, (
        "it waited until the code was there; the thread that loads it may be slower than a look"
    )


def test_a_first_answer_is_worth_more_than_its_share_of_the_clock(
    held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The uncompiled search gets no share at all here, and still a whole depth: the clock has time."""
    monkeypatch.setattr(request, "allowance", lambda clock, overhead, lag: Allowance(0.001, 0.001))
    player = BackgroundPlayer(CHESS, silent)
    asked = player.think(SearchRequest(CHESS.history(MIDDLEGAME), clock=Clock(PATIENCE)))
    assert asked.finished.wait(PATIENCE)
    assert asked.result is not None and asked.result.depth >= 1 and asked.result.nodes > 20


def test_a_stop_before_anything_was_found_gets_a_move_by_sight(
    held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The queen can be taken: the first move in the list does not do that."""
    monkeypatch.setattr(background, "SHALLOW_SEARCH", PATIENCE)
    player = BackgroundPlayer(CHESS, silent)
    hanging = CHESS.history("4k3/8/8/3q4/8/2N5/8/R3K2R w KQ - 0 1")
    asked = player.think(SearchRequest(hanging, infinite=True))
    player.stop()
    assert asked.finished.wait(PATIENCE)
    assert asked.result is not None and asked.result.move == "c3d5" != hanging.moves[0]


def test_who_ponders_takes_more_time_for_a_move(held: threading.Event) -> None:
    player, soft = BackgroundPlayer(CHESS, silent), []
    for ponder in (False, True):
        player.settings.ponder = ponder
        asked = player.think(SearchRequest(CHESS.history(), clock=Clock(60.0)))
        soft.append(asked.soft_limit or 0.0)
        player.cancel()
    assert soft[1] == pytest.approx(soft[0] * 1.25)


def test_a_pause_keeps_the_time_that_was_left(held: threading.Event) -> None:
    player = BackgroundPlayer(CHESS, silent)
    asked = player.think(SearchRequest(CHESS.history(), clock=Clock(60.0)), now=1000.0)
    player.pause(now=1001.0)
    assert player.is_paused and asked.answered and not player.is_thinking
    assert player.resume(now=1011.0) == 10.0
    again = player.task
    assert again is not None and not again.answered and player.is_thinking
    assert (again.started, again.deadline) == (1010.0, (asked.deadline or 0.0) + 10.0)
    player.cancel()


def test_analysis_leaves_the_processor_to_the_compiler(
    held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pool has one engine: it can be borrowed only when the uncompiled search has ended."""
    monkeypatch.setattr(background, "STAND_IN_SECONDS", 0.01)
    player = BackgroundPlayer(CHESS, silent)
    asked = player.think(SearchRequest(CHESS.history(MIDDLEGAME), infinite=True))
    while asked.search is None:
        threading.Event().wait(0.001)
    stand_in = asked.search
    with player.prepare().borrow() as engine:
        assert engine is not None
        assert not asked.finished.is_set(), "it waits, and has not answered"
    held.set()
    while asked.search is stand_in:
        threading.Event().wait(0.001)
    player.stop()
    assert asked.finished.wait(PATIENCE)
    assert asked.result is not None and asked.result.move in asked.request.history.moves


def test_a_move_with_a_clock_waits_for_the_compiler_no_longer_than_its_share(
    held: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "STAND_IN_SECONDS", 0.01)
    player = BackgroundPlayer(CHESS, silent)
    asked = player.think(SearchRequest(CHESS.history(MIDDLEGAME), clock=Clock(10.0)))
    assert asked.finished.wait(PATIENCE), "the compiled engine never comes, and an answer does"
    assert asked.result is not None and asked.result.depth >= 1


def test_after_a_late_move_more_of_the_clock_is_kept() -> None:
    """Until another game begins."""
    game = plywise.load("tic_tac_toe")
    player, history = BackgroundPlayer(game, silent), game.history()
    assert player.wait_until_ready(PATIENCE)

    def time_for(clock: Clock) -> float:
        task = player.think(SearchRequest(history, depth=1, clock=clock))
        assert task.finished.wait(PATIENCE) and task.deadline is not None
        return task.deadline - task.started

    first = Clock(100.0, 1.0)
    assert time_for(first) == pytest.approx(allowance(first).hard)
    assert player._lag._took is not None
    later = Clock(101.0 - player._lag._took - 0.5, 1.0)  # half a second was lost on the way
    for _ in range(2):
        history = history.play(game.move_text(history.position, game.moves(history.position)[0]))
    assert time_for(later) < allowance(later).hard - 0.1
    player.clear()
    assert time_for(later) == pytest.approx(allowance(later).hard)
