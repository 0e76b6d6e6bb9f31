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
from plywise.play.engines import Engines
from plywise.search.engine import Engine

HASH = 16  # megabytes of a table
MOST = 8  # games and evaluations whose engines are kept; with HASH, the most memory that tables take

Heard = Callable[[bool], None]
Compiler = Callable[[str, str], None]


class Shared(Engines):
    """The engines of one game and evaluation. `source` is the word that loads the game elsewhere."""

    def __init__(self, game: Game, source: str, evaluator: str, most: int, compiler: Compiler) -> None:
        super().__init__(game, evaluator, most, HASH)
        self.source, self.compiler = source, compiler
        self.compiling = False
        self._heard: dict[str, Heard] = {}
        self._hearing = threading.Lock()

    def hear(self, name: str, heard: Heard) -> None:
        """Call `heard(False)` if the game has to be compiled, and `heard(True)` when it is; once a name."""
        with self._hearing:
            if self.ready.is_set() or name in self._heard:
                return
            self._heard[name] = heard
            compiling = self.compiling
        if compiling:
            heard(False)

    def _tell(self, done: bool) -> None:
        with self._hearing:
            self.compiling = not done
            listeners = list(self._heard.values())
            if done:
                self._heard.clear()
        for heard in listeners:
            heard(done)

    def _build(self) -> None:
        try:
            if not is_compiled(self.game, self.evaluator):
                self._tell(False)
                self.compiler(self.source, self.evaluator)
        except Exception as error:  # compiled here, then, or not at all
            print(f"plywise: {self.source} cannot be compiled apart: {error}", file=sys.stderr, flush=True)
        super()._build()
        self._tell(True)


class Pool:
    """The engines of all games; of those that nobody has used for long, the tables are given back."""

    def __init__(self, most: int, compiler: Compiler | None = None) -> None:
        self.most, self.compiler = most, compiler or compile_apart
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], Shared] = OrderedDict()

    def engines(self, game: Game, source: str, evaluator: str) -> Shared:
        """The engines of a game and evaluation, which are being prepared if they are not ready."""
        key = source, evaluator
        with self._lock:
            found = self._known.get(key)
            if found is None:
                found = self._known[key] = Shared(game, source, evaluator, self.most, self.compiler)
                while len(self._known) > MOST:
                    self._known.popitem(last=False)
            self._known.move_to_end(key)
        found.prepare()
        return found


def is_compiled(game: Game, evaluator: str) -> bool:
    """Whether the disk has the compiled search of this game and evaluation already."""
    from plywise.core.cache import SUFFIX, folder
    from plywise.native.twin import Twin
    from plywise.search import visit
    from plywise.search.memory import layout
    from plywise.search.runner import evaluation_changes

    evaluation = game.evaluation(evaluator)
    changes = {name: (getattr(visit, name), value) for name, value in evaluation_changes(evaluation).items()}
    twin = Twin(visit.iterate, game.position, changes, layout(game, evaluation))  # type: ignore[arg-type]
    return (folder() / f"{twin.tag}{SUFFIX}").exists()


def compile_apart(source: str, evaluator: str) -> None:
    """Compile in another process, politely, and leave the code in the cache."""
    words = [sys.executable, "-m", "plywise.web.engines", source, evaluator]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        process.wait()  # its standard input stays open as long as this process lives


def _compile_here(source: str, evaluator: str) -> None:
    from plywise.core.registry import load

    threading.Thread(target=_end_with_the_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)
    Engine(load(source), evaluator, hash=1)


def _end_with_the_server() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    _compile_here(*sys.argv[1:3])
