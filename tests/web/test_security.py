"""Who may talk to the server, and what its answers carry."""

import http.client
import json
import socket
import time
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from plywise.web import server
from plywise.web.http_protocol import BoundedProtocol
from plywise.web.server import PortTaken, Server, bind_socket
from tests.web.page import TIMEOUT, Page


def get(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], str]:
    """One HTTP request: status, headers, text."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    host = headers.pop("Host", f"127.0.0.1:{port}")
    connection.request(method, path, headers={"Host": host, **headers})
    answer = connection.getresponse()
    text = answer.read().decode("utf-8", "replace")
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text


def test_health_says_which_plywise_it_is(server: Server) -> None:
    status, _, text = get(server.port, "/health")
    assert status == 200
    assert json.loads(text)["plywise"]


def test_every_answer_carries_the_security_headers(server: Server) -> None:
    for path in ("/health", "/", "/nowhere", "/static/nothing.js"):
        _, headers, _ = get(server.port, path)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "server" not in headers


def test_what_is_not_there_is_said_in_a_sentence(server: Server) -> None:
    for path in (
        "/nowhere",
        "/static/nothing.js",
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/ws",
    ):
        status, _, text = get(server.port, path)
        assert status == 404, path
        assert text.count("\n") == 1 and "<" not in text


def test_other_methods_are_refused(server: Server) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE"):
        assert get(server.port, "/", method)[0] == 405


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1", "", "localhost.evil:{port}"]
)
def test_a_foreign_host_is_refused(server: Server, host: str) -> None:
    status, _, text = get(server.port, "/health", Host=host.format(port=server.port))
    assert status == 421
    assert "localhost" in text


def test_localhost_is_as_good_as_its_number(server: Server) -> None:
    assert get(server.port, "/health", Host=f"localhost:{server.port}")[0] == 200
    with Page(server.port, host=f"localhost:{server.port}") as page:
        assert page.greeting["version"]


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
        None,
    ],
)
def test_a_foreign_origin_gets_no_websocket(server: Server, origin: str | None) -> None:
    given = origin.format(port=server.port) if origin else None
    with pytest.raises(InvalidStatus) as refused:
        Page(server.port, origin=given)  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403
    assert b"page of this server" in (refused.value.response.body or b"")


def test_a_foreign_host_gets_no_websocket(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Page(server.port, host="evil.example")
    assert refused.value.response.status_code == 421


def test_huge_headers_are_refused(server: Server) -> None:
    try:
        status = get(server.port, "/health", Long="x" * 4_000_000)[0]
    except (ConnectionError, http.client.HTTPException):
        status = 400
    assert status == 400
    assert get(server.port, "/health")[0] == 200


def test_a_header_of_20_kb_is_refused(server: Server) -> None:
    """Also where it comes in one piece, which the HTTP reader does not count."""
    status, headers, text = get(server.port, "/health", Long="x" * 20_000)
    assert (status, text) == (431, "a request may have 16384 bytes of headers\n")
    assert "default-src 'none'" in headers["content-security-policy"]


def test_refusals_carry_the_security_headers(server: Server) -> None:
    for how in ({"method": "POST"}, {"Host": "evil.example"}):
        _, headers, _ = get(server.port, "/", **how)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as bare:
        bare.sendall(b"no HTTP at all\r\n\r\n")
        answer = b""
        while part := bare.recv(4096):
            answer += part
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"content-security-policy: default-src 'none'" in answer


@pytest.mark.parametrize(
    "parts",
    [
        (),
        (b"GET / HTTP/1.1\r\nHost: x",),
        (b"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n", b"GET / HT"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc",),
    ],
)
def test_half_a_request_is_waited_for_only_so_long(
    server: Server, parts: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywise.web.http_protocol.REQUEST_TIMEOUT", 0.3)
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as bare:
        try:
            for part in parts:
                bare.sendall(part.replace(b"{port}", str(server.port).encode()))
                time.sleep(0.05)
            while bare.recv(4096):
                pass
        except (BrokenPipeError, ConnectionResetError):
            pass


def test_a_websocket_is_whole_and_stays(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """No deadline is left that would abort it later."""
    made: list[BoundedProtocol] = []
    connection_made = BoundedProtocol.connection_made

    def connection_noted(self: BoundedProtocol, transport: Any) -> None:
        connection_made(self, transport)
        assert self._deadline is not None
        made.append(self)

    monkeypatch.setattr(BoundedProtocol, "connection_made", connection_noted)
    with Page(server.port) as page:
        assert page.ask("list") == {"games": []}
        assert [one._deadline for one in made] == [None]


def test_a_port_in_use_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {taken} is in use; try --port {taken + 1}"):
            bind_socket(taken)
        monkeypatch.setattr(server, "PORT", taken)
        with bind_socket(None) as next_one:
            assert taken < next_one.getsockname()[1] < taken + server.PORTS_TRIED


def test_only_this_machine_is_served(server: Server) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"


HANDSHAKE = "Connection: Upgrade\r\nUpgrade: websocket\r\nOrigin: http://127.0.0.1:{port}\r\n"
INNER = "GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"


def talk_http(port: int, request: str) -> bytes:
    """What comes for these bytes until the server closes the connection, or has nothing more to say."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as bare:
        bare.sendall(request.replace("{port}", str(port)).encode("latin-1"))
        bare.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while part := bare.recv(4096):
                answer += part
        except ConnectionResetError:
            pass
    return answer


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/ws", "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n"),
        ("/ws", "Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"),
        ("/nowhere", "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"),
    ],
)
def test_a_handshake_that_is_refused_carries_the_security_headers(
    server: Server, path: str, more: str
) -> None:
    answer = talk_http(
        server.port, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{{port}}\r\n{HANDSHAKE}{more}\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 4")
    assert b"content-security-policy: default-src 'none'" in answer and b"nosniff" in answer


@pytest.mark.parametrize(
    ("request_text", "answers"),
    [
        ("GET /health HTTP/1.1\r\n{host}Content-Length: 0\r\nContent-Length: 50\r\n\r\n" + INNER, [b"400"]),
        ("GET /health HTTP/1.1\r\n{host}Transfer-Encoding: xchunked\r\n\r\n" + INNER, [b"400"]),
        ("GET /health HTTP/1.1\r\n{host}Host: evil\r\n\r\n", [b"400"]),
        ("GET /health HTTP/1.1\r\nHost : 127.0.0.1:{port}\r\n\r\n", [b"400"]),
        ("GET /health HTTP/1.1\r\n{host}X: a\rb\r\n\r\n", [b"400"]),
        ("GET /health HTTP/1.1\r\n{host}X: a\0b\r\n\r\n", [b"400"]),
        ("GET http://evil/health HTTP/1.1\r\n{host}\r\n", [b"404"]),
        ("GET /health HTTP/1.1\r\n{host}\r\nGET /health HTTP/1.1\r\nHost: evil\r\n\r\n", [b"200", b"421"]),
        ("POST / HTTP/1.1\r\n{host}Content-Length: {length}\r\n\r\n" + INNER, [b"405"]),
        ("GET /health HTTP/1.1\r\n{host}Content-Length: {length}\r\n\r\n" + INNER, [b"200"]),
    ],
)
def test_a_request_cannot_hide_another(server: Server, request_text: str, answers: list[bytes]) -> None:
    """What one reader takes for a body and another for a request is refused, or is a body."""
    whole = request_text.replace("{host}", "Host: 127.0.0.1:{port}\r\n")
    length = len(INNER.replace("{port}", str(server.port)))
    answer = talk_http(server.port, whole.replace("{length}", str(length)))
    assert [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:]] == answers


def test_there_are_only_so_many_sockets(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with Page(server.port) as page:
        assert page.ask("list") == {"games": []}
        open_now = len(server.server.server_state.connections)
        monkeypatch.setattr("plywise.web.http_protocol.MAX_SOCKETS", open_now)
        with socket.create_connection(("127.0.0.1", server.port), 20) as bare:
            try:
                assert bare.recv(10) == b""
            except ConnectionResetError:
                pass
        assert page.ask("list") == {"games": []}, "who is there stays"
