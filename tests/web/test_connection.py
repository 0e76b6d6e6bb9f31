"""Connections that are abandoned, and questions without end: the others notice nothing."""

import json
import os
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from websockets.sync.client import connect

from plywise.web.connection import MAX_WAITING_REPLIES
from plywise.web.server import Server
from tests.web.page import Page, Refusal
from tests.web.process import Process

FULL = 4.0  # seconds after which the answers to a deaf page have filled all that holds them
SOON = 10.0  # seconds after which what was abandoned is forgotten


def until(what: Callable[[], bool], patience: float = SOON) -> bool:
    end = time.monotonic() + patience
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Deaf:
    """A page that sends and never reads: its own receiving thread would, so it is a bare socket."""

    def __init__(self, port: int, visitor: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        head = (
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        self.socket.sendall(head.encode())
        assert self.socket.recv(12) == b"HTTP/1.1 101"
        self.visitor = visitor

    def hellos(self, count: int) -> None:
        self.socket.settimeout(1)
        frames = b"".join(
            frame(json.dumps({"id": n, "do": "hello", "visitor": self.visitor})) for n in range(count)
        )
        try:
            self.socket.sendall(frames)
        except TimeoutError:  # the server takes no more until it is listened to
            pass

    def reset(self) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def frame(text: str) -> bytes:
    """A masked text frame; the mask is zero."""
    data = text.encode()
    assert len(data) < 126
    return bytes((0x81, 0x80 | len(data), 0, 0, 0, 0)) + data


def test_who_does_not_read_and_resets_is_forgotten(server: Server) -> None:
    before = set(server.hub.connections)  # those of other tests may be closing
    deaf = [Deaf(server.port, f"deaf{n:026}") for n in range(10)]
    for one in deaf:
        one.hellos(1500)
    ours = set(server.hub.connections) - before
    assert len(ours) == len(deaf)
    assert until(lambda: all(len(one._replies) > MAX_WAITING_REPLIES for one in ours), patience=6 * SOON)
    for one in deaf:
        one.reset()
    assert until(lambda: set(server.hub.connections) <= before)
    with Page(server.port) as page:
        assert page.ask("list") == {"games": []}


def test_who_never_reads_is_dropped(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.web.connection.SEND_TIMEOUT", 0.5)
    sockets = server.server.server_state.connections
    before = len(server.hub.connections), len(sockets)  # another test's sockets may still be closing
    deaf = Deaf(server.port, "d" * 30)
    deaf.hellos(1500)
    assert until(lambda: len(server.hub.connections) <= before[0] and len(sockets) <= before[1])
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


def test_two_thousand_lessons_keep_nobody_waiting(server: Server) -> None:
    with Page(server.port) as greedy, Page(server.port) as page:
        id = greedy.new("tic_tac_toe")
        own = page.new("tic_tac_toe")
        fields = {"game": id, "node": 0, "depth": 3, "player": "alphabeta"}
        asked = [greedy.send("why-lesson", **fields) for _ in range(2000)]
        waits = []
        for _ in range(20):
            began = time.monotonic()
            page.ask("look", game=own, node=0)
            waits.append(time.monotonic() - began)
            assert server.hub.search_threads.count <= server.hub.search_threads.in_all
        assert sorted(waits)[10] < 1.0, waits
        kinds: set[bool] = set()
        while len(kinds) < 2:
            message = greedy.read()
            if message.get("re", 0) in asked:
                kinds.add("are being thought about" in message.get("error", ""))
    assert until(lambda: server.hub.search_threads.count == 0)


def test_all_visitors_together_think_only_so_much(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.hub.search_threads, "in_all", 0)
    with Page(server.port) as page:
        id = page.new("tic_tac_toe")
        for do in ("hint", "analyse", "review", "why-record", "why-lesson"):
            fields = {"game": id, "node": 0, "depth": 2, "player": "alphabeta"}
            known = {"hint": 2, "analyse": 2, "review": 1, "why-record": 2, "why-lesson": 4}[do]
            with pytest.raises(Refusal, match="wait: 0 questions of all visitors"):
                page.ask(do, **dict(list(fields.items())[:known]))


def test_what_is_thought_about_ends_with_the_page(server: Server) -> None:
    page = Page(server.port)
    id = page.new("connect_four")
    page.ask("analyse", game=id, node=0)
    page.send("hint", game=id, node=0)
    page.close()
    assert until(lambda: server.hub.search_threads.count == 0)


def test_small_packets_are_not_delayed(server: Server) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/ws", origin=f"http://127.0.0.1:{server.port}"):  # type: ignore[arg-type]
        delays = [
            one.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for one in server.server.server_state.connections
        ]
    assert delays and all(delays)
