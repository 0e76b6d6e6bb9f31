"""How far a compilation has come: Numba says when a function is done, and bytecode how much there is to do.

First come the functions, one by one; then LLVM works on all of them together and says nothing meanwhile.
That part is estimated by the time that the functions took.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from numba.core import event

from plywise.native.own_methods import own_functions

FUNCTIONS_SHARE = 0.75  # of the time; the rest is LLVM's
SECONDS_A_BYTE = 1.6e-4  # of bytecode: what to expect before anything is done
NEARLY_ALL = 0.9  # of the bytecode that is found; a rule may be named and not called
TRUST = 4.0  # how soon the pace of this processor counts more than that
MOST = 0.99  # the share before the end
REPORT_INTERVAL = 0.25  # seconds between two reports

Report = Callable[[float, float], None]  # (the share that is done, seconds that are left)


class Pace:
    """The share that is done, and the seconds that are left, by the bytecode that was compiled."""

    def __init__(self, total: int, now: float) -> None:
        self.total, self.began = max(total, 1), now
        self.done = 0
        self.functions_ended: float | None = None

    def add(self, size: int) -> None:
        """A function of this many bytes is compiled."""
        self.done = min(self.done + size, self.total)

    def end_functions(self, now: float) -> None:
        """All functions are compiled: LLVM begins."""
        if self.functions_ended is None:
            self.done, self.functions_ended = self.total, now

    @property
    def is_near_end(self) -> bool:
        """Whether nearly all functions are compiled: the few others are never called."""
        return self.done >= NEARLY_ALL * self.total

    def share(self, now: float) -> float:
        """The share that is done; it never goes back and is never 1."""
        share = FUNCTIONS_SHARE * self.done / self.total
        if self.functions_ended is not None:
            expected = (self.functions_ended - self.began) * (1 - FUNCTIONS_SHARE) / FUNCTIONS_SHARE
            passed = (now - self.functions_ended) / expected if expected > 0 else 1.0
            share += (1 - FUNCTIONS_SHARE) * min(passed, 1.0)
        return min(share, MOST)

    def seconds_left(self, now: float) -> float:
        """The seconds that are left: at first what is usual, then by the pace so far."""
        share = self.share(now)
        usual = self.total * SECONDS_A_BYTE * (1 - share)
        if share == 0:
            return usual
        trust = min(1.0, TRUST * share)
        return (1 - trust) * usual + trust * (now - self.began) * (1 - share) / share


class _Watcher(event.Listener):  # type: ignore[misc]
    """Follows the compilations of one thread."""

    def __init__(self) -> None:
        self.thread, self.depth = threading.get_ident(), 0
        self.pace: Pace | None = None

    def on_start(self, news: Any) -> None:
        if threading.get_ident() != self.thread:
            return
        if self.depth == 0:
            entry = news.data["dispatcher"].py_func
            if "POSITION" in entry.__globals__:  # else it is none of a game
                self.pace = Pace(reachable_bytes(entry), time.perf_counter())
        self.depth += 1

    def on_end(self, news: Any) -> None:
        if threading.get_ident() != self.thread:
            return
        self.depth -= 1
        pace = self.pace
        if self.depth == 0:
            self.pace = None
        elif pace is not None:
            pace.add(len(news.data["dispatcher"].py_func.__code__.co_code))
            if self.depth == 1 and pace.is_near_end:
                pace.end_functions(time.perf_counter())


def reachable_bytes(entry: FunctionType) -> int:
    """The bytecode of all functions that an entry point of `native/compiler.py` can call."""
    cls = entry.__globals__["POSITION"].specialiser.cls
    own = own_functions(cls)
    waiting: list[Any] = [entry]
    seen: set[Any] = set()
    total = 0
    while waiting:
        value = waiting.pop()
        function = getattr(value, "py_func", value)
        if not isinstance(function, FunctionType) or function.__code__ in seen:
            continue
        seen.add(function.__code__)
        total += len(function.__code__.co_code)
        for name in function.__code__.co_names:
            waiting.append(function.__globals__.get(name))
            waiting.append(own.get(name) or getattr(cls, name, None))  # rules are called as methods
    return total


@contextmanager
def report_compile_progress(report: Report) -> Iterator[None]:
    """Within it, `report` is called now and then, from another thread, while this thread compiles a game."""
    watcher, ended = _Watcher(), threading.Event()

    def tell() -> None:
        while not ended.wait(REPORT_INTERVAL):
            pace = watcher.pace
            if pace is not None:
                now = time.perf_counter()
                report(pace.share(now), pace.seconds_left(now))

    teller = threading.Thread(target=tell, daemon=True)
    with event.install_listener("numba:compile", watcher):
        teller.start()
        try:
            yield
        finally:
            ended.set()
            teller.join()
