"""The process of an external engine: lines in and out, in its own process group, killed with its children.

A thread reads its output, so that a read can time out whatever the program does. It closes its pipe itself:
if another thread did, the next read could meet the pipe of the next program, which has the same number.
"""

import os
import queue
import select
import signal
import subprocess
import threading
import time
from collections.abc import Sequence

from plywise.arena.faults import Fault, FaultKind
from plywise.core.process_group import OWN_GROUP

MAX_LINE = 1 << 16  # characters of a line that are kept
MAX_QUEUED_LINES = 20_000  # unread lines; a program that prints more has to wait
STDERR_KEPT = 500  # last bytes of standard error
EXIT_TIMEOUT = 1.0  # seconds to end after `quit`
WRITE_TIMEOUT = 5.0  # seconds after which a program that reads nothing has hung

_running: "set[EngineProcess]" = set()


class ReadTimeout(Exception):
    """No line came in time."""


class EngineProcess:
    """A running program. Every failure of it is raised as a Fault."""

    def __init__(self, command: Sequence[str], folder: str | None = None) -> None:
        self.name = os.path.basename(command[0])
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_QUEUED_LINES)
        self._is_killed = False  # nobody reads its lines any more
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                bufsize=0,
                **OWN_GROUP,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise Fault(FaultKind.CRASH, f"{self.name} does not start: {reason}") from None
        _running.add(self)
        assert self.process.stdin is not None
        if os.name != "nt":
            os.set_blocking(self.process.stdin.fileno(), False)
        self._stderr_tail = b""
        threading.Thread(target=self._read, daemon=True).start()
        self._stderr_thread = threading.Thread(target=self._read_stderr, daemon=True)
        self._stderr_thread.start()

    # --- talking --------------------------------------------------------------------------------------
    def send(self, *lines: str) -> None:
        """Write lines to its input."""
        assert self.process.stdin is not None
        data = memoryview("".join(f"{line}\n" for line in lines).encode())
        pipe = self.process.stdin.fileno()
        until = time.monotonic() + WRITE_TIMEOUT
        try:
            while data:
                try:
                    data = data[os.write(pipe, data) :]
                except BlockingIOError:
                    if time.monotonic() > until:
                        raise self.fault("reads nothing any more (it hangs)") from None
                    select.select([], [pipe], [], 0.1)
        except OSError:
            raise self.exit_fault() from None

    def read_line(self, seconds: float) -> str:
        """The next line of its output; raise ReadTimeout if none comes in time."""
        try:
            line = self._lines.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            raise ReadTimeout from None
        if line is None:
            self._lines.put(None)
            raise self.exit_fault()
        return line

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as pipe:
            rest = b""
            try:
                while data := os.read(pipe.fileno(), 1 << 16):
                    *whole, rest = (rest + data).split(b"\n")
                    for line in whole:
                        self._put(_text(line))
                    rest = rest[:MAX_LINE]
            except OSError:
                pass
        if rest:
            self._put(_text(rest))
        self._put(None)

    def _put(self, line: str | None) -> None:
        """Queue a line, as long as somebody may read it."""
        if not self._is_killed:
            self._lines.put(line)

    def _read_stderr(self) -> None:
        """Keep the end of standard error: it says why the program died."""
        assert self.process.stderr is not None
        with self.process.stderr as pipe:
            try:
                while data := os.read(pipe.fileno(), 1 << 16):
                    self._stderr_tail = (self._stderr_tail + data)[-STDERR_KEPT:]
            except OSError:
                pass

    # --- the end --------------------------------------------------------------------------------------
    def fault(self, reason: str) -> Fault:
        """A crash of this program, for the reason given."""
        return Fault(FaultKind.CRASH, f"{self.name} {reason}")

    def exit_fault(self) -> Fault:
        """The fault of a program that ended during a game."""
        try:
            status = self.process.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            return self.fault("closed its output")
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        self._stderr_thread.join(EXIT_TIMEOUT)
        message = _text(self._stderr_tail.strip().rpartition(b"\n")[2])
        return self.fault(f"{how} in the middle" + (f": {message}" if message else ""))

    def stop(self, command: str = "quit") -> None:
        """Ask it to end, then kill what is left of it and its children."""
        if self.process.poll() is None:
            try:
                self.send(command)
                assert self.process.stdin is not None
                self.process.stdin.close()
                self.process.wait(EXIT_TIMEOUT)
            except (Fault, OSError, subprocess.TimeoutExpired):
                pass
        self.kill()

    def kill(self) -> None:
        """Kill it, with all its children."""
        _running.discard(self)
        if os.name == "nt":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self.process.pid)], capture_output=True)
        else:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        self.process.wait()
        assert self.process.stdin is not None
        try:
            self.process.stdin.close()
        except OSError:
            pass
        # The reading thread may wait for a place in the queue: make room, or it never ends.
        self._is_killed = True
        while not self._lines.empty():
            try:
                self._lines.get_nowait()
            except queue.Empty:
                break


def kill_all() -> None:
    """Kill every program that this process started."""
    for program in list(_running):
        program.kill()


def _text(line: bytes) -> str:
    return line[:MAX_LINE].decode("utf-8", "replace").strip().replace("\0", "")
