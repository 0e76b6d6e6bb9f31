"""A protocol on standard input and output, from the first line to `quit`."""

import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

from plywise.core.game import Game
from plywise.protocols.channel import Channel, Log

SWITCH_INTERVAL = 0.001  # seconds that a Python thread may run on; answers and clocks cannot wait longer


def stdin_lines() -> Iterator[bytes]:
    """The lines of standard input, as they come."""
    while line := sys.stdin.buffer.readline():
        yield line


def freeze_survivors(phase: str, info: dict[str, int]) -> None:
    """Leave what a full collection of garbage found in use out of all later ones.

    The compiler makes half a million objects, at which every thread would have to wait for 0.1 s each time.
    Engines and their tables do not need the collector: they are in no cycle.
    """
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
    gc.callbacks.append(freeze_survivors)
    started = time.perf_counter()
    try:
        protocol(game, channel).run()
        channel.log.write("=", f"ended after {time.perf_counter() - started:.1f} s")
        sys.stdout.flush()
    except BrokenPipeError:
        pass
    # A thread may be searching or compiling: it is not waited for, and must not outlive the interpreter.
    os._exit(0)
