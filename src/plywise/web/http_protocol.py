"""HTTP as uvicorn speaks it, with bounds: a request must be whole in time, and sockets are counted."""

import asyncio
import http
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Response

from plywise.web.security import REFUSAL_HEADERS

REQUEST_TIMEOUT = 10.0  # seconds in which a request must have come as a whole
MAX_SOCKETS = 600  # of all pages together, with those that have said nothing yet


class BoundedProtocol(H11Protocol):
    """One socket that speaks HTTP, until it becomes a WebSocket."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > MAX_SOCKETS:
            transport.abort()
            return
        self._deadline = self.loop.call_later(REQUEST_TIMEOUT, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._deadline is None:  # the next request of a socket that is kept open
            self._deadline = self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)
        super().data_received(data)
        if self._is_whole():
            self._cancel_deadline()

    def _is_whole(self) -> bool:
        """Whether nothing more is to come of a request: it is being answered, was, or is a WebSocket now."""
        if self.transport.get_protocol() is not self or self.transport.is_closing():
            return True
        return self.cycle is not None and not self.cycle.more_body and self.conn.their_state is not h11.IDLE

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, with the headers that every refusal has."""
        headers = [*REFUSAL_HEADERS, (b"connection", b"close")]
        for event in (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=f"{msg}\n".encode("ascii", "replace")),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose handshake, where it is refused, has the headers that every refusal has."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        send = self.conn.send_response

        def send_guarded(response: Response) -> None:
            if response.status_code != http.HTTPStatus.SWITCHING_PROTOCOLS:
                for name, value in REFUSAL_HEADERS:
                    if name.decode() not in response.headers:
                        response.headers[name.decode()] = value.decode()
            send(response)

        self.conn.send_response = send_guarded  # type: ignore[method-assign]
