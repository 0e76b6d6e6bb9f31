"""A protocol on standard input and output, from the first line to `quit`."""

import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

from plywise.core.game import Game
from plywise.core.process_memory import return_large_blocks
from plywise.protocols.channel import Channel, Log

MANY_OBJECTS = 50_000  # new ones since the last collection of garbage: some 50 ms of its work
SWITCH_INTERVAL = 0.001  # seconds that a Python thread may run on; answers and clocks cannot wait longer


def stdin_lines() -> Iterator[bytes]:
    """The lines of standard input, as they come."""
    while line := sys.stdin.buffer.readline():
        yield line


def spare_collector(phase: str, info: dict[str, int]) -> None:
    """Keep the collection of garbage short, for every thread has to wait for its end.

    The compiler makes half a million objects while the collector is paused; the next collection would look
    at all of them, for up to 0.4 s. They are left out of this collection and of all later ones, and so is
    what a full collection finds in use. Garbage among them stays, 20 MB once a compilation, which is rare.
    Engines and their tables do not need the collector: they are in no cycle.
    """
    if phase == "start" and gc.get_count()[0] > MANY_OBJECTS:
        gc.freeze()
    if phase == "stop" and info["generation"] == 2:
        gc.freeze()


def serve(protocol: Any, game: Game, log: str | None) -> None:
    """Run the protocol until `quit` or the end of the input; then the process ends at once.

    XBoard interrupts engines that do not forbid it, so without a terminal Ctrl-C is ignored.
    """
    channel = Channel(stdin_lines(), sys.stdout, Log(log))
    if not sys.stdin.isatty():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.setswitchinterval(SWITCH_INTERVAL)
    return_large_blocks()
    gc.callbacks.append(spare_collector)
    started = time.perf_counter()
    try:
        protocol(game, channel).run()
        channel.log.write("=", f"ended after {time.perf_counter() - started:.1f} s")
        sys.stdout.flush()
    except BrokenPipeError:
        pass
    # A thread may be searching or compiling: it is not waited for, and must not outlive the interpreter.
    os._exit(0)
