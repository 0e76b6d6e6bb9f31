"""Running the command: in this process, in a process of its own, or on a terminal.

A command that answers or refuses and is done runs here (`plywise`): a process takes half a second to
start. What plays, is interrupted or is measured at its start and end gets a process (`process`).
"""

import contextlib
import io
import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plywise.cli.console import PIPED_WIDTH
from plywise.play.engine_pool import EnginePool
from plywise.search.engine import PLAYERS
from plywise.search.specialisation import is_cached

COMMAND = [sys.executable, "-m", "plywise"]
LONGEST = 300  # seconds after which a process has hung


@dataclass
class Done:
    """What a command printed, and how it ended."""

    out: str
    error: str
    status: int

    @property
    def json(self) -> Any:
        """The one object on the one line of standard output."""
        assert self.status == 0, self.error
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)

    @property
    def jsons(self) -> list[Any]:
        assert self.status == 0, self.error
        return [json.loads(line) for line in self.out.splitlines()]


def environment(**changes: str | None) -> dict[str, str]:
    """This process's environment without what would change how things look."""
    result = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
    result["TERM"] = "xterm-256color"
    for name, value in changes.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    return result


def plywise(*words: str, typed: str | bytes = "", folder: Path | None = None, **changes: str | None) -> Done:
    """Run a command in this process, as if its streams were piped."""
    from plywise.cli import main

    out, error = _Piped(), _Piped()
    typed = typed.encode() if isinstance(typed, str) else typed
    streams = {"stdin": io.TextIOWrapper(io.BytesIO(typed)), "stdout": out, "stderr": error}
    with contextlib.ExitStack() as stack:
        stack.enter_context(_replaced(sys, **streams))
        stack.enter_context(_replaced(os, _exit=_leave))
        stack.enter_context(_replaced(EnginePool, prepare=_prepare_cached))
        stack.enter_context(_environment(environment(**{"COLUMNS": str(PIPED_WIDTH), **changes})))
        stack.enter_context(contextlib.chdir(folder or os.getcwd()))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("default")
        try:
            status = main(words)
        except _Left as end:
            status = end.args[0]
    return Done(out.text, error.text, status)


def process(*words: str, typed: str | bytes = "", folder: Path | None = None, **changes: str | None) -> Done:
    """Run a command in a process of its own with its streams piped."""
    done = subprocess.run(
        [*COMMAND, *words],
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        cwd=folder,
        env=environment(**changes),
        timeout=LONGEST,
    )
    return Done(done.stdout.decode(), done.stderr.decode(), done.returncode)


class _Piped(io.TextIOWrapper):
    """A standard stream that is kept as text."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    @property
    def text(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


class _Left(Exception):
    """The command has ended its process."""


def _leave(status: int) -> None:
    raise _Left(status)


def _prepare_cached(pool: EnginePool) -> None:
    """Load what is compiled. A compiler in a thread of this process would outlive the command."""
    if not pool.game.compiled or is_cached(pool.game, pool.evaluator, player=PLAYERS[pool.player]):
        _PREPARE(pool)


_PREPARE = EnginePool.prepare


@contextlib.contextmanager
def _replaced(module: Any, **values: Any) -> Iterator[None]:
    """Other values for attributes of a module, for a while."""
    before = {name: getattr(module, name) for name in values}
    try:
        for name, value in values.items():
            setattr(module, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


@contextlib.contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Another environment, for a while."""
    before = dict(os.environ)
    try:
        os.environ.clear()
        os.environ.update(values)
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def shell(words: str) -> "subprocess.CompletedProcess[str]":
    """Run `plywise WORDS` as a shell understands them."""
    command = f"{' '.join(map(shlex.quote, COMMAND))} {words}"
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, env=environment(), timeout=LONGEST
    )


def refused(done: Done) -> str:
    """The sentence with which bad input was refused: one line, status 2, nothing else."""
    assert done.status == 2, (done.out, done.error)
    assert done.out == ""
    assert "Traceback" not in done.error
    assert re.fullmatch(r"plywise: [^\n]+\n", done.error), done.error
    return done.error.removeprefix("plywise: ").rstrip("\n")


def start(*words: str, **changes: str | None) -> "subprocess.Popen[bytes]":
    """A command that goes on while the test does."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*COMMAND, *words], stdin=pipe, stdout=pipe, stderr=pipe, env=environment(**changes)
    )


class Screen:
    """A command on a terminal of its own: what it shows, and keys to press."""

    def __init__(self, *words: str, columns: int = 80, **changes: str | None) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.shown = ""
        self.unmatched = ""  # read since the last key and not yet waited for
        self.child, self.end = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.execvpe(COMMAND[0], [*COMMAND, *words], environment(**changes))

    def wait_for(self, pattern: str) -> "Screen":
        """Read on until the text since the last key, behind what was waited for already, matches."""
        until = time.monotonic() + LONGEST
        while not (found := re.search(pattern, plain(self.unmatched))):
            assert time.monotonic() < until, f"never saw {pattern!r} in {plain(self.shown)!r}"
            piece = self._read()
            assert piece is not None, f"ended without {pattern!r}: {plain(self.shown)!r}"
            self.unmatched += piece
        self.unmatched = plain(self.unmatched)[found.end() :]
        return self

    def press(self, keys: str) -> "Screen":
        self.unmatched = ""
        os.write(self.end, keys.encode())
        return self

    def finish(self, insist: str = "") -> int:
        """Read to the end, pressing a key again and again if need be; the exit status."""
        while self._read(insist) is not None:
            pass
        _, status = os.waitpid(self.child, 0)
        os.close(self.end)
        return os.waitstatus_to_exitcode(status)

    def _read(self, insist: str = "") -> str | None:
        until = time.monotonic() + LONGEST
        while not (ready := select.select([self.end], [], [], 2)[0]) and time.monotonic() < until:
            if insist:
                self.press(insist)
        if not ready:
            os.kill(self.child, signal.SIGKILL)
            return None
        try:
            piece = os.read(self.end, 65536).decode(errors="replace")
        except OSError:
            return None
        self.shown += piece
        return piece or None


def plain(text: str) -> str:
    """Without colours and cursor movements."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r\n", "\n")
