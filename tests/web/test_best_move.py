"""The best move for a page of one's own: over HTTP and WebSocket, for allowed origins only."""

import asyncio
import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from plywise.core.errors import PlywiseError
from plywise.play.player import Player
from plywise.play.state import GameState
from plywise.web import best_move
from plywise.web.hub import Hub
from plywise.web.security import BadOrigin, read_origin
from plywise.web.server import Server
from plywise.web.store import Store
from tests.cli.terminal import plywise, refused

MINE = "http://localhost:8000"
LONG = 300.0  # seconds: what waits for longer has failed


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("games")
    server = Server(Hub(Store(folder / "games.sqlite")), 0, [MINE]).start()
    yield server
    server.stop()


def ask(server: Server, headers: dict[str, str], **fields: str) -> tuple[int, dict[str, str], Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONG)
    connection.request("GET", f"/api/best-move?{urlencode(fields)}", headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    body = json.loads(text) if "json" in (answer.getheader("content-type") or "") else text
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


WINNING = {"game": "tic_tac_toe", "position": "xx.oo.... x", "seat": "alphabeta,depth=3"}


def test_an_allowed_page_gets_its_move(open_server: Server) -> None:
    status, headers, answer = ask(open_server, {"Origin": MINE}, **WINNING)
    assert (status, headers["access-control-allow-origin"], headers["vary"]) == (200, MINE, "Origin")
    assert (answer["move"], answer["label"], answer["turn"]) == ("c3", "c3", 0)
    assert (answer["words"], answer["kind"], answer["score"]) == ("x wins in 1 ply", "proven", None)
    assert answer["line"] == ["c3"] and answer["nodes"] > 1


def test_a_position_may_have_moves_behind_it_and_a_seat_its_usual_form(open_server: Server) -> None:
    fields = {"game": "tic_tac_toe", "position": "start moves b2 a3", "seat": "level=3"}
    status, _, answer = ask(open_server, {}, **fields)
    assert status == 200 and answer["turn"] == 0
    assert ask(open_server, {}, game="tic_tac_toe")[2]["nodes"] > 0


def test_in_a_world_a_side_is_asked_for_and_gives_a_whole_choice(open_server: Server) -> None:
    fields = {
        "game": "skirmish",
        "position": "9x9 F4,4:160 F0,0:160 A5,5:11 F1",
        "seat": "depth=1",
        "side": "0",
    }
    status, _, answer = ask(open_server, {}, **fields)
    assert (status, answer["moves"][0]) == (200, "F1xA1")


def test_a_seat_with_a_depth_waits_until_its_game_is_compiled(open_server: Server) -> None:
    """What the uncompiled search sees in its second would be less than was asked for."""
    waited: list[float | None] = []

    class Ready(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waited.append(timeout)
            self.set()
            return True

    hub = open_server.hub
    game = hub.game("connect_four")
    pool = hub.pool.engines(game, hub.catalogue.source("connect_four"), "default")
    pool.ready = Ready()
    _, _, answer = ask(open_server, {}, game="connect_four", seat="depth=9")
    assert (answer["depth"], waited[0]) == (9, best_move.READY_SECONDS)
    pool.ready = Ready()
    waited.clear()
    pool.ready.set()
    assert ask(open_server, {}, game="connect_four", seat="time=0.01")[0] == 200
    assert waited == [], "one that looks as far as its time goes does not wait"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:8001", "https://localhost:8000"]
)
def test_another_page_is_refused_on_both_ways(open_server: Server, origin: str) -> None:
    status, headers, text = ask(open_server, {"Origin": origin}, **WINNING)
    assert status == 403 and "--allow-origin" in text
    assert "access-control-allow-origin" not in headers
    with pytest.raises(InvalidStatus) as refusal:
        connect(f"ws://127.0.0.1:{open_server.port}/api/best-move", origin=origin).__enter__()  # type: ignore[arg-type]
    assert refusal.value.response.status_code == 403


def test_without_the_option_nobody_elses_page_may_ask(server: Server) -> None:
    assert ask(server, {"Origin": MINE}, **WINNING)[0] == 403
    assert ask(server, {"Origin": f"http://127.0.0.1:{server.port}"}, **WINNING)[0] == 200


def test_a_picture_in_another_page_is_no_question(open_server: Server) -> None:
    """A browser sends no Origin for it, but says whose page wants it."""
    assert ask(open_server, {"Sec-Fetch-Site": "cross-site"}, **WINNING)[0] == 403
    assert ask(open_server, {"Sec-Fetch-Site": "none"}, **WINNING)[0] == 200


def test_an_allowed_page_gets_nothing_but_moves(open_server: Server) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        connect(f"ws://127.0.0.1:{open_server.port}/ws", origin=MINE).__enter__()  # type: ignore[arg-type]
    assert refusal.value.response.status_code == 403
    connection = http.client.HTTPConnection("127.0.0.1", open_server.port, timeout=LONG)
    connection.request("GET", "/health", headers={"Origin": MINE})
    assert connection.getresponse().getheader("access-control-allow-origin") is None
    connection.request("POST", "/api/best-move", headers={"Origin": MINE})
    connection.close()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "the question wants the field 'game'"),
        ({"game": "ches"}, "unknown game 'ches'; did you mean 'chess'?"),
        ({"game": "chess", "position": "8/8"}, "cannot be set up: a FEN has six fields"),
        ({"game": "tic_tac_toe", "position": "xxxoo.... o"}, "the game is over: x has three in a row"),
        ({"game": "tic_tac_toe", "seat": "alphabta"}, "unknown player 'alphabta'; did you mean 'alphabeta'?"),
        ({"game": "tic_tac_toe", "seat": "person"}, "seat must be a level, an elo or a player, not 'person'"),
        ({"game": "checkers", "seat": "weights=/etc/passwd"}, "weights are files"),
        ({"game": "checkers", "seat": "weights=/no/such"}, "weights are files"),
        ({"game": "tic_tac_toe", "side": "1"}, "o do not choose here"),
        ({"game": "tic_tac_toe", "deep": "3"}, 'the question has no field "deep"'),
    ],
)
def test_a_bad_question_is_answered_in_one_sentence(
    open_server: Server, fields: dict[str, str], words: str
) -> None:
    status, _, answer = ask(open_server, {"Origin": MINE}, **fields)
    assert status == 400 and words in answer["error"] and len(answer["error"]) < 400


