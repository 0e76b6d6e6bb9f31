"""Engines for everybody's searches: compiled beside the server, few, and used again.

A game that has never been compiled here is compiled by a process of its own, so that pages are answered
meanwhile as ever; until that is done, the same search runs uncompiled. Tables are small, and those of
one game and evaluation are shared by all who play it.
"""

import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from plywise.core.game import Game
from plywise.search.engine import Engine

HASH = 16  # megabytes of a table
IDLE = 6  # engines kept for the next search; with those at work, the most memory that tables take
SMALL = 1  # megabytes for the uncompiled search: it never fills more

Key = tuple[str, str]  # the game's name as it was loaded, the evaluator


@dataclass
class Making:
    """The way of one game and evaluation to compiled code."""

    begun: bool = False
    ready: threading.Event = field(default_factory=threading.Event)
    heard: list[Callable[[bool], None]] = field(default_factory=list)


class Engines:
    """A pool of engines. `compiler` makes the compiled code be there; it may take half a minute."""

    def __init__(self, compiler: "Callable[[str, str], None] | None" = None, compiled: bool = True) -> None:
        self.compiled = compiled
        self._compiler = compiler or compile_apart
        self._lock = threading.Lock()
        self._idle: OrderedDict[Engine, Key] = OrderedDict()
        self._making: dict[Key, Making] = {}

    # --- getting ready ----------------------------------------------------------------------------
    def prepare(self, game: Game, source: str, evaluator: str, heard: Callable[[bool], None]) -> bool:
        """See that the compiled search is there soon; whether it is there now.

        Else `heard(False)` is called when it has to be compiled, and `heard(True)` when it is there.
        """
        if not self.compiled or not game.compiled:
            return True
        key = source, evaluator
        with self._lock:
            making = self._making.setdefault(key, Making())
            if making.ready.is_set():
                return True
            making.heard.append(heard)
            if making.begun:
                return False
            making.begun = True
        threading.Thread(target=self._make, args=(game, key, making), daemon=True).start()
        return False

    def _make(self, game: Game, key: Key, making: Making) -> None:
        try:
            if not is_compiled(game, key[1]):
                for heard in list(making.heard):
                    heard(False)
                self._compiler(*key)
            # In this process it is now only loaded; what cannot be compiled gives a plain engine.
            self._put_back(Engine(game, key[1], hash=HASH), key)
        except Exception as error:
            print(f"plywise: {key[0]} is played uncompiled: {error}", file=sys.stderr, flush=True)
        finally:
            with self._lock:
                making.ready.set()
                listeners, making.heard = making.heard, []
            for heard in listeners:
                heard(True)

    def is_ready(self, source: str, evaluator: str) -> bool:
        """Whether `take` gives the fastest engine that there is."""
        making = self._making.get((source, evaluator))
        return making is None or making.ready.is_set()

    # --- lending ----------------------------------------------------------------------------------
    @contextmanager
    def take(self, game: Game, source: str, evaluator: str) -> Iterator[Engine]:
        """An engine for one search: compiled if that is ready, else not."""
        key = source, evaluator
        engine: Engine | None = None
        fast = self.compiled and self.is_ready(source, evaluator)
        with self._lock:
            for one, known in self._idle.items():
                if known == key and (one.runner.compiled or not fast or not game.compiled):
                    engine = one
            if engine is not None:
                del self._idle[engine]
        if engine is None:
            engine = Engine(game, evaluator, hash=HASH if fast else SMALL, compiled=fast)
        try:
            yield engine
        finally:
            self._put_back(engine, key)

    def _put_back(self, engine: Engine, key: Key) -> None:
        with self._lock:
            self._idle[engine] = key
            while len(self._idle) > IDLE:
                self._idle.popitem(last=False)


def is_compiled(game: Game, evaluator: str) -> bool:
    """Whether the disk has the compiled search of this game and evaluation already."""
    from plywise.core.cache import SUFFIX, folder
    from plywise.native.twin import Twin
    from plywise.search.memory import layout
    from plywise.search.runner import evaluation_changes
    from plywise.search.visit import __dict__ as names
    from plywise.search.visit import iterate

    evaluation = game.evaluation(evaluator)
    changes = {name: (names[name], value) for name, value in evaluation_changes(evaluation).items()}
    twin = Twin(iterate, game.position, changes, layout(game, evaluation))  # type: ignore[arg-type]
    return (folder() / f"{twin.tag}{SUFFIX}").exists()


def compile_apart(source: str, evaluator: str) -> None:
    """Compile in another process, politely, and leave the code in the cache."""
    words = [sys.executable, "-m", "plywise.web.engines", source, evaluator]
    subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)


def _compile_here(source: str, evaluator: str) -> None:
    import os

    from plywise.core.registry import load

    if hasattr(os, "nice"):
        os.nice(5)
    Engine(load(source), evaluator, hash=1)


if __name__ == "__main__":
    _compile_here(*sys.argv[1:3])
