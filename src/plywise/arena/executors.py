"""Executors play pairs: in this process, in processes on this machine, or (`cluster.py`) on a cluster.

An executor takes pairs as it becomes free, and yields their results in any order.
"""

import queue
import subprocess
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol

from plywise.arena.pair_runner import PairRunner
from plywise.arena.schedule import Pair, PairResult
from plywise.arena.setup import Setup
from plywise.arena.worker import receive, send
from plywise.core.cores import usable_cores
from plywise.core.errors import PlywiseError
from plywise.core.process_group import OWN_GROUP
from plywise.core.python_process import python_command, python_environment

POLL = 0.1  # seconds between checks whether to stop
STOP_SECONDS = 5  # for a process to end by itself
MAX_DEATHS = 3  # workers that die over one pair before the match fails


class MatchFailed(PlywiseError):
    """The match cannot continue."""


class Executor(Protocol):
    """Plays pairs. `stopped` is called often; if it returns True, unfinished pairs are dropped."""

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function where the games will be played."""
        ...

    def run(self, setup: Setup, pairs: Iterator[Pair], stopped: Callable[[], bool]) -> Iterator[PairResult]:
        """Play all pairs."""
        ...

    def keep_ready(self) -> AbstractContextManager[None]:
        """In this block matches follow each other: what takes time to start waits for the next one."""
        ...


class InProcess:
    """Plays one pair after the other in this process: for tests and small matches."""

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    def run(self, setup: Setup, pairs: Iterator[Pair], stopped: Callable[[], bool]) -> Iterator[PairResult]:
        runner = PairRunner(setup)
        for pair in pairs:
            if stopped():
                return
            yield runner.play(pair)

    def keep_ready(self) -> AbstractContextManager[None]:
        return nullcontext()


class Processes:
    """Plays in `count` processes on this machine; by default as many as its processors can serve.

    A process that dies is replaced, and its pair is played again.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = count
        self._keeps = False  # whether idle workers wait for the next match
        self._idle: list[_Worker] = []
        self._events: queue.SimpleQueue[tuple[_Worker, Any]] = queue.SimpleQueue()

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    def run(self, setup: Setup, pairs: Iterator[Pair], stopped: Callable[[], bool]) -> Iterator[PairResult]:
        events = self._events
        retries: deque[Pair] = deque()
        deaths: Counter[int] = Counter()
        workers = {worker for worker in self._idle if worker.process.poll() is None}
        self._idle.clear()
        for worker in workers:
            worker.send(("setup", setup))
        # The first worker compiles; the others start when it is ready, and find the compiled code.
        if not workers:
            workers = {_Worker(setup, events, warns=True)}
        waiting = (self.count or max(1, usable_cores() // setup.threads)) - len(workers)
        try:
            while workers and not stopped():
                try:
                    worker, message = events.get(timeout=POLL)
                except queue.Empty:
                    continue
                if worker not in workers:
                    continue
                if message is None:
                    workers.remove(worker)
                    self._requeue_pair(worker, deaths, retries)
                    workers.add(_Worker(setup, events))
                    continue
                kind, content = message
                if kind == "failed":
                    raise MatchFailed(content)
                while kind == "ready" and waiting > 0:
                    waiting -= 1
                    workers.add(_Worker(setup, events))
                pair = retries.popleft() if retries else next(pairs, None)
                if pair is None:
                    workers.remove(worker)
                    self._release(worker)
                else:
                    worker.assign(pair)
                if kind == "done":
                    yield content
        finally:
            for worker in workers:
                worker.stop()

    @contextmanager
    def keep_ready(self) -> Iterator[None]:
        self._keeps = True
        try:
            yield
        finally:
            self._keeps = False
            while self._idle:
                self._idle.pop().stop()

    def _release(self, worker: "_Worker") -> None:
        """It has no more to do in this match."""
        if self._keeps:
            worker.pair = None
            self._idle.append(worker)
        else:
            worker.stop()

    def _requeue_pair(self, worker: "_Worker", deaths: Counter[int], retries: deque[Pair]) -> None:
        """Give the pair of a dead worker to another one, unless too many died over it."""
        status = worker.stop()
        number = -1 if worker.pair is None else worker.pair.number
        deaths[number] += 1
        if deaths[number] >= MAX_DEATHS:
            what = "before its first pair" if worker.pair is None else f"over pair {number}"
            raise MatchFailed(f"{MAX_DEATHS} processes died {what} (the last one with status {status})")
        if worker.pair is not None:
            retries.append(worker.pair)


class _Worker:
    """A worker process and its pair. Its messages go to `events`, and None when it ends."""

    def __init__(
        self, setup: Setup, events: "queue.SimpleQueue[tuple[_Worker, Any]]", warns: bool = False
    ) -> None:
        self.pair: Pair | None = None
        self.process = subprocess.Popen(
            python_command("-c", f"from plywise.arena.worker import main; main({warns})"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=python_environment(),
            **OWN_GROUP,  # Ctrl-C is for the main process only
        )
        self.send(("setup", setup))
        self.listener = threading.Thread(target=self._listen, args=(events,), daemon=True)
        self.listener.start()

    def _listen(self, events: "queue.SimpleQueue[tuple[_Worker, Any]]") -> None:
        assert self.process.stdout is not None
        with self.process.stdout as output:
            try:
                while (message := receive(output)) is not None:
                    events.put((self, message))
            except (OSError, ValueError):
                pass
        events.put((self, None))

    def assign(self, pair: Pair) -> None:
        self.pair = pair
        self.send(("pair", pair))

    def send(self, message: Any) -> None:
        assert self.process.stdin is not None
        try:
            send(self.process.stdin, message)
        except OSError:
            pass  # it has died: `_listen` reports it

    def stop(self) -> int:
        """End it, with its engines, and close its files; return its exit status."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            status = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.listener.join(STOP_SECONDS)
        return status
