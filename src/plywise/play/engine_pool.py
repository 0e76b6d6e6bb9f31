"""Engines that players share: compiled once a game, lent for one search at a time.

A game is compiled in the background, and the same search runs uncompiled meanwhile, so that nobody waits
for a first move. The terminal and the protocols compile in a thread. The page compiles in a process of
its own, so that the server answers as fast as ever.
"""

import os
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from plywise.core.game import Game
from plywise.search.engine import PLAYERS, Engine
from plywise.search.specialisation import is_cached

SMALL_TABLE, LARGE_TABLE = 1, 32  # megabytes of table: for a short search, and for one of seconds
SERVER_TABLE = 16  # megabytes of a large table on a server
MAX_SEARCHES = 2  # searches at a time of one game and evaluation; more wait for their turn
MAX_POOLS = 8  # pools that a server keeps; with SERVER_TABLE, a limit of the memory for tables
STOP_POLL = 0.01  # seconds between looks at whether a stop has come

CompileListener = Callable[[bool], None]
# Compiles a game's search with an evaluation, or a textbook player, into the cache; returns when done.
Compiler = Callable[[str, str, str], None]  # (the game's source, the evaluation, the player)


@dataclass(frozen=True, slots=True)
class _IdleEngine:
    engine: Engine
    table_mb: int
    compiled: bool


class EnginePool:
    """The engines of one game, player and evaluation; `most` of them search at a time.

    `player`, `weights` and `without` are those of `Engine`; `small` and `large` are megabytes of table.
    With a `compiler`, that one compiles what the cache does not hold; it knows the game by its `source`,
    the text that loads it.
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
    ) -> None:
        self.game, self.evaluator, self.player = game, evaluator, player
        self.weights, self.without = weights, tuple(without)
        self.small, self.large, self.threads = small, large, threads
        self.source, self.compiler = source, compiler
        self.unit = game.evaluation(evaluator).unit  # an unknown one is refused here, not in a thread
        game.weights(evaluator, weights)
        self.ready = threading.Event()  # set when compiled engines are lent
        self.compiling = False  # whether the game is being compiled, not only loaded
        self.failed = False  # whether no compiled engine could be made
        self._slots = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._idle: list[_IdleEngine] = []
        self._prepared = False
        self._listeners: dict[str, CompileListener] = {}

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
        threading.Thread(target=self._build, daemon=True).start()

    def on_compile(self, name: str, listener: CompileListener) -> None:
        """Call `listener(False)` if the game has to be compiled, `listener(True)` when it is; once a name.

        Without a compiler of its own a pool does not know whether it compiles or loads: it calls no one
        before the end.
        """
        with self._lock:
            if self.ready.is_set() or name in self._listeners:
                return
            self._listeners[name] = listener
            compiling = self.compiling
        if compiling:
            listener(False)

    def _build(self) -> None:
        if self.compiler is not None:
            self._compile_apart(self.compiler)
        try:
            engine = self._new_engine(self.small, compiled=True)
            # Do now what is done only once. To clear a used table also claims its memory.
            engine.search(self.game.history(), depth=1)
            engine.clear()
        except Exception:  # raised again, and reported, where the engine is used
            self.failed = True
        else:
            with self._lock:
                self._idle.append(_IdleEngine(engine, self.small, compiled=True))
        self.ready.set()
        self._notify(True)

    def _compile_apart(self, compiler: Compiler) -> None:
        try:
            if not is_cached(self.game, self.evaluator, player=PLAYERS[self.player]):
                self._notify(False)
                compiler(self.source, self.evaluator, self.player)
        except Exception as error:  # then it is compiled in this process, or not at all
            print(f"plywise: {self.source} cannot be compiled apart: {error}", file=sys.stderr, flush=True)

    def _notify(self, done: bool) -> None:
        with self._lock:
            self.compiling = not done
            listeners = list(self._listeners.values())
            if done:
                self._listeners.clear()
        for listener in listeners:
            listener(done)

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
            engine = self._take_idle(table_mb, compiled) or self._new_engine(table_mb, compiled)
            if not large:
                engine.clear()
            yield engine
            with self._lock:
                self._idle.append(_IdleEngine(engine, table_mb, compiled))
        finally:
            self._slots.release()

    def _new_engine(self, table_mb: int, compiled: bool) -> Engine:
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
def compile_in_process(source: str, evaluator: str, player: str = "default", record: bool = False) -> None:
    """Compile the search, or the search that records, in another process, which leaves it in the cache."""
    command = [sys.executable, "-m", "plywise.play.engine_pool", source, evaluator, player]
    if record:
        command.append("record")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        process.wait()  # its standard input stays open as long as this process lives


def _compile_main(source: str, evaluator: str, player: str, record: str = "") -> None:
    from plywise.core.registry import load

    threading.Thread(target=_exit_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)  # players who wait for a move come first
    Engine(load(source), evaluator, player=player, hash=1, record=1 if record else 0)


def _exit_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    _compile_main(*sys.argv[1:5])
