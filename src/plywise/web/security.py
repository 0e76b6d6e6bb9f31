"""Refuse a foreign Host or Origin: only pages of this server may talk to it.

A browser lets any page on the web try to reach this machine. `Host` shows whether a foreign name points
here (DNS rebinding), `Origin` whose page opens a WebSocket; both must be ours. Below API, and only there,
pages of the origins that `plywise serve --allow-origin` names may ask too.
"""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from plywise.core.errors import PlywiseError
from plywise.core.untrusted import shorten

API = "/api/"
_HOST = re.compile(r"[\w.:\[\]-]++", re.ASCII)

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


class BadOrigin(PlywiseError):
    """A text that is no origin."""


def read_origin(text: str) -> str:
    """The origin that a text means, as browsers send it; BadOrigin if it is none. There is no `*`.

    >>> read_origin("http://Localhost:8000")
    'http://localhost:8000'
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        parts, port, host = urlsplit(""), None, ""
    usual = {"http": 80, "https": 443}
    name = f"[{host}]" if ":" in host else host
    origin = f"{parts.scheme}://{name}" + ("" if port in (None, usual.get(parts.scheme)) else f":{port}")
    given = f"{parts.scheme}://{name}" + ("" if port is None else f":{port}")
    if parts.scheme not in usual or given != text.lower() or not _HOST.fullmatch(host):
        example = "scheme, name and port alone, as in http://localhost:8000"
        raise BadOrigin(f"an origin is {example}; not {shorten(text, 60)!r}")
    return origin


class SecurityMiddleware:
    """Lets only our own pages through, and puts the security headers on every answer.

    Pages of the other `origins` may ask below API.
    """

    def __init__(
        self, app: Any, port: int, names: Iterable[str] = HOST_NAMES, origins: Iterable[str] = ()
    ) -> None:
        self.app, self.origins = app, frozenset(origins)
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
        elif scope["path"].startswith(API):
            await self._answer_api(scope, receive, send, hosts[0], origins, given)
        elif scope["type"] == "websocket" and origins != [f"http://{hosts[0]}"]:
            await _refuse(scope, send, 403, "only a page of this server may open a connection to it")
        elif scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            await _refuse(scope, send, 405, "only GET and HEAD are answered here")
        else:
            await self.app(scope, receive, _with_security_headers(send, hosts[0]))

    async def _answer_api(
        self,
        scope: Any,
        receive: Any,
        send: Any,
        host: str,
        origins: list[str],
        given: list[tuple[bytes, str]],
    ) -> None:
        """A question of another page, if its origin is allowed; of a program that is no browser, always."""
        sites = [value for name, value in given if name == b"sec-fetch-site"]
        own = f"http://{host}"
        # A browser that asks for a picture sends no Origin, but says that the page is another's.
        foreign = not origins and any(site not in ("same-origin", "none") for site in sites)
        allowed = origins[0] if len(origins) == 1 and origins[0] in self.origins else None
        if foreign or (origins and allowed is None and origins != [own]):
            sentence = "this page may not ask; start plywise serve with --allow-origin and its origin"
            await _refuse(scope, send, 403, sentence)
        elif scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            await _refuse(scope, send, 405, "only GET and HEAD are answered here")
        else:
            await self.app(scope, receive, _with_security_headers(send, host, allowed))


def _with_security_headers(send: Any, host: str, allowed: str | None = None) -> Any:
    """Every answer with the security headers; a page of the `allowed` origin may read it."""
    more = {} if allowed is None else {"access-control-allow-origin": allowed, "vary": "Origin"}

    async def send_with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            ours = {
                **SECURITY_HEADERS,
                **more,
                "content-security-policy": CONTENT_SECURITY_POLICY.format(host=host),
            }
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
