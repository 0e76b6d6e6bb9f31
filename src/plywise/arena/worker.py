"""The worker process: it plays pairs for the main process; `executors.py` starts it.

Messages are pickles after their length, on standard input and output. When the main process ends, for
whatever reason, standard input closes: then the worker ends too, with its engines.
"""

import os
import pickle
import queue
import struct
import sys
import threading
import traceback
import warnings
from typing import IO, Any

from plywise.arena.pair_runner import PairRunner
from plywise.arena.setup import remove_unpacked
from plywise.core.errors import PlywiseError, author_frame, exception_text
from plywise.core.python_process import print_warning

LENGTH = struct.Struct(">Q")
SAID_BEFORE = "the compiled code that came with Plywise"  # how a warning begins that the main process gives


def send(stream: IO[bytes], message: Any) -> None:
    """Write one message."""
    data = pickle.dumps(message)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message; None when there are no more."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(head)
    data = stream.read(size)
    return pickle.loads(data) if len(data) == size else None


def error_text(error: BaseException) -> str:
    """The message of an error, with the place in the user's file if it was raised there."""
    if isinstance(error, PlywiseError):
        return str(error)
    frame = author_frame(error) or traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename}:{frame.lineno}: {frame.name} fails: {exception_text(error)}"


def serve(source: IO[bytes], target: IO[bytes]) -> None:
    """Play pairs until the input closes."""
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        while (message := receive(source)) is not None:
            tasks.put(message)
        _exit()

    threading.Thread(target=listen, daemon=True).start()
    runner: PairRunner | None = None
    while True:
        kind, content = tasks.get()
        try:
            if kind == "setup":
                runner = PairRunner(content)
                runner.prepare()
                answer: Any = ("ready", None)
            else:
                assert runner is not None
                answer = ("done", runner.play(content))
        except Exception as error:
            answer = ("failed", error_text(error))
        try:
            send(target, answer)
        except OSError:
            _exit()


def _exit() -> None:
    """End at once, with all engines of this process."""
    processes = sys.modules.get("plywise.arena.process")
    if processes is not None:
        processes.kill_all()
    remove_unpacked()
    os._exit(0)


def main(warns: bool = True) -> None:
    """Run a worker. Standard output is for messages only: what a game prints goes to standard error.

    Only one of several workers prints warnings, for example of a game that cannot be compiled.
    """
    if warns:
        warnings.showwarning = print_warning
        warnings.filterwarnings("ignore", SAID_BEFORE)
    else:
        warnings.simplefilter("ignore")
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, target)
