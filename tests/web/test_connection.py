"""Connections that are abandoned, and questions without end: the others notice nothing."""

import json
import os
import socket
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from plywise import Engine, explain
from plywise.play import game_text
from plywise.web import hub
from plywise.web.connection import MAX_BAD_MESSAGES, MAX_WAITING_REPLIES, error_text
from plywise.web.hub import REQUEST_THREADS, SLOW_THREADS
from plywise.web.live.game import LiveGame
from plywise.web.live.tree import Node
from plywise.web.server import Server
from plywise.web.store import Row
from tests.web.page import Page, Refusal
from tests.web.process import Process

FULL = 0.5  # seconds in which answers fill all that holds them; where that takes longer, less is proven
LONG = 300.0  # seconds: what waits for longer has failed; `benchmarks/attack_page.py` measures how soon it is


def until(what: Callable[[], bool], patience: float = LONG) -> bool:
    end = time.monotonic() + patience
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def read_to_the_end(page: Page) -> None:
    while True:
        page.read()


class Deaf:
    """A page that sends and never reads: its own receiving thread would, so it is a bare socket."""

    def __init__(self, port: int, visitor: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), LONG)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        head = (
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        self.socket.sendall(head.encode())
        assert self.socket.recv(12) == b"HTTP/1.1 101"
        self.visitor = visitor

    def hellos(self, count: int, enough: Callable[[], bool] | None = None) -> None:
        """Send so many, or until it is enough; else until the server takes no more for a moment."""
        self.socket.settimeout(0.1)
        rest = b"".join(
            frame(json.dumps({"id": n, "do": "hello", "visitor": self.visitor})) for n in range(count)
        )
        end = time.monotonic() + LONG
        while rest and not (enough is not None and enough()) and time.monotonic() < end:
            try:
                rest = rest[self.socket.send(rest) :]
            except TimeoutError:
                if enough is None:
                    return
            except OSError:  # the server has had enough
                return

    def reset(self) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def frame(text: str) -> bytes:
    """A masked text frame; the mask is zero."""
    data = text.encode()
    assert len(data) < 126
    return bytes((0x81, 0x80 | len(data), 0, 0, 0, 0)) + data


def test_who_does_not_read_and_resets_is_forgotten(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.web.connection.SEND_TIMEOUT", 2 * LONG)  # none is dropped before the reset
    before = set(server.hub.connections)  # those of other tests may be closing
    deaf = [Deaf(server.port, f"deaf{n:026}") for n in range(10)]

    def filled(count: int) -> bool:
        ours = list(set(server.hub.connections) - before)
        return sum(len(one._replies) > MAX_WAITING_REPLIES for one in ours) >= count

    for number, one in enumerate(deaf):
        one.hellos(1500, lambda number=number: filled(number + 1))  # type: ignore[misc]
    assert until(lambda: filled(len(deaf)))
    for one in deaf:
        one.reset()
    assert until(lambda: set(server.hub.connections) <= before)
    with Page(server.port) as page:
        assert page.ask("list") == {"games": []}


def test_who_never_reads_is_dropped(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.web.connection.SEND_TIMEOUT", 0.5)
    sockets = server.server.server_state.connections
    before = set(server.hub.connections), set(sockets)  # another test's sockets may still be closing
    deaf = Deaf(server.port, "d" * 30)

    def is_dropped() -> bool:
        return set(server.hub.connections) <= before[0] and set(sockets) <= before[1]

    assert not is_dropped()
    deaf.hellos(1500, is_dropped)
    assert until(is_dropped)
    deaf.socket.close()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts the sockets of a process by /proc")
def test_a_server_process_is_as_before(folder: Path) -> None:
    with Process(folder) as process:
        proc = Path(f"/proc/{process.process.pid}")

        def numbers() -> tuple[int, int]:
            return len(os.listdir(proc / "fd")), len(os.listdir(proc / "task"))

        with Page(process.port) as page:  # warm: workers, catalogue
            for _ in range(8):
                page.ask("list")
        files, threads = numbers()
        for round in range(2):
            deaf = [Deaf(process.port, f"deaf{round}{n:026}") for n in range(10)]
            for one in deaf:
                one.hellos(1500)
            time.sleep(FULL)
            for one in deaf:
                one.reset()
            assert until(lambda: numbers()[0] <= files + 1), "sockets are closed"
        assert numbers()[1] <= threads + 4
        with Page(process.port) as page:
            assert page.ask("list") == {"games": []}


def test_two_thousand_lessons_keep_nobody_waiting(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are begun do not end before another visitor has been answered."""
    go_on, begun, teach = threading.Event(), threading.Event(), explain.lesson

    def teach_when_told(*given: Any, **more: Any) -> Any:
        begun.set()
        assert go_on.wait(LONG)
        return teach(*given, **more)

    monkeypatch.setattr(explain, "lesson", teach_when_told)
    with Page(server.port) as greedy, Page(server.port) as page:
        id = greedy.new("tic_tac_toe")
        own = page.new("tic_tac_toe")
        fields = {"game": id, "node": 0, "depth": 3, "player": "alphabeta"}
        asked = [greedy.send("why-lesson", **fields) for _ in range(2000)]
        assert begun.wait(LONG)
        for _ in range(20):
            page.ask("look", game=own, node=0)
            assert 0 < server.hub.search_threads.count <= server.hub.search_threads.in_all
        go_on.set()
        kinds: set[bool] = set()
        while len(kinds) < 2:
            message = greedy.read()
            if message.get("re", 0) in asked:
                kinds.add("searches of " in message.get("error", ""))
    assert until(lambda: server.hub.search_threads.count == 0)


def test_all_visitors_together_think_only_so_much(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.hub.search_threads, "in_all", 0)
    with Page(server.port) as page:
        id = page.new("tic_tac_toe")
        for do in ("hint", "analyse", "review", "why-record", "why-lesson"):
            fields = {"game": id, "node": 0, "depth": 2, "player": "alphabeta"}
            known = {"hint": 2, "analyse": 2, "review": 1, "why-record": 2, "why-lesson": 4}[do]
            with pytest.raises(Refusal, match="wait a moment: 0 searches of all visitors"):
                page.ask(do, **dict(list(fields.items())[:known]))


def test_what_is_thought_about_ends_with_the_page(server: Server) -> None:
    page = Page(server.port)
    id = page.new("connect_four")
    page.ask("analyse", game=id, node=0)
    page.send("hint", game=id, node=0)
    page.close()
    assert until(lambda: server.hub.search_threads.count == 0)


def test_a_second_search_ends_with_the_page(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever why-open, why-not and why-compare search: here without any limit of their own."""
    begun = threading.Event()

    def search_without_end(record: Any, node: int, move: str, engine: Engine, nodes: int) -> None:
        begun.set()
        engine.search(record.history, infinite=True)

    monkeypatch.setattr("plywise.explain.search_pruned_move", search_without_end)
    page = Page(server.port)
    id = page.new("connect_four")
    number = page.ask("why-record", game=id, node=0, nodes=100)["record"]
    page.wait_for("why", lambda one: one["state"] == "done")
    page.send("why-open", record=number, node=0, move="1")
    assert begun.wait(LONG)
    page.close()
    assert until(lambda: server.hub.search_threads.count == 0)


def test_long_texts_keep_nobody_waiting(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, reading, most = threading.Event(), threading.Semaphore(0), []
    usual = game_text.read_position

    def read_slowly(game: Any, text: str) -> Any:
        most.append(1)
        reading.release()
        assert go_on.wait(LONG)
        most.pop()
        return usual(game, text)

    monkeypatch.setattr(game_text, "read_position", read_slowly)
    pages = [Page(server.port) for _ in range(REQUEST_THREADS + 2)]
    second = Page(server.port, pages[0].visitor)
    with Page(server.port) as other:
        own = other.new("tic_tac_toe")
        asked = [(page, page.send("import", game="tic_tac_toe", text="start")) for page in [*pages, second]]
        for _ in range(SLOW_THREADS):
            assert reading.acquire(timeout=LONG)
        assert other.ask("look", game=own, node=0)["view"]
        assert other.play(own, "b2")["tip"] == 1
        assert pages[1].greeting["version"]
        assert len(most) == SLOW_THREADS
        go_on.set()
        for page, id in asked:
            assert page.answer(id)["game"]
            page.close()


def test_long_games_are_opened_apart_from_the_answers(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, list[str]] = {"load": [], "follow": []}
    load, follow = hub.Hub.load, Node.state.fget
    assert follow is not None

    def load_noted(self: hub.Hub, row: Row) -> LiveGame:
        threads["load"].append(threading.current_thread().name.partition("_")[0])
        return load(self, row)

    def follow_noted(self: Node) -> Any:
        if self.cached_state is None and self.n == 24:
            threads["follow"].append(threading.current_thread().name.partition("_")[0])
        return follow(self)

    monkeypatch.setattr(hub, "MANY_MOVES", 10)
    monkeypatch.setattr(hub.Hub, "load", load_noted)
    monkeypatch.setattr(Node, "state", property(follow_noted))
    long = "1. " + "Nf3 Nf6 Ng1 Ng8 " * 3 + "*"
    variation = "1. e4 (1. d4 " + "Nf6 Nf3 Ng8 Ng1 " * 6 + ") *"
    with Page(server.port) as page:
        for text, expected in (("1. e4 e5 *", "plywise-page"), (long, "plywise-text")):
            game = page.ask("import", game="chess", text=text)["game"]
            page.ask("close", game=game)
            threads["load"].clear()
            page.open(game)
            assert threads["load"] == [expected]
            page.ask("close", game=game)
        game = page.ask("import", game="chess", text=variation)["game"]
        page.ask("close", game=game)
        page.open(game)
        assert page.ask("look", game=game, node=24)["view"]["text"]
        assert threads["follow"] == ["plywise-text"]
        assert page.ask("look", game=game, node=24)["view"]["text"]  # it is known now
        for node in (-1, 25.5, "x", 8000):
            with pytest.raises(Refusal):
                page.ask("look", game=game, node=node)


def test_what_went_wrong_is_no_command_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="2J") as raised:
        raise ValueError("\x1b[2J\nx")
    assert "ValueError" in error_text(raised.value)
    assert "\\x1b[2J x" in capsys.readouterr().err


def test_a_visitors_texts_are_read_one_at_a_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, now, most = game_text.read_position, [], [0]

    def read_counted(game: Any, text: str) -> Any:
        now.append(1)
        most[0] = max(most[0], len(now))
        time.sleep(0.02)
        now.pop()
        return usual(game, text)

    monkeypatch.setattr(game_text, "read_position", read_counted)
    visitor = "v" * 40
    pages = [Page(server.port, visitor) for _ in range(4)]
    for page, id in [(page, page.send("import", game="tic_tac_toe", text="start")) for page in pages]:
        assert page.answer(id)["game"]
        page.close()
    assert most == [1]


def test_junk_is_cut_off(server: Server) -> None:
    with Page(server.port) as other, Page(server.port) as page:
        for _ in range(MAX_BAD_MESSAGES):
            assert "unknown request" in page.ask_raw('{"id": 1, "do": "x"}')["error"]
        page.ask("list")
        assert page.ask_raw("[" * 60_000)["error"]  # a long one is read elsewhere, and counts as well
        page.socket.send("junk")
        with pytest.raises(ConnectionClosed):
            read_to_the_end(page)
        assert other.ask("list") == {"games": []}


def test_a_long_message_before_hello_is_not_read(server: Server) -> None:
    with Page(server.port, hello=False) as page:
        answer = page.ask_raw(json.dumps({"id": 1, "do": "import", "game": "chess", "text": "x" * 5000}))
        assert answer == {"re": None, "error": "say hello first"}


def test_engines_of_many_games_wait_for_a_thread(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.hub.turn_threads, "of_one", 1)
    with Page(server.port) as page:
        ids = [page.new("tic_tac_toe", 1, None) for _ in range(5)]
        for id in ids:
            assert page.wait_for_turn(id)["tip"] == 1
    assert until(lambda: server.hub.turn_threads.count == 0)
    assert server.hub.turn_threads.waiting == 0


def test_small_packets_are_not_delayed(server: Server) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/ws", origin=f"http://127.0.0.1:{server.port}"):  # type: ignore[arg-type]
        delays = [
            one.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for one in server.server.server_state.connections
        ]
    assert delays and all(delays)


def test_the_memory_of_a_page_is_given_back_after_its_end(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_back = threading.Event()
    monkeypatch.setattr(hub, "MEMORY_DELAY", 0.0)
    monkeypatch.setattr(hub, "return_freed_memory", given_back.set)
    Page(server.port).close()
    assert given_back.wait(LONG)
