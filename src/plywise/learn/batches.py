"""Batches of games: the unit of work of self-play, on the cores of this machine or on a Dask cluster.

A batch is plain data and its answer depends on nothing else, so it does not matter who plays it. Compiled
code runs beside Python's lock: on one machine, threads are enough.
"""

import hashlib
import queue
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from plywise import __version__
from plywise.arena.setup import Setup
from plywise.core.errors import PlywiseError
from plywise.core.game import LEARNED
from plywise.core.net_file import WEIGHTS_FORM, Shape
from plywise.core.registry import load
from plywise.learn.selfplay import SelfPlay, player_without_net
from plywise.learn.teacher import Teacher
from plywise.search.handle import start_thread

POLL = 0.1  # seconds between looks at the clock
AHEAD = 2  # batches that each thread of a cluster has waiting


@dataclass(frozen=True)
class BatchTask:
    """What is played: by whom (a net's content, or the game's own evaluation), which games, how long."""

    setup: Setup
    net: bytes | None
    shape: Shape
    seed: int
    generation: int
    games: int
    nodes: int
    leaves: bool
    compiled: bool = True
    teacher: str | None = None

    def prepare(self) -> None:
        """Compile what plays, or refuse; the threads find it then."""
        _self_play(self, threading.get_ident())

    def play(self, number: int, owner: int | None = None) -> Any:
        """The positions of one batch; what plays is kept for the next one of its owner, or of this thread."""
        first = number * self.games
        seed = self.seed * 1_000_003 + self.generation
        player, teacher = _self_play(self, threading.get_ident() if owner is None else owner)
        rows = player.play(seed, range(first, first + self.games), self.nodes)
        return rows if teacher is None else teacher.label(rows)


_folder = tempfile.TemporaryDirectory(prefix="plywise-learn-", ignore_cleanup_errors=True)


@cache
def _net_path(content: bytes) -> str:
    """A file with this content, for evaluations are read from files."""
    path = Path(_folder.name, f"{hashlib.sha256(content).hexdigest()[:16]}.json")
    path.write_bytes(content)
    return str(path)


_players: dict[tuple[BatchTask, int], tuple[SelfPlay, Teacher | None]] = {}


def _self_play(task: BatchTask, thread: int) -> tuple[SelfPlay, Teacher | None]:
    """What plays a task in one thread, and its teacher; kept for its next batch."""
    key = task, thread
    if key not in _players:
        for old in [old for old in _players if old[1] == thread]:
            _, teacher = _players.pop(old)
            if teacher is not None:
                teacher.close()
        game = load(task.setup.unpack().game)
        evaluator = LEARNED if task.net is not None else player_without_net(game, task.generation)
        weights = None if task.net is None else _net_path(task.net)
        whole = task.shape.form == WEIGHTS_FORM or task.teacher is not None
        player = SelfPlay(game, task.shape, evaluator, weights, task.leaves, task.compiled, whole)
        labels = None if task.teacher is None else Teacher(game, task.teacher, task.shape)
        _players[key] = player, labels
    return _players[key]


class Threads:
    """Plays batches in threads of this process, by default one a processor."""

    def __init__(self, count: int) -> None:
        self.count = count

    def run(
        self, task: BatchTask, numbers: Iterator[int], stopped: Callable[[], bool]
    ) -> Iterator[tuple[int, Any]]:
        """The finished batches, in any order, until there are no more numbers or it is stopped."""
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        lock, ended = threading.Lock(), threading.Event()

        def work() -> None:
            try:
                while not ended.is_set():
                    with lock:
                        number = next(numbers, None)
                    if number is None:
                        break
                    done.put((number, task.play(number)))
                done.put(None)
            except BaseException as error:
                done.put(error)

        threads = [start_thread(work) for _ in range(self.count)]
        running = self.count
        try:
            while running and not stopped():
                try:
                    message = done.get(timeout=POLL)
                except queue.Empty:
                    continue
                if isinstance(message, BaseException):
                    raise message
                if message is None:
                    running -= 1
                else:
                    yield message
        finally:
            ended.set()
            for thread in threads:
                thread.join()


class ClusterThreads:
    """Plays batches on a Dask cluster."""

    def __init__(self, client: Any, address: str) -> None:
        self.client, self.address = client, address

    def run(
        self, task: BatchTask, numbers: Iterator[int], stopped: Callable[[], bool]
    ) -> Iterator[tuple[int, Any]]:
        """The finished batches, in any order."""
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        running: dict[Any, int] = {}
        more = True
        try:
            while (more or running) and not stopped():
                room = AHEAD * max(1, sum(self.client.nthreads().values()))
                while more and len(running) < room:
                    number = next(numbers, None)
                    if number is None:
                        more = False
                        break
                    future = self.client.submit(_play_there, task, number, __version__, pure=False)
                    running[future] = number
                    future.add_done_callback(done.put)
                try:
                    future = done.get(timeout=POLL)
                except queue.Empty:
                    continue
                number = running.pop(future)
                if future.status != "finished":
                    reason = (
                        future.exception() if future.status == "error" else f"a batch was {future.status}"
                    )
                    raise PlywiseError(f"--cluster {self.address}: {reason}")
                yield number, future.result()
        finally:
            for future in running:
                future.cancel()


def _play_there(task: BatchTask, number: int, version: str) -> Any:
    """Play a batch on a worker, in a thread whose stack is large enough."""
    if version != __version__:
        raise PlywiseError(f"a worker of the cluster has Plywise {__version__}, the run {version}")
    owner, found = threading.get_ident(), list[Any]()

    def work() -> None:
        try:
            found.append(task.play(number, owner))
        except BaseException as error:
            found.append(error)

    start_thread(work).join()
    if isinstance(found[0], BaseException):
        raise found[0]
    return found[0]
