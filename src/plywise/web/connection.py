"""One page's connection: requests are answered one after the other, and news is sent as it comes.

Requests are handled in worker threads, so that slow rules of one game keep nobody else waiting. Long texts
are read in threads of their own: who looks at a game does not wait for another's import. Of several messages
under one key (reports of one search) only the latest is sent, so a slow reader costs no memory.
"""

import asyncio
import json
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Hashable
from concurrent.futures import Executor, Future
from typing import Any, Protocol, cast

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from plywise.core.errors import PlywiseError, exception_text
from plywise.core.untrusted import visible
from plywise.web.hub import Hub
from plywise.web.jobs.scheduler import Cancelled
from plywise.web.live.game import LiveGame
from plywise.web.refusal_text import refusal_text
from plywise.web.schema import LateAnswer, Message, Refused, parse_message

MAX_ERROR_CHARACTERS = 360  # of a sentence that may quote what a page has sent
MAX_WAITING_REPLIES = 50  # answers that the page has not taken yet
MAX_LATE_ANSWERS = 4  # answers of one page at a time that need a search
MAX_BAD_MESSAGES = 20  # messages that make no request, and no good ones between them; then it is cut off
SHORT_MESSAGE = 1000  # characters; longer ones are read in the threads for slow requests
HELLO_TIMEOUT = 30.0  # seconds to say hello
SEND_TIMEOUT = 20.0  # seconds in which a page must take what it is sent
CLOSE_TIMEOUT = 1.0  # seconds to close a socket


class StoppableJob(Protocol):
    """Work about a live game that goes on until it is stopped: an analysis, a review, a recording."""

    live_game: LiveGame

    def start(self) -> None:
        """Begin; Refused if too much is going on already."""
        ...

    def stop(self) -> None:
        """End it; nothing more is sent."""
        ...


