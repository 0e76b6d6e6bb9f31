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
from plywise.web.requests import Later, Message, Refused, read
from plywise.web.slots import Cancelled

if TYPE_CHECKING:
    from plywise.web.house import House
    from plywise.web.table import Table

LONGEST = 360  # characters of a sentence that may quote what a page has sent
MOST_REPLIES = 50  # answers that wait to be taken
MOST_LATE = 4  # answers at a time that need a search
SILENCE = 30.0  # seconds to say hello
DEAF = 20.0  # seconds in which a page must take what it is sent
FAREWELL = 1.0  # seconds for the last word


class Stoppable(Protocol):
    """Something about a table that goes on until it is stopped."""

    table: "Table"

    def start(self) -> None:
        """Let it begin; Refused if too much is going on already."""
        ...

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
        self._calling: asyncio.Future[Any] | None = None  # the request that a worker answers now
        self.deaf = False  # it has not taken what it was sent
        self.gone = threading.Event()  # nobody waits for what is thought about

    @property
    def who(self) -> str:
        """Whose visit this is."""
        if self.owner is None:
            raise Refused("say hello first")
        return self.owner

    def is_there(self) -> bool:
        """Whether somebody still waits for answers."""
        return not self.gone.is_set()

    def begin(self, name: str, work: Stoppable) -> None:
        """Let something go on in place of what went on under this name."""
        self.end(name)
        self.going[name] = work
        try:
            work.start()
        except Refused:
            self.end(name)
            raise

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
        while True:
            await self._ready.wait()
            self._ready.clear()
            while self._replies:
                await self._send(self._replies.popleft())
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
                await self._send(words)
            if soonest:
                self.loop.call_later(soonest, self._ready.set)
            if len(self._sent) > 100:
                self._sent.clear()

    async def _send(self, words: str) -> None:
        try:
            async with asyncio.timeout(DEAF):
                await self.socket.send_text(words)
        except TimeoutError:
            self.deaf = True
            raise

    # --- coming in ------------------------------------------------------------------------------
    async def run(self) -> None:
        """Talk until the page goes. Reading and writing are one: where either ends, both do."""
        await self.socket.accept()
        tasks = {asyncio.create_task(self._listen()), asyncio.create_task(self._write())}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._calling is not None:  # what it still does, as opening a game, is then undone
                await asyncio.wait({self._calling})
            self.gone.set()
            await self.loop.run_in_executor(self.house.workers, self.house.left, self)
            if self.socket.application_state is WebSocketState.CONNECTED and not self.deaf:
                try:
                    async with asyncio.timeout(FAREWELL):
                        await self.socket.close(1008)
                except (RuntimeError, WebSocketDisconnect, TimeoutError):
                    pass

    async def _listen(self) -> None:
        """Take requests, one after the other."""
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

    async def _handle(self, message: Message) -> None:
        if message.error is not None or message.wanted is None:
            self._reply(message.id, {"error": message.error})
            return
        # What a request changes is told after its answer: a page learns a game's id before its state.
        with self._lock:
            self._holding = self._woken = True
        try:
            work = functools.partial(self._call, message)
            self._calling = self.loop.run_in_executor(self.house.workers, work)
            answer = await asyncio.shield(self._calling)
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
            answer = message.wanted(self, message.given)
            if not isinstance(answer, Later):
                return answer
            assert message.wanted.late, f"{message.wanted.name} thinks and is not late"
            return self._think(answer)
        except Exception as error:
            return {"error": sentence(error)}

    def _think(self, later: Later) -> "Future[dict[str, Any]]":
        """Begin what takes long, in a thread that is counted."""
        future: Future[dict[str, Any]] = Future()

        def run() -> None:
            try:
                future.set_result(later.work())
            except Cancelled:
                future.set_exception(Refused("nobody waits for the answer any more"))
            except BaseException as error:
                future.set_exception(error)

        self.house.thinkers.start(self.who, run)
        return future

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
