"""One page's connection: requests come in and are answered in turn, news goes out as it is made.

Requests are handled in worker threads, so that slow rules of one game keep nobody else waiting. Of
news that is overtaken (another report of the same search) only the latest is sent, so a slow reader
costs no memory.
"""

import asyncio
import functools
import json
import sys
import threading
import time
import traceback
from collections import deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Protocol, cast

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from plywise.core.errors import PlywiseError
from plywise.web.requests import Message, Refused, read

if TYPE_CHECKING:
    from plywise.web.house import House
    from plywise.web.table import Table

LONGEST = 360  # characters of a sentence that may quote what a page has sent
MOST_REPLIES = 50  # answers that wait to be taken
MOST_LATE = 4  # answers at a time that need a search
SILENCE = 30.0  # seconds to say hello


class Stoppable(Protocol):
    """Something about a table that goes on until it is stopped."""

    table: "Table"

    def stop(self) -> None:
        """End it; it tells nothing more."""
        ...


class Visit:
    """A page at the other end of a WebSocket. `tell` and `owner` may be used from any thread."""

    def __init__(self, house: "House", socket: WebSocket) -> None:
        self.house, self.socket = house, socket
        self.owner: str | None = None  # who it is, once it has said hello
        self.tables: dict[str, Table] = {}  # the games that this page has open
        self.going: dict[str, Stoppable] = {}  # what goes on for this page: an analysis, a review
        self.loop = asyncio.get_running_loop()
        self._replies: deque[str] = deque()
        self._news: dict[Any, tuple[str, float]] = {}
        self._sent: dict[Any, float] = {}
        self._lock = threading.Lock()
        self._fresh: dict[Any, tuple[str, float]] = {}  # news that this loop has not seen yet
        self._woken = False
        self._holding = False
        self._late = 0  # answers that take long and are still to come
        self._ready = asyncio.Event()
        self._read = asyncio.Event()  # the page takes what it is sent
        self._done = False

    @property
    def who(self) -> str:
        """Whose visit this is."""
        if self.owner is None:
            raise Refused("say hello first")
        return self.owner

    def begin(self, name: str, work: Stoppable) -> None:
        """Let something go on in place of what went on under this name."""
        self.end(name)
        self.going[name] = work

    def end(self, name: str) -> None:
        """Stop what goes on under this name, if anything does."""
        before = self.going.pop(name, None)
        if before is not None:
            before.stop()

    def end_all(self) -> None:
        """Stop all that goes on for this page."""
        for name in list(self.going):
            self.end(name)

    # --- going out ------------------------------------------------------------------------------
    def tell(self, key: Any, words: str, every: float = 0.0) -> None:
        """Send news; what waits under the same key is replaced. At most one in `every` seconds."""
        with self._lock:
            self._fresh[key] = words, every
            if self._woken:
                return  # it is looked at soon
            self._woken = True
        try:
            self.loop.call_soon_threadsafe(self._take)
        except RuntimeError:  # the loop has ended: nobody is there to hear
            pass

    def drop(self, key: Any) -> None:
        """Say nothing of what waits under this key."""
        with self._lock:
            self._fresh.pop(key, None)
            self._news.pop(key, None)

    def _take(self) -> None:
        """Look at the news from other threads."""
        with self._lock:
            self._news.update(self._fresh)
            self._fresh.clear()
            self._woken = self._holding
        self._ready.set()

    def _reply(self, id: int | None, answer: dict[str, Any]) -> None:
        self._replies.append(json.dumps({"re": id, **answer}))
        self._ready.set()

    async def _write(self) -> None:
        """Send answers at once, then news, each as soon as it may be."""
        while not self._done:
            await self._ready.wait()
            self._ready.clear()
            while self._replies:
                await self.socket.send_text(self._replies.popleft())
            self._read.set()
            if self._holding:
                continue
            soonest = 0.0
            for key in list(self._news):
                words, every = self._news.get(key, ("", 0.0))
                if not words:
                    continue  # dropped meanwhile
                wait = self._sent.get(key, 0.0) + every - time.monotonic() if every else 0.0
                if wait > 0:
                    soonest = min(soonest or wait, wait)
                    continue
                self._news.pop(key, None)
                if every:
                    self._sent[key] = time.monotonic()
                await self.socket.send_text(words)
            if soonest:
                self.loop.call_later(soonest, self._ready.set)
            if len(self._sent) > 100:
                self._sent.clear()

    # --- coming in ------------------------------------------------------------------------------
    async def run(self) -> None:
        """Talk until the page goes."""
        await self.socket.accept()
        writer = asyncio.create_task(self._write())
        try:
            async with asyncio.timeout(SILENCE) as patience:
                while True:
                    if len(self._replies) > MOST_REPLIES:  # it asks and does not listen
                        self._read.clear()
                        await self._read.wait()
                    words = await self.socket.receive_text()
                    await self._handle(read(words))
                    if self.owner is not None:
                        patience.reschedule(None)
        except (WebSocketDisconnect, TimeoutError, KeyError):  # KeyError: bytes, not text
            pass
        finally:
            self._done = True
            writer.cancel()
            await self.loop.run_in_executor(self.house.workers, self.house.left, self)
            if self.socket.application_state is WebSocketState.CONNECTED:
                try:
                    await self.socket.close(1008)
                except RuntimeError:
                    pass

    async def _handle(self, message: Message) -> None:
        if message.error is not None or message.wanted is None:
            self._reply(message.id, {"error": message.error})
            return
        # What a request changes is told after its answer: a page learns a game's id before its state.
        with self._lock:
            self._holding = self._woken = True
        try:
            work = functools.partial(self._call, message)
            answer = await self.loop.run_in_executor(self.house.workers, work)
            if isinstance(answer, Future):
                self._late += 1
                answer.add_done_callback(lambda done: self._answer_late(message, done))
            else:
                self._reply(message.id, answer)
        finally:
            self._holding = False
            self._take()

    def _call(self, message: Message) -> "dict[str, Any] | Future[dict[str, Any]]":
        assert message.wanted is not None
        try:
            if self.owner is None and message.wanted.name != "hello":
                raise Refused("say hello first")
            if self._late >= MOST_LATE and message.wanted.late:
                raise Refused(f"{message.wanted.name} waits: {MOST_LATE} questions are being thought about")
            return message.wanted(self, message.given)
        except Exception as error:
            return {"error": sentence(error)}

    def _answer_late(self, message: Message, done: "Future[dict[str, Any]]") -> None:
        if done.cancelled():
            answer = {"error": "it was overtaken by another request"}
        elif error := done.exception():
            answer = {"error": sentence(cast(Exception, error))}
        else:
            answer = done.result()
        try:
            self.loop.call_soon_threadsafe(self._arrive, message.id, answer)
        except RuntimeError:
            pass

    def _arrive(self, id: int | None, answer: dict[str, Any]) -> None:
        self._late -= 1
        self._reply(id, answer)


def sentence(error: Exception) -> str:
    """What to tell a page of an error: the reason of a refusal, a short word of anything else."""
    if isinstance(error, PlywiseError):
        words = str(error)
        return words if len(words) <= LONGEST else f"{words[: LONGEST // 2]} ... {words[-LONGEST // 2 :]}"
    frame = traceback.extract_tb(error.__traceback__)[-1]
    words = f"{type(error).__name__}: {error} ({frame.filename}:{frame.lineno})"
    print("plywise:", words, file=sys.stderr, flush=True)
    return f"that went wrong on the server: {type(error).__name__}; the game is as it was"
