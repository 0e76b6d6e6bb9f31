"""Engines for everybody's searches: compiled beside the server, few, and used again.

A game that has never been compiled here is compiled by a process of its own, so that pages are answered
meanwhile as ever; until that is done, the same search runs uncompiled. Tables are small, and all who
play one game with one evaluation share its engines.
"""

import os
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable

from plywise.core.game import Game
from plywise.play.engine_pool import EnginePool
from plywise.search.engine import Engine
from plywise.search.specialisation import is_cached

HASH_MB = 16  # megabytes of a table
MAX_POOLED = 8  # games and evaluations whose engines are kept; with HASH, the most memory that tables take

CompileListener = Callable[[bool], None]
CompileFunction = Callable[[str, str], None]


class PooledEngines(EnginePool):
    """The engines of one game and evaluation. `source` is the word that loads the game elsewhere."""

    def __init__(self, game: Game, source: str, evaluator: str, most: int, compiler: CompileFunction) -> None:
        super().__init__(game, evaluator, most, HASH_MB)
        self.source, self.compiler = source, compiler
        self.compiling = False
        self._listeners: dict[str, CompileListener] = {}
        self._listeners_lock = threading.Lock()

    def on_compile(self, name: str, listener: CompileListener) -> None:
        """Call `heard(False)` if the game has to be compiled, and `heard(True)` when it is; once a name."""
        with self._listeners_lock:
            if self.ready.is_set() or name in self._listeners:
                return
            self._listeners[name] = listener
            compiling = self.compiling
        if compiling:
            listener(False)

    def _notify(self, done: bool) -> None:
        with self._listeners_lock:
            self.compiling = not done
            listeners = list(self._listeners.values())
            if done:
                self._listeners.clear()
        for listener in listeners:
            listener(done)

    def _build(self) -> None:
        try:
            if not is_compiled(self.game, self.evaluator):
                self._notify(False)
                self.compiler(self.source, self.evaluator)
        except Exception as error:  # compiled here, then, or not at all
            print(f"plywise: {self.source} cannot be compiled apart: {error}", file=sys.stderr, flush=True)
        super()._build()
        self._notify(True)


class EnginePools:
    """The engines of all games; of those that nobody has used for long, the tables are given back."""

    def __init__(self, most: int, compiler: CompileFunction | None = None) -> None:
        self.most, self.compiler = most, compiler or compile_in_process
        self._lock = threading.Lock()
        self._pooled: OrderedDict[tuple[str, str], PooledEngines] = OrderedDict()

    def engines(self, game: Game, source: str, evaluator: str) -> PooledEngines:
        """The engines of a game and evaluation, which are being prepared if they are not ready."""
        key = source, evaluator
        with self._lock:
            found = self._pooled.get(key)
            if found is None:
                found = self._pooled[key] = PooledEngines(game, source, evaluator, self.most, self.compiler)
                while len(self._pooled) > MAX_POOLED:
                    self._pooled.popitem(last=False)
            self._pooled.move_to_end(key)
        found.prepare()
        return found


def is_compiled(game: Game, evaluator: str) -> bool:
    """Whether the disk has the compiled search of this game and evaluation already."""
    return is_cached(game, evaluator)


def compile_in_process(source: str, evaluator: str) -> None:
    """Compile in another process, politely, and leave the code in the cache."""
    words = [sys.executable, "-m", "plywise.web.engine_pool", source, evaluator]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        process.wait()  # its standard input stays open as long as this process lives


def _compile_main(source: str, evaluator: str) -> None:
    from plywise.core.registry import load

    threading.Thread(target=_exit_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)
    Engine(load(source), evaluator, hash=1)


def _exit_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    _compile_main(*sys.argv[1:3])
