"""Engines that players share: compiled once a game, borrowed for one search at a time.

A game is compiled in the background, and the same search runs uncompiled meanwhile, so that nobody waits
for a first move. It gives way to the compiler: it thinks for a second and then waits. The terminal and the
protocols compile in a thread. The page compiles in processes, one a core, so that the server answers as fast
as ever. Whoever waits is told how far the compiler has come.
"""

import json
import math
import os
import subprocess
import sys
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from plywise.core.cache_folder import find_problem
from plywise.core.cores import usable_cores
from plywise.core.game import Game
from plywise.core.process_group import OWN_GROUP
from plywise.core.python_process import python_command, python_environment
from plywise.play.readiness import DONE, Readiness, ReadinessListener, watch_compiling
from plywise.search.engine import PLAYERS, Engine
from plywise.search.specialisation import is_cached

SMALL_TABLE, LARGE_TABLE = 1, 32  # megabytes of table: for a short search, and for one of seconds
SERVER_TABLE = 16  # megabytes of a large table on a server
MAX_SEARCHES = 2  # searches at a time of one game and evaluation; more wait for their turn
MAX_POOLS = 8  # pools that a server keeps; with SERVER_TABLE, a limit of the memory for tables
STOP_POLL = 0.01  # seconds between looks at whether a stop has come
STAND_IN_SECONDS = 1.0  # of an uncompiled search; then it leaves the processor to the compiler
GLANCE_SECONDS = 0.1  # of an uncompiled analysis that follows another one at once
ANALYSIS_SHARE = 0.1  # of the time since the last one that such an analysis may have

# Compiles a game's search with an evaluation, or a textbook player, into the cache; returns when done.
# It is given the game's source, the evaluation, the player, and whom to tell how far it has come.
Compiler = Callable[[str, str, str, ReadinessListener], None]


@dataclass(frozen=True, slots=True)
class _IdleEngine:
    engine: Engine
    table_mb: int
    compiled: bool