def test_weights_of_the_machine_are_not_opened_for_a_page(open_server: Server, tmp_path: Path) -> None:
    from plywise.core.registry import load

    good = tmp_path / "weights.json"
    evaluation = load("skirmish").evaluation("linear")
    assert evaluation.weights is not None
    good.write_text(evaluation.weights.path.read_text())
    status, _, answer = ask(open_server, {}, game="skirmish", seat=f"evaluator=linear,weights={good}")
    assert status == 400 and "weights are files" in answer["error"]


def test_a_websocket_answers_question_after_question(open_server: Server) -> None:
    with connect(f"ws://127.0.0.1:{open_server.port}/api/best-move", origin=MINE) as socket:  # type: ignore[arg-type]
        socket.send(json.dumps({"id": 1, **WINNING}))
        answer = json.loads(socket.recv(timeout=LONG))
        assert (answer["re"], answer["move"]) == (1, "c3")
        for words, sentence in (
            ("[]", "one JSON object"),
            ("{", "one JSON object"),
            ('{"id": "x"}', "whole number"),
        ):
            socket.send(words)
            assert sentence in json.loads(socket.recv(timeout=LONG))["error"]
        socket.send(json.dumps({"id": 2, "game": "ches"}))
        answer = json.loads(socket.recv(timeout=LONG))
        assert answer["re"] == 2 and "did you mean 'chess'" in answer["error"]


