"""The server: the page over HTTP, and one WebSocket a page."""

import asyncio
import json
import mimetypes
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

import plywise
from plywise.core.errors import PlywiseError
from plywise.web import handlers, why  # noqa: F401  (they add the requests)
from plywise.web.guard import Guard
from plywise.web.house import House
from plywise.web.store import Store
from plywise.web.visit import Visit

HOST = "127.0.0.1"
PORT = 8642
PORTS = 20  # so many ports are tried, from the usual one on
STATIC = Path(__file__).with_name("static")
LARGEST = 1 << 20  # bytes of a message that is read at all; larger ones close the connection
SWITCH = 0.001  # seconds after which Python lets another thread go on
HEAD = 16 << 10  # bytes of a request's headers

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}


class PortTaken(PlywiseError):
    """The port that was asked for belongs to another program."""


def application(house: House, port: int, abort: Callable[[Any], None]) -> Any:
    """The server as an ASGI application that answers on one port; `abort` ends a client's connection."""
    for tail, kind in TYPES.items():  # some systems' own tables say otherwise
        mimetypes.add_type(kind, tail)

    async def page(request: Request) -> Response:
        return FileResponse(STATIC / "index.html", media_type="text/html")

    async def health(request: Request) -> Response:
        return JSONResponse({"plywise": plywise.__version__, "ok": not house.closed})

    async def talk(socket: WebSocket) -> None:
        visit = Visit(house, socket)
        try:
            house.come(visit)
        except PlywiseError as error:
            await socket.accept()
            await socket.send_text(json.dumps({"tell": "error", "words": str(error)}))
            await socket.close(1013)
            return
        try:
            await visit.run()
        finally:
            if visit.deaf:  # a usual end would wait for ever until it takes what it was sent
                abort(socket.client)

    async def wrong(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        words = {
            404: f"there is nothing at {request.url.path}; the page is at /",
            405: "only GET is answered",
        }
        return PlainTextResponse(f"{words.get(status, 'that went wrong')}\n", status)

    routes = [
        Route("/", page),
        Route("/health", health),
        WebSocketRoute("/ws", talk),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: wrong, Exception: wrong})
    return Guard(app, port)


def bound(port: int | None) -> socket.socket:
    """A socket on the port; without one, on the usual port or the next that is free."""
    wanted = range(PORT, PORT + PORTS) if port is None else (port,)
    for one in wanted:
        # With its protocol named, asyncio switches off the delay of small packets (TCP_NODELAY).
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows lets others listen beside us unless told
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, one))
            listener.listen(256)
        except OSError:
            listener.close()
            continue
        return listener
    if port is None:
        raise PortTaken(f"ports {PORT} to {PORT + PORTS - 1} are in use; say another with --port N")
    raise PortTaken(f"port {port} is in use; try --port {port + 1}, or leave --port away")


class _Uvicorn(uvicorn.Server):
    """Tells the pages before it closes the door."""

    house: House

    def handle_exit(self, sig: int, frame: Any) -> None:
        self.house.bye()
        super().handle_exit(sig, frame)


class Server:
    """A house with its doors open. `run` serves until `stop`; `start` does so in a thread."""

    def __init__(self, house: House, port: int | None = None) -> None:
        self.house = house
        self.socket = bound(port)
        self.port: int = self.socket.getsockname()[1]
        config = uvicorn.Config(
            application(house, self.port, self.abort),
            http="h11",
            ws="websockets-sansio",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws_max_size=LARGEST,
            ws_per_message_deflate=False,  # the reader is on this machine
            h11_max_incomplete_event_size=HEAD,
            timeout_graceful_shutdown=1,
        )
        self.server = _Uvicorn(config)
        self.server.house = house
        self._thread: threading.Thread | None = None

    def abort(self, client: Any) -> None:
        """End a connection at once, whatever is still to be sent."""
        for one in list(self.server.server_state.connections):
            if getattr(one, "client", None) == tuple(client):
                one.transport.abort()

    @property
    def address(self) -> str:
        """Where a browser finds the page."""
        return f"http://{HOST}:{self.port}/"

    def run(self) -> None:
        """Serve until somebody stops it."""
        # Rules, uncompiled searches and answers take turns in Python; a page should not wait long for one.
        sys.setswitchinterval(SWITCH)
        # While the browser starts, the games are looked up that it will ask for.
        threading.Thread(target=lambda: self.house.catalogue.infos, daemon=True).start()
        try:
            asyncio.run(self._serve())
        finally:
            self.house.bye()
            self.socket.close()

    async def _serve(self) -> None:
        await self.server.serve(sockets=[self.socket])

    def start(self) -> "Server":
        """Serve in a thread, from when this returns."""
        self._thread = threading.Thread(target=self.run, daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """End, and wait for the end."""
        self.house.bye()
        self.server.should_exit = True
        if self._thread is not None:
            self._thread.join(10)


def open_house(files: Sequence[str] = ()) -> House:
    """The house with the user's games."""
    return House(Store(), files)