class Connection:
    """A page at the other end of a WebSocket. `send` and `owner` may be used from any thread."""

    def __init__(self, hub: Hub, socket: WebSocket) -> None:
        self.hub, self.socket = hub, socket
        self.owner: str | None = None  # the visitor, once it has said hello
        self.live_games: dict[str, LiveGame] = {}  # the games that this page has open
        self.key_sides: dict[str, int] = {}  # by game: the side whose play link it has opened
        self.jobs: dict[str, StoppableJob] = {}  # by name: an analysis, a review, a recording
        self.loop = asyncio.get_running_loop()
        self._replies: deque[str] = deque()
        self._waiting: dict[Any, tuple[str, float]] = {}
        self._last_sent: dict[Any, float] = {}
        self._lock = threading.Lock()
        self._from_threads: dict[Any, tuple[str, float]] = {}  # messages that the loop has not seen yet
        self._wake_pending = False
        self._held = False
        self._late_answers = 0  # still to come
        self._bad_messages = 0  # of late
        self._has_output = asyncio.Event()
        self._replies_sent = asyncio.Event()  # set while the page takes its answers
        self._running_request: asyncio.Future[Any] | None = None  # the request that a worker answers now
        self.unresponsive = False  # it did not take a message in time
        self.closed = threading.Event()  # the page is gone: nobody waits for an answer

    @property
    def known_owner(self) -> str:
        """The owner; refused before the page has said hello."""
        if self.owner is None:
            raise Refused("say hello first")
        return self.owner

    @property
    def has_output(self) -> bool:
        """Whether messages wait to be sent."""
        with self._lock:
            return bool(self._replies or self._waiting or self._from_threads)

    def is_connected(self) -> bool:
        """Whether somebody still waits for answers."""
        return not self.closed.is_set()

    def start_job(self, name: str, job: StoppableJob) -> None:
        """Start a job in place of the one that runs under this name."""
        self.stop_job(name)
        self.jobs[name] = job
        try:
            job.start()
        except Refused:
            self.stop_job(name)
            raise

    def stop_job(self, name: str) -> None:
        """Stop the job of this name, if there is one."""
        before = self.jobs.pop(name, None)
        if before is not None:
            before.stop()

    def stop_jobs_of(self, live_game: LiveGame) -> None:
        """Stop the jobs of this page that are about a game."""
        for name, job in list(self.jobs.items()):
            if job.live_game is live_game:
                self.stop_job(name)

    def stop_all_jobs(self) -> None:
        """Stop all jobs of this page."""
        for name in list(self.jobs):
            self.stop_job(name)

    # --- sending --------------------------------------------------------------------------------
    def send(self, key: Hashable, words: str, every: float = 0.0) -> None:
        """Send a message in place of one that waits under the same key, at most one in `every` seconds."""
        with self._lock:
            self._from_threads[key] = words, every
            if self._wake_pending:
                return  # the loop will look soon
            self._wake_pending = True
        try:
            self.loop.call_soon_threadsafe(self._collect)
        except RuntimeError:  # the loop has ended, and the page with it
            pass

    def discard(self, key: Hashable) -> None:
        """Do not send the message that waits under this key."""
        with self._lock:
            self._from_threads.pop(key, None)
            self._waiting.pop(key, None)

    def _collect(self) -> None:
        """Take over the messages from other threads."""
        with self._lock:
            self._waiting.update(self._from_threads)
            self._from_threads.clear()
            self._wake_pending = self._held
        self._has_output.set()

    def _reply(self, id: int | None, answer: dict[str, Any]) -> None:
        self._replies.append(json.dumps({"re": id, **answer}))
        self._has_output.set()

    async def _send_loop(self) -> None:
        """Send answers at once, then news, each as soon as its interval allows."""
        while True:
            await self._has_output.wait()
            self._has_output.clear()
            while self._replies:
                await self._send(self._replies.popleft())
            self._replies_sent.set()
            if self._held:
                continue
            soonest = 0.0
            for key in list(self._waiting):
                words, every = self._waiting.get(key, ("", 0.0))
                if not words:
                    continue  # discarded meanwhile
                wait = self._last_sent.get(key, 0.0) + every - time.monotonic() if every else 0.0
                if wait > 0:
                    soonest = min(soonest or wait, wait)
                    continue
                self._waiting.pop(key, None)
                if every:
                    self._last_sent[key] = time.monotonic()
                await self._send(words)
            if soonest:
                self.loop.call_later(soonest, self._has_output.set)
            if len(self._last_sent) > 100:
                self._last_sent.clear()

    async def _send(self, words: str) -> None:
        try:
            async with asyncio.timeout(SEND_TIMEOUT):
                await self.socket.send_text(words)
        except TimeoutError:
            self.unresponsive = True
            raise

    # --- requests -------------------------------------------------------------------------------
    async def run(self) -> None:
        """Talk until the page goes. Where reading or writing ends, both do."""
        await self.socket.accept()
        tasks = {asyncio.create_task(self._listen()), asyncio.create_task(self._send_loop())}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._running_request is not None:  # what it does, as opening a game, must be undone below
                await asyncio.wait({self._running_request})
            self.closed.set()
            await self.loop.run_in_executor(self.hub.workers, self.hub.remove_connection, self)
            self.hub.return_memory_later(self.loop)
            if self.socket.application_state is WebSocketState.CONNECTED and not self.unresponsive:
                try:
                    async with asyncio.timeout(CLOSE_TIMEOUT):
                        await self.socket.close(1008)
                except (RuntimeError, WebSocketDisconnect, TimeoutError):
                    pass

    async def _listen(self) -> None:
        """Read requests and answer them, one after the other."""
        try:
            async with asyncio.timeout(HELLO_TIMEOUT) as timeout:
                while True:
                    if len(self._replies) > MAX_WAITING_REPLIES:  # it asks and does not read
                        self._replies_sent.clear()
                        await self._replies_sent.wait()
                    words = await self.socket.receive_text()
                    if not await self._handle(words):
                        self._bad_messages += 1
                        if self._bad_messages > MAX_BAD_MESSAGES:
                            break
                    elif self._bad_messages:
                        self._bad_messages -= 1
                    if self.owner is not None:
                        timeout.reschedule(None)
        except (WebSocketDisconnect, TimeoutError, KeyError):  # KeyError: bytes, not text
            pass

    async def _handle(self, words: str) -> bool:
        """Answer a message; whether it made a request."""
        message = parse_message(words) if len(words) <= SHORT_MESSAGE else None
        short = message is not None and message.request is not None and not message.request.slow
        if message is not None and short and await self._run(self.hub.workers, message) is not None:
            return True
        if message is not None and message.request is None:
            self._reply(message.id, {"error": message.error})
            return False
        if self.owner is None:
            self._reply(None if message is None else message.id, {"error": "say hello first"})
            return False
        async with self.hub.slow_lock(self.owner):
            return bool(await self._run(self.hub.slow_workers, message or words))

    async def _run(self, threads: Executor, given: Message | str) -> bool | None:
        """Let one of these threads answer a message; whether it made a request.

        None if it is not answered, because that would keep a thread for short requests too long.
        """
        # News of what a request changes is sent after its answer: a page learns a game's id before its state.
        with self._lock:
            self._held = self._wake_pending = True
        try:
            self._running_request = self.loop.run_in_executor(threads, self._call, given, threads)
            called = await asyncio.shield(self._running_request)
            if called is None:
                return None
            message, answer = called
            if isinstance(answer, Future):
                self._late_answers += 1
                answer.add_done_callback(lambda done: self._answer_late(message.id, done))
            else:
                self._reply(message.id, answer)
        finally:
            self._held = False
            self._collect()
        return message.request is not None

    def _call(
        self, given: Message | str, threads: Executor
    ) -> "tuple[Message, dict[str, Any] | Future[dict[str, Any]]] | None":
        message = given if isinstance(given, Message) else parse_message(given)
        if threads is self.hub.workers and self.hub.takes_long(self, message.fields):
            return None
        return message, self._answer(message)

    def _answer(self, message: Message) -> "dict[str, Any] | Future[dict[str, Any]]":
        if message.request is None:
            return {"error": message.error}
        try:
            if self.owner is None and message.request.name != "hello":
                raise Refused("say hello first")
            if self._late_answers >= MAX_LATE_ANSWERS and message.request.late:
                raise Refused(f"wait a moment: {MAX_LATE_ANSWERS} searches of this page are running")
            answer = message.request(self, message.fields)
            if not isinstance(answer, LateAnswer):
                return answer
            assert message.request.late, f"{message.request.name} thinks and is not late"
            return self._think(answer)
        except Exception as error:
            return {"error": error_text(error)}

    def _think(self, later: LateAnswer) -> "Future[dict[str, Any]]":
        """Start the work of a late answer in a search thread."""
        future: Future[dict[str, Any]] = Future()

        def run() -> None:
            try:
                future.set_result(later.work())
            except Cancelled:
                future.set_exception(Refused("nobody waits for the answer any more"))
            except BaseException as error:
                future.set_exception(error)

        self.hub.search_threads.start(self.known_owner, run)
        return future

    def _answer_late(self, id: int | None, done: "Future[dict[str, Any]]") -> None:
        if done.cancelled():
            answer = {"error": "it was overtaken by another request"}
        elif error := done.exception():
            answer = {"error": error_text(cast(Exception, error))}
        else:
            answer = done.result()
        try:
            self.loop.call_soon_threadsafe(self._deliver_late, id, answer)
        except RuntimeError:
            pass

    def _deliver_late(self, id: int | None, answer: dict[str, Any]) -> None:
        self._late_answers -= 1
        self._reply(id, answer)


def error_text(error: Exception) -> str:
    """An error as a page is told it: why it was refused, or only that something went wrong."""
    if isinstance(error, PlywiseError):
        words = refusal_text(error)
        return (
            words
            if len(words) <= MAX_ERROR_CHARACTERS
            else f"{words[: MAX_ERROR_CHARACTERS // 2]} ... {words[-MAX_ERROR_CHARACTERS // 2 :]}"
        )
    frame = traceback.extract_tb(error.__traceback__)[-1]
    words = f"{exception_text(error)} ({frame.filename}:{frame.lineno})"
    print("plywise:", visible(" ".join(words.split())), file=sys.stderr, flush=True)
    return f"that went wrong on the server: {type(error).__name__}; the game is as it was"