@pytest.mark.parametrize("way", ["HTTP", "WebSocket"])
def test_nobody_thinks_for_a_page_that_has_gone(
    open_server: Server, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    begun, stopped = threading.Event(), threading.Event()

    def think_without_end(self: Player, state: GameState, side: int) -> Any:
        begun.set()
        assert stopped.wait(LONG)
        raise PlywiseError("it was stopped")

    monkeypatch.setattr(Player, "think", think_without_end)
    monkeypatch.setattr(Player, "stop", lambda self: stopped.set())
    if way == "HTTP":
        page = http.client.HTTPConnection("127.0.0.1", open_server.port)
        page.request("GET", f"/api/best-move?{urlencode(WINNING)}")
        assert begun.wait(LONG)
        page.close()
    else:
        with connect(f"ws://127.0.0.1:{open_server.port}/api/best-move", origin=MINE) as socket:  # type: ignore[arg-type]
            socket.send(json.dumps(WINNING))
            socket.send(json.dumps(WINNING))
            assert begun.wait(LONG)
    assert stopped.wait(LONG)
    end = time.monotonic() + LONG
    while open_server.hub.search_threads.count and time.monotonic() < end:
        time.sleep(0.02)
    assert open_server.hub.search_threads.count == 0


def test_bytes_are_no_question(open_server: Server) -> None:
    with connect(f"ws://127.0.0.1:{open_server.port}/api/best-move", origin=MINE) as socket:  # type: ignore[arg-type]
        socket.send(b"{}")
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=LONG)


# --- origins ----------------------------------------------------------------------------------------
def test_origins_are_read_as_browsers_write_them() -> None:
    assert read_origin("http://LOCALHOST:8000") == "http://localhost:8000"
    assert read_origin("https://example.org:443") == "https://example.org"
    assert read_origin("http://[::1]:9000") == "http://[::1]:9000"


NO_ORIGINS = (
    "* null localhost:8000 http:// http://a/ http://a/x ftp://a http://u@a http://*.a http://a:x"
    " http://a:99999 http://a?b http://a#b //a"
)


@pytest.mark.parametrize("text", NO_ORIGINS.split())
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(BadOrigin, match="as in http://localhost:8000"):
        read_origin(text)
    sentence = refused(plywise("serve", "--no-browser", "--allow-origin", text))
    assert sentence.startswith("--allow-origin: an origin is scheme, name and port alone")


def test_only_so_many_sockets_ask_and_the_page_has_the_others(open_server: Server) -> None:
    """Without a bound, one allowed page could take all sockets of the server."""
    address = f"ws://127.0.0.1:{open_server.port}/api/best-move"
    with ExitStack() as stack:
        for _ in range(best_move.MAX_SOCKETS):
            stack.enter_context(connect(address, origin=MINE))  # type: ignore[arg-type]
        late = stack.enter_context(connect(address, origin=MINE))  # type: ignore[arg-type]
        assert "100 WebSockets ask already" in json.loads(late.recv(timeout=LONG))["error"]
        with pytest.raises(ConnectionClosed):
            late.recv(timeout=LONG)
    end = time.monotonic() + LONG
    while open_server.hub.asking_sockets and time.monotonic() < end:
        time.sleep(0.02)
    with connect(address, origin=MINE) as socket:  # type: ignore[arg-type]
        socket.send(json.dumps({"id": 1, **WINNING}))
        assert json.loads(socket.recv(timeout=LONG))["move"] == "c3"


def test_questions_that_wait_take_little_memory() -> None:
    """While one is thought about, others are read ahead: few of them, and none of a megabyte."""

    async def listen() -> tuple[int, int]:
        class Socket:
            async def receive_text(self) -> str:
                return "x" * (1 << 20)

        questions = asyncio.Queue[str]()
        task = asyncio.create_task(best_move._listen(Socket(), questions, asyncio.Event()))  # type: ignore[arg-type]
        while questions.qsize() < best_move.MAX_WAITING:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        waiting = [questions.get_nowait() for _ in range(questions.qsize())]
        return len(waiting), sum(map(len, waiting))

    count, characters = asyncio.run(listen())
    assert count <= best_move.MAX_WAITING + 1
    assert characters < 500_000
    _, answer = best_move._read_question("x" * (best_move.MAX_CHARACTERS + 1))
    assert answer == {"error": "a question may have 16384 characters"}