class EnginePool:
    """The engines of one game, player and evaluation; `most` of them search at a time.

    `player`, `weights` and `without` are those of `Engine`; `small` and `large` are megabytes of table.
    With a `compiler`, that one compiles what the cache does not hold; it knows the game by its `source`,
    the text that loads it. `start_build` runs a function in another thread.
    """

    def __init__(
        self,
        game: Game,
        evaluator: str = "default",
        most: int = MAX_SEARCHES,
        *,
        player: str = "default",
        weights: str | None = None,
        without: Sequence[str] = (),
        small: int = SMALL_TABLE,
        large: int = LARGE_TABLE,
        threads: int = 1,
        source: str = "",
        compiler: Compiler | None = None,
        start_build: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        self.game, self.evaluator, self.player = game, evaluator, player
        self.weights, self.without = weights, tuple(without)
        self.small, self.large, self.threads = small, large, threads
        self.source, self.compiler = source, compiler
        self.start_build = start_build or _start_thread
        self.unit = game.evaluation(evaluator).unit  # an unknown one is refused here, not in a thread
        game.weights(evaluator, weights)
        self.ready = threading.Event()  # set when compiled engines can be borrowed
        self.readiness: Readiness | None = None  # while the game is being compiled, not only loaded
        self.failed = False  # whether no compiled engine could be made
        self._slots = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._idle: list[_IdleEngine] = []
        self._prepared = False
        self._listeners: dict[str, ReadinessListener] = {}
        self._analysed = -math.inf  # when the last uncompiled analysis began

    # --- compiling ------------------------------------------------------------------------------
    def prepare(self) -> None:
        """Make compiled engines available soon; returns at once."""
        with self._lock:
            if self._prepared:
                return
            self._prepared = True
        if not self.game.compiled or self.player == "random":
            self.ready.set()
            return
        self.start_build(self._build)

    @property
    def stand_in_seconds(self) -> float | None:
        """How long an uncompiled search may take now: the compiler comes first; None where none works."""
        return STAND_IN_SECONDS if self.game.compiled and not self.ready.is_set() else None

    def take_analysis_seconds(self, now: float) -> float | None:
        """How long an uncompiled analysis that begins `now` may take; None where no compiler works.

        A second at first; somebody who goes from position to position gets glances, or the analysis would
        have as much of the processor as the compiler.
        """
        if self.stand_in_seconds is None:
            return None
        with self._lock:
            since, self._analysed = now - self._analysed, now
        return min(max(GLANCE_SECONDS, ANALYSIS_SHARE * since), STAND_IN_SECONDS)

    def on_compile(self, name: str, listener: ReadinessListener) -> None:
        """Tell `listener` how far the game is compiled, if it has to be, and the end; once a name."""
        with self._lock:
            if self.ready.is_set() or name in self._listeners:
                return
            self._listeners[name] = listener
            readiness = self.readiness
        if readiness is not None:
            listener(readiness)

    def _build(self) -> None:
        if self.compiler is not None:
            self._compile_apart(self.compiler)
        try:
            with watch_compiling(self.game, self._notify):
                engine = self.new_engine(self.small, compiled=True)
            # Do now what is done only once. To clear a used table also claims its memory.
            engine.search(self.game.history(), depth=1)
            engine.clear()
        except Exception:  # raised again, and reported, where the engine is used
            self.failed = True
        else:
            with self._lock:
                self._idle.append(_IdleEngine(engine, self.small, compiled=True))
        self.ready.set()
        self._notify(DONE)

    def _compile_apart(self, compiler: Compiler) -> None:
        try:
            missing = not is_cached(self.game, self.evaluator, player=PLAYERS[self.player])
            if missing and find_problem() is None:  # else another process cannot leave its code here
                self._notify(Readiness())
                compiler(self.source, self.evaluator, self.player, self._notify)
        except Exception as error:  # then it is compiled in this process, or not at all
            print(f"plywise: {self.source} cannot be compiled apart: {error}", file=sys.stderr, flush=True)

    def _notify(self, readiness: Readiness) -> None:
        with self._lock:
            self.readiness = None if readiness.done else readiness
            listeners = list(self._listeners.values())
            if readiness.done:
                self._listeners.clear()
        for listener in listeners:
            listener(readiness)

    # --- lending --------------------------------------------------------------------------------
    @contextmanager
    def borrow(
        self, large: bool = False, stopped: threading.Event | None = None, compiled: bool | None = None
    ) -> Iterator[Engine | None]:
        """An engine for one search; None if `stopped` is set before one is free.

        Only a large one keeps its table: what others have searched must not change what is played.
        `compiled` asks for one kind; by default it is the best that there is.
        """
        self.prepare()
        while not self._slots.acquire(timeout=STOP_POLL):
            if stopped is not None and stopped.is_set():
                yield None
                return
        try:
            if compiled is None:
                compiled = self.ready.is_set()
            table_mb = SMALL_TABLE if not compiled else self.large if large else self.small
            engine = self._take_idle(table_mb, compiled) or self.new_engine(table_mb, compiled)
            if not large:
                engine.clear()
            yield engine
            with self._lock:
                self._idle.append(_IdleEngine(engine, table_mb, compiled))
        finally:
            self._slots.release()

    def new_engine(self, table_mb: int, compiled: bool) -> Engine:
        """An engine of this pool's game, player and evaluation that is not shared."""
        return Engine(
            self.game,
            self.evaluator,
            player=self.player,
            hash=table_mb,
            threads=self.threads if compiled else 1,
            compiled=compiled,
            without=self.without,
            weights=self.weights,
        )

    def _take_idle(self, table_mb: int, compiled: bool) -> Engine | None:
        with self._lock:
            if compiled:  # the uncompiled ones are not needed any more
                self._idle = [idle for idle in self._idle if idle.compiled]
            for place, idle in enumerate(self._idle):
                if (idle.table_mb, idle.compiled) == (table_mb, compiled):
                    del self._idle[place]
                    return idle.engine
        return None

    def clear(self) -> None:
        """Forget what searches have learned; for a pool of which nobody borrows at the moment."""
        with self._lock:
            idle = list(self._idle)
        for each in idle:
            each.engine.clear()


def _start_thread(build: Callable[[], None]) -> None:
    threading.Thread(target=build, daemon=True).start()


class LatestBuild:
    """Runs one build at a time, in one thread; of those that wait for their turn, the latest only.

    A compiler works for seconds: whoever asks for another engine meanwhile, and for another, and for a
    thousand more, gets the last one, and no thread waits for the others.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: Callable[[], None] | None = None
        self._is_running = False

    def __call__(self, build: Callable[[], None]) -> None:
        with self._lock:
            self._waiting = build
            if self._is_running:
                return
            self._is_running = True
        _start_thread(self._run)

    def _run(self) -> None:
        while True:
            with self._lock:
                build, self._waiting = self._waiting, None
                if build is None:
                    self._is_running = False
                    return
            try:
                build()
            except BaseException:
                with self._lock:
                    self._is_running = False
                raise


class EnginePools:
    """The pools of a server, by game, player and evaluation; the least recently used are dropped."""

    def __init__(self, most: int, compiler: Compiler | None = None) -> None:
        self.most, self.compiler = most, compiler or compile_in_process
        self._lock = threading.Lock()
        self._pools: OrderedDict[Any, EnginePool] = OrderedDict()

    def engines(
        self, game: Game, source: str, evaluator: str, player: str = "default", without: Sequence[str] = ()
    ) -> EnginePool:
        """The pool of a game, player and evaluation, which is being prepared if it is not ready."""
        key = source, evaluator, player, tuple(without)
        with self._lock:
            pool = self._pools.get(key)
            if pool is None:
                pool = self._pools[key] = EnginePool(
                    game,
                    evaluator,
                    self.most,
                    player=player,
                    without=without,
                    large=SERVER_TABLE,
                    source=source,
                    compiler=self.compiler,
                )
                while len(self._pools) > MAX_POOLS:
                    self._pools.popitem(last=False)
            self._pools.move_to_end(key)
        pool.prepare()
        return pool


_shared_pools: dict[Any, EnginePool] = {}
_shared_lock = threading.Lock()


def shared_pool(
    game: Game,
    evaluator: str = "default",
    player: str = "default",
    weights: str | None = None,
    without: Sequence[str] = (),
) -> EnginePool:
    """The pool of a game, player and evaluation that the whole process shares."""
    key = game, evaluator, player, weights, tuple(without)
    with _shared_lock:
        if key not in _shared_pools:
            _shared_pools[key] = EnginePool(game, evaluator, player=player, weights=weights, without=without)
        return _shared_pools[key]


# --- a process that compiles ------------------------------------------------------------------------
_compilers = threading.Semaphore(usable_cores())  # processes that compile at a time


def compile_in_process(
    source: str,
    evaluator: str,
    player: str = "default",
    listener: ReadinessListener = lambda readiness: None,
    record: bool = False,
) -> None:
    """Compile the search, or the search that records, in another process, which leaves it in the cache.

    As many of them work at a time as there are cores.
    """
    command = python_command("-m", "plywise.play.engine_pool", source, evaluator, player)
    if record:
        command.append("record")
    with (
        _compilers,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=python_environment(),
            **OWN_GROUP,
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:  # its standard input stays open as long as this process lives
            share, seconds_left = json.loads(line)
            listener(Readiness(share, seconds_left))


def _compile_main(source: str, evaluator: str, player: str, record: str = "") -> None:
    from plywise.core.registry import load

    threading.Thread(target=_exit_with_parent, daemon=True).start()
    warnings.simplefilter("ignore")  # what there is to warn of, the process that wants the code says
    pipe, sys.stdout = sys.stdout, sys.stderr  # what a game prints is no report

    def tell(readiness: Readiness) -> None:
        print(json.dumps([readiness.share, readiness.seconds_left]), file=pipe, flush=True)

    game = load(source)
    with watch_compiling(game, tell):
        Engine(game, evaluator, player=player, hash=1, record=1 if record else 0)


def _exit_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    _compile_main(*sys.argv[1:5])
