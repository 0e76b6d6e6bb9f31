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
import plywise.web.compare_handlers  # registers its requests
import plywise.web.endgame_handlers  # registers its requests
import plywise.web.ladder  # registers its requests
import plywise.web.mistake_handlers  # registers its requests
import plywise.web.setup_handlers  # registers its requests
import plywise.web.share_handlers  # registers its requests
import plywise.web.study_handlers  # registers its requests
import plywise.web.watch_handlers  # registers its requests
import plywise.web.why.handlers  # registers its requests
from plywise.core.errors import PlywiseError
from plywise.core.piece_svg import SHEET
from plywise.core.process_memory import return_large_blocks
from plywise.web import handlers  # noqa: F401  (registers its requests)
from plywise.web.best_move import answer_http, answer_websocket
from plywise.web.connection import Connection
from plywise.web.http_protocol import BoundedProtocol, GuardedWebSocket
from plywise.web.hub import Hub
from plywise.web.open_store import open_store
from plywise.web.security import MAX_HEADER_BYTES, SecurityMiddleware

HOST = "127.0.0.1"
PORT = 8642
PORTS_TRIED = 20  # from the usual one on
STATIC = Path(__file__).with_name("static")
MAX_MESSAGE_BYTES = 1 << 20  # of a message; a larger one closes the connection
SWITCH_INTERVAL = 0.001  # seconds after which Python switches to another thread
GOODBYE_TIMEOUT = 1.0  # seconds in which the pages take the last messages
GOODBYE_POLL = 0.01  # seconds between looks at whether they have

MIME_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}


class PortTaken(PlywiseError):
    """The port is used by another program."""


def create_app(hub: Hub, port: int, abort: Callable[[Any], None], origins: Sequence[str] = ()) -> Any:
    """The server as an ASGI application that answers on one port; `abort` ends a client's connection.

    Pages of the `origins` may ask for moves, too.
    """
    for tail, kind in MIME_TYPES.items():  # some systems have other types in their tables
        mimetypes.add_type(kind, tail)

    async def page(request: Request) -> Response:
        return FileResponse(STATIC / "index.html", media_type="text/html")

    async def pictures(request: Request) -> Response:
        return FileResponse(SHEET, media_type=MIME_TYPES[".svg"])

    async def health(request: Request) -> Response:
        return JSONResponse({"plywise": plywise.__version__, "ok": not hub.closed})

    async def open_connection(socket: WebSocket) -> None:
        connection = Connection(hub, socket)
        try:
            hub.add_connection(connection)
        except PlywiseError as error:
            await socket.accept()
            await socket.send_text(json.dumps({"tell": "error", "words": str(error)}))
            await socket.close(1013)
            return
        try:
            await connection.run()
        finally:
            if connection.unresponsive:  # closing would wait until it has taken all messages
                abort(socket.client)

    async def error_page(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        words = {
            404: f"there is nothing at {request.url.path}; the page is at /",
            405: "only GET is answered",
        }
        return PlainTextResponse(f"{words.get(status, 'that went wrong')}\n", status)

    async def best_move(request: Request) -> Response:
        return await answer_http(hub, request)

    async def best_moves(socket: WebSocket) -> None:
        await answer_websocket(hub, socket)

    routes = [
        Route("/", page),
        Route("/api/best-move", best_move),
        WebSocketRoute("/api/best-move", best_moves),
        Route("/health", health),
        WebSocketRoute("/ws", open_connection),
        Route("/static/board/pictures.svg", pictures),  # drawn outside of the page, too
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: error_page, Exception: error_page})
    return SecurityMiddleware(app, port, origins=origins)


def bind_socket(port: int | None) -> socket.socket:
    """A socket on the port; without one, on the usual port or the next that is free."""
    wanted = range(PORT, PORT + PORTS_TRIED) if port is None else (port,)
    for number in wanted:
        # With its protocol named, asyncio switches off the delay of small packets (TCP_NODELAY).
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows lets others listen beside us unless told
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, number))
            listener.listen(256)
        except OSError:
            listener.close()
            continue
        return listener
    if port is None:
        raise PortTaken(f"ports {PORT} to {PORT + PORTS_TRIED - 1} are in use; say another with --port N")
    raise PortTaken(f"port {port} is in use; try --port {port + 1}, or leave --port away")


class _Uvicorn(uvicorn.Server):
    """Says goodbye to the pages before it shuts down."""

    hub: Hub

    def handle_exit(self, sig: int, frame: Any) -> None:
        self.hub.shut_down()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all connections, but not before the pages were sent what waits for them."""
        try:
            async with asyncio.timeout(GOODBYE_TIMEOUT):
                while any(connection.has_output for connection in list(self.hub.connections)):
                    await asyncio.sleep(GOODBYE_POLL)
        except TimeoutError:
            pass
        await super().shutdown(sockets)


class Server:
    """A hub that pages can connect to. `run` serves until `stop`; `start` does so in a thread."""

    def __init__(self, hub: Hub, port: int | None = None, origins: Sequence[str] = ()) -> None:
        self.hub = hub
        self.socket = bind_socket(port)
        self.port: int = self.socket.getsockname()[1]
        config = uvicorn.Config(
            create_app(hub, self.port, self.abort, origins),
            http=BoundedProtocol,
            ws=GuardedWebSocket,
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws_max_size=MAX_MESSAGE_BYTES,
            ws_per_message_deflate=False,  # the reader is on this machine
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            timeout_graceful_shutdown=1,
        )
        self.server = _Uvicorn(config)
        self.server.hub = hub
        self._thread: threading.Thread | None = None

    def abort(self, client: Any) -> None:
        """Close a client's connection at once, whatever is still to be sent."""
        for protocol in list(self.server.server_state.connections):
            if getattr(protocol, "client", None) == tuple(client):
                protocol.transport.abort()

    @property
    def address(self) -> str:
        """Where a browser finds the page."""
        return f"http://{HOST}:{self.port}/"

    def run(self) -> None:
        """Serve until `stop` or Ctrl-C."""
        # Rules, uncompiled searches and answers share the interpreter; a page should not wait long.
        sys.setswitchinterval(SWITCH_INTERVAL)
        return_large_blocks()
        # While the browser starts, load the games that it will ask for.
        threading.Thread(target=lambda: self.hub.catalogue.game_infos, daemon=True).start()
        try:
            asyncio.run(self._serve())
        finally:
            self.hub.shut_down()
            self.socket.close()

    async def _serve(self) -> None:
        await self.server.serve(sockets=[self.socket])

    def start(self) -> "Server":
        """Serve in a thread. The port is open already, so a page may connect at once."""
        self._thread = threading.Thread(target=self.run, daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """Stop serving, and wait until it has stopped."""
        self.hub.shut_down()
        self.server.should_exit = True
        if self._thread is not None:
            self._thread.join(10)


def open_hub(files: Sequence[str] = (), watch: Sequence[str] = ()) -> Hub:
    """A hub with the user's saved games; `watch` names matches and learning runs to show."""
    return Hub(open_store(), files, watch=watch)
