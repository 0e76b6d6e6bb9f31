"""The other end of the wire: lines sent, lines expected, in one process."""

import queue
import re
import threading
from typing import Any

import plywise
from plywise.protocols.channel import Channel, Log

READINESS = re.compile(r"Getting .* ready \(once|^(info string|#) .* is ready$")
PATIENCE = 900.0  # seconds: a compiler may be at work, on a busy machine; nothing waits that long otherwise


class Source:
    """Lines that a program sends; ends with None."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def __iter__(self) -> "Source":
        return self

    def __next__(self) -> bytes:
        line = self.lines.get()
        if line is None:
            raise StopIteration
        return line


class Out:
    """A stream whose lines can be waited for."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def write(self, text: str) -> None:
        for line in text.splitlines():
            self.lines.put(line)

    def flush(self) -> None:
        pass


class Talk:
    """A conversation with a protocol that runs in a thread."""

    def __init__(self, protocol: Any, game: str = "chess", log: str | None = None, **options: Any) -> None:
        self.source, self.out = Source(), Out()
        self.heard: list[str] = []
        self.protocol = protocol(
            plywise.load(game),
            Channel(self.source, self.out, Log(log)),
            seed=1,
            **options,  # type: ignore[arg-type]
        )
        self.thread = threading.Thread(target=self.protocol.run, daemon=True)
        self.thread.start()

    def __enter__(self) -> "Talk":
        return self

    def __exit__(self, *error: Any) -> None:
        self.send("quit")
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), self.heard[-20:]
        self.protocol.player.stop_and_wait()
        if self.protocol.player._pool is not None:  # no compiler may be at work when the tests end
            self.protocol.player._pool.ready.wait(PATIENCE)

    def send(self, *lines: str) -> None:
        for line in lines:
            self.source.lines.put(line.encode() + b"\n")

    def until(self, start: str) -> list[str]:
        """All lines up to the first that begins so, but for those that tell how far the game is compiled.

        Those come at any time, or not at all: another test may have compiled the game. They are in `heard`.
        """
        lines: list[str] = []
        while not lines or not lines[-1].startswith(start):
            try:
                line = self.out.lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise AssertionError(f"no {start!r} after {self.heard[-20:]}") from None
            self.heard.append(line)
            if line.startswith(start) or not READINESS.search(line):
                lines.append(line)
        return lines

    def ask(self, line: str, start: str) -> list[str]:
        self.send(line)
        return self.until(start)
