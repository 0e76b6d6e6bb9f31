"""Refuse a foreign Host or Origin: only pages of this server may talk to it.

A browser lets any page on the web try to reach this machine. `Host` shows whether a foreign name points
here (DNS rebinding), `Origin` whose page opens a WebSocket; both must be ours.
"""

from collections.abc import Iterable
from typing import Any

HOST_NAMES = ("127.0.0.1", "localhost", "[::1]")

SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'; object-src 'none'"
)
MAX_HEADER_BYTES = 16 << 10  # of a request
# A refusal is a line of text: no browser may make a page of it.
REFUSAL_HEADERS = [
    (b"content-type", b"text/plain; charset=utf-8"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    *((name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()),
]


class SecurityMiddleware:
    """Lets only our own pages through, and puts the security headers on every answer."""

    def __init__(self, app: Any, port: int, names: Iterable[str] = HOST_NAMES) -> None:
        self.app = app
        self.hosts = {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        given = [(name, value.decode("latin-1")) for name, value in scope["headers"]]
        hosts = [value.lower() for name, value in given if name == b"host"]
        origins = [value.lower() for name, value in given if name == b"origin"]
        size = len(scope["path"]) + len(scope["query_string"])
        size += sum(len(name) + len(value) + 4 for name, value in scope["headers"])
        if size > MAX_HEADER_BYTES:
            await _refuse(scope, send, 431, f"a request may have {MAX_HEADER_BYTES} bytes of headers")
        elif len(hosts) != 1 or hosts[0] not in self.hosts:
            await _refuse(scope, send, 421, f"this server answers to {' or '.join(sorted(self.hosts))} only")
        elif scope["type"] == "websocket" and origins != [f"http://{hosts[0]}"]:
            await _refuse(scope, send, 403, "only a page of this server may open a connection to it")
        elif scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            await _refuse(scope, send, 405, "only GET and HEAD are answered here")
        else:
            await self.app(scope, receive, _with_security_headers(send, hosts[0]))


def _with_security_headers(send: Any, host: str) -> Any:
    async def send_with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            ours = {**SECURITY_HEADERS, "content-security-policy": CONTENT_SECURITY_POLICY.format(host=host)}
            others = [
                (name, value) for name, value in message["headers"] if name.decode().lower() not in ours
            ]
            message["headers"] = others + [(name.encode(), value.encode()) for name, value in ours.items()]
        await send(message)

    return send_with_headers


async def _refuse(scope: Any, send: Any, status: int, sentence: str) -> None:
    """Answer with a status and a sentence, for a WebSocket before it is one."""
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": sentence})
            return
        kind = "websocket.http.response"
    body = f"{sentence}\n".encode()
    headers = [*REFUSAL_HEADERS, (b"content-length", str(len(body)).encode())]
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
