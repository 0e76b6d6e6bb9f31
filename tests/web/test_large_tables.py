"""Hash tables of a visitor's choice: one each, within the memory, gone with the visitor."""

import threading
from pathlib import Path

import pytest

import plywise
from plywise.play.engine_pool import SERVER_TABLE, EnginePool
from plywise.web.hub import Hub
from plywise.web.jobs import large_tables
from plywise.web.jobs.large_tables import LargeTables
from plywise.web.server import Server
from plywise.web.store import Store
from tests.web.page import TIMEOUT, Page
from tests.web.test_connection import until

NEVER = threading.Event()


def pool() -> EnginePool:
    return EnginePool(plywise.load("tic_tac_toe"))


def test_a_visitor_keeps_one_table_and_gets_another_size_in_its_place() -> None:
    tables, engines = LargeTables(200), pool()
    with tables.borrow("a", engines, 32, NEVER) as first:
        assert first is not None and first.table.megabytes == 32
    with tables.borrow("a", engines, 32, NEVER) as again:
        assert again is first, "what it has found is still known"
    with tables.borrow("a", engines, 64, NEVER) as larger:
        assert larger is not None and larger.table.megabytes == 64
    assert tables.megabytes == 64


def test_another_page_of_the_visitor_goes_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_tables, "TIMEOUT", 0.0)
    tables, engines = LargeTables(200), pool()
    with tables.borrow("a", engines, 32, NEVER) as first, tables.borrow("a", engines, 32, NEVER) as second:
        assert first is not None and second is None


def test_all_tables_stay_within_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_tables, "TIMEOUT", 0.0)
    tables, engines = LargeTables(100), pool()
    with tables.borrow("a", engines, 64, NEVER), tables.borrow("b", engines, 64, NEVER) as second:
        assert second is None, "a searches with it"
    with tables.borrow("b", engines, 64, NEVER) as second:
        assert second is not None, "a's is dropped: nobody uses it"
    assert tables.megabytes == 64
    tables.drop("b")
    assert tables.megabytes == 0


def test_a_visitor_who_has_gone_gets_no_table_any_more() -> None:
    """His analysis may be about to ask for one when it is stopped, and what he had is dropped."""
    tables, stopped = LargeTables(100), threading.Event()
    stopped.set()
    tables.drop("a")
    with tables.borrow("a", pool(), 64, stopped) as engine:
        assert engine is None
    assert tables.megabytes == 0


def test_sizes_are_offered_as_the_memory_allows() -> None:
    assert LargeTables(0).sizes == [SERVER_TABLE]
    assert LargeTables(300).sizes == [16, 32, 64, 128]
    assert large_tables.memory() > 0


def test_a_page_analyses_with_its_threads_and_its_table(folder: Path) -> None:
    server = Server(Hub(Store(folder / "games.sqlite")), 0).start()
    try:
        with Page(server.port) as page:
            limits = page.greeting["analysis"]
            assert limits["threads"] == server.hub.scheduler.count
            id = page.new("connect_four")
            assert server.hub.engines(server.hub.live_games[id]).ready.wait(TIMEOUT)
            page.ask("analyse", game=id, node=0, threads=1000, hash=33)
            news = page.wait_for("analysis", lambda one: one["depth"] >= 4 and one["compiled"])
            assert (news["threads"], news["hash"]) == (limits["threads"], 32)
            assert server.hub.large_tables.megabytes == 32
        # It is gone with the visitor: a little later than the connection.
        assert until(lambda: server.hub.large_tables.megabytes == 0)
    finally:
        server.stop()
