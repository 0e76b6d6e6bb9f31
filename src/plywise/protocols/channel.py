"""The channel of a protocol: lines come in, answers go out at once, and a log keeps both.

One thread handles lines and the player's reports one after the other, so a protocol needs no locks.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol, TextIO

from plywise.core.errors import PlywiseError
from plywise.core.untrusted import visible
from plywise.play.request import SearchTask
from plywise.search.result import Progress

MAX_LINE = 1 << 18  # characters of a line that are read: a game of 3,000 plies has 15,000
MAX_WAITING = 100  # lines that have been read and not handled; more stay with who sends them


class Log:
    """The log of all lines in a file: time, direction, line."""

    def __init__(self, path: str | None, clock: Callable[[], float] = time.time) -> None:
        self.file: TextIO | None = None
        self.clock = clock
        if path is not None:
            try:
                self.file = Path(path).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115
            except OSError as error:
                raise PlywiseError(f"--log {path}: {error.strerror}") from None

    def write(self, direction: str, line: str) -> None:
        if self.file is not None:
            now = self.clock()
            stamp = time.strftime("%H:%M:%S", time.localtime(now))
            self.file.write(f"{stamp}.{int(now * 1000) % 1000:03d} {direction} {line}\n")


class ProtocolHandler(Protocol):
    """A protocol: it handles lines, reports, and the end of the input."""

    running: bool

    def handle_line(self, line: str, now: float) -> None: ...

    def handle_report(self, task: SearchTask, report: Progress | None) -> None: ...

    def handle_end(self) -> None: ...


class Channel:
    """Lines in, lines out. `events` holds lines and reports in the order in which they came."""

    def __init__(self, source: Iterable[bytes], out: TextIO, log: Log | None = None) -> None:
        self.source, self.out, self.log = source, out, log or Log(None)
        self.events: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self._send_lock = threading.Lock()
        self._places = threading.Semaphore(MAX_WAITING)  # for lines; reports must never wait

    def send(self, *lines: str) -> None:
        """Send whole lines at once; from any thread. What they quote cannot add lines or move a cursor."""
        lines = tuple(visible(line) for line in lines)
        with self._send_lock:
            for line in lines:
                self.log.write(">", line)
            self.out.write("".join(f"{line}\n" for line in lines))
            self.out.flush()

    def post_report(self, task: SearchTask, report: Progress | None) -> None:
        """Queue a report of the player; called in its thread."""
        self.events.put(("report", task, report))

    def call(self, function: Callable[[], None]) -> None:
        """Queue a call for the thread that handles lines."""
        self.events.put(("call", function))

    def dispatch(self, handler: ProtocolHandler) -> None:
        """Give the handler each event in order, as long as it runs."""
        threading.Thread(target=self._read, daemon=True).start()
        while handler.running:
            kind, *arguments = self.events.get()
            if kind == "line":
                self._places.release()
                handler.handle_line(*arguments)
            elif kind == "report":
                handler.handle_report(*arguments)
            elif kind == "call":
                arguments[0]()
            else:
                handler.handle_end()

    def _read(self) -> None:
        try:
            for data in self.source:
                now = time.perf_counter()
                line = data[:MAX_LINE].decode("utf-8", "replace").strip().replace("\0", "")
                self.log.write("<", line)
                self._places.acquire()
                self.events.put(("line", line, now))
        except (OSError, ValueError):
            pass  # the other side went away
        self.events.put(("end",))
