"""A page without a browser: it speaks to the server as the real one does."""

import json
import secrets
import socket
import time
from typing import Any

from websockets.sync.client import connect

TIMEOUT = 300.0  # seconds after which a message will not come; a compiler may be at work, on a busy machine


class Refusal(Exception):
    """The server refused; the message is its sentence."""


class Page:
    """One page: `ask` sends a request and waits for its answer, `wait_for` waits for news."""

    def __init__(self, port: int, visitor: str | None = None, hello: bool = True, **headers: str) -> None:
        host = headers.pop("host", f"127.0.0.1:{port}")
        self._connection = connect(
            f"ws://{host}/ws",
            sock=socket.create_connection(("127.0.0.1", port), TIMEOUT),
            origin=headers.pop("origin", f"http://{host}"),  # type: ignore[arg-type]
            additional_headers=headers,
            max_size=None,
            open_timeout=TIMEOUT,
            ping_interval=None,  # a server that stands still for a while is waited for
        )
        self.socket = self._connection.__enter__()
        self.visitor = visitor or secrets.token_urlsafe(24)
        self.news: list[dict[str, Any]] = []
        self.states: dict[str, dict[str, Any]] = {}
        self._id = 0
        self.greeting = self.ask("hello", visitor=self.visitor) if hello else {}

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *rest: Any) -> None:
        self.close()

    def close(self) -> None:
        self._connection.__exit__(None, None, None)

    # --- sending and reading ----------------------------------------------------------------------
    def send(self, do: str, **fields: Any) -> int:
        self._id += 1
        self.socket.send(json.dumps({"id": self._id, "do": do, **fields}))
        return self._id

    def read(self, timeout: float = TIMEOUT) -> dict[str, Any]:
        """The next message, whatever it is."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout))
        if message.get("tell") == "state":
            self.states[message["game"]] = message
        return message

    def answer(self, id: int | None) -> dict[str, Any]:
        """The answer to a request; news that comes before it is kept for `wait_for`."""
        while True:
            message = self.read()
            if "re" in message and message["re"] == id:
                if "error" in message:
                    raise Refusal(message["error"])
                del message["re"]
                return message
            self.news.append(message)

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        return self.answer(self.send(do, **fields))

    def ask_raw(self, words: str | bytes) -> dict[str, Any]:
        """Send anything at all; the next answer, error or not."""
        self.socket.send(words)
        while True:
            message = self.read()
            if "re" in message:
                return message
            self.news.append(message)

    def wait_for(self, tell: str, want: Any = None, timeout: float = TIMEOUT) -> dict[str, Any]:
        """The next news of that name, of those kept or to come, for which `want(news)` is true."""
        until = time.monotonic() + timeout
        while True:
            for place, message in enumerate(self.news):
                if message.get("tell") == tell and (want is None or want(message)):
                    del self.news[: place + 1]
                    return message
            self.news.clear()
            self.news.append(self.read(max(0.01, until - time.monotonic())))

    # --- playing ----------------------------------------------------------------------------------
    def new(self, game: str, first: int | None = None, second: int | None = None, **fields: Any) -> str:
        """Begin a game, and wait for its state; a side is a person, or an engine of the level given."""
        seats = [
            {"kind": "person"} if level is None else {"kind": "level", "level": level}
            for level in (first, second)
        ]
        id: str = self.ask("new", game=game, seats=seats, **fields)["game"]
        self.state(id)
        return id

    def open(self, id: str) -> dict[str, Any]:
        self.ask("open", game=id)
        return self.state(id)

    def state(self, id: str, want: Any = None) -> dict[str, Any]:
        """The next state of a game for which `want(state)` is true."""
        return self.wait_for("state", lambda one: one["game"] == id and (want is None or want(one)))

    def play(self, id: str, move: str, node: int | None = None) -> dict[str, Any]:
        """Play a move from the tip; the state after it."""
        before = self.states[id]
        self.ask("play", game=id, node=before["tip"] if node is None else node, move=move)
        return self.state(id, lambda one: one["version"] > before["version"])

    def wait_for_state(self, id: str, want: Any) -> dict[str, Any]:
        """The latest state of a game if `want(state)` is true, or else the next one for which it is.

        Of states that follow each other quickly only the last is sent: one in between may never come.
        """
        now = self.states[id]
        return now if want(now) else self.state(id, want)

    def wait_for_turn(self, id: str) -> dict[str, Any]:
        """Wait until a person is to choose or the game is over; the state then."""
        return self.wait_for_state(id, lambda one: one["view"]["player"] or one["outcome"])
