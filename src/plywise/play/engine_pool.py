"""Engines that players share: compiled once a game, lent for one search at a time.

While a game is being compiled the same search runs uncompiled, so that nobody waits for a first move.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from plywise.core.game import Game
from plywise.search.engine import Engine

SMALL_TABLE, LARGE_TABLE = 1, 32  # megabytes of table: for a glance, and for a search of seconds
MAX_SEARCHES = 2  # searches at a time of one game and evaluator; more wait for their turn
STOP_POLL = 0.01  # seconds between looks at whether a stop has come


class EnginePool:
    """The engines of one game and evaluator; `most` of them search at a time."""

    def __init__(
        self, game: Game, evaluator: str = "default", most: int = MAX_SEARCHES, large: int = LARGE_TABLE
    ) -> None:
        self.game, self.evaluator, self.large = game, evaluator, large
        self.unit = game.evaluation(evaluator).unit  # an unknown one is refused here, not in a thread
        self.ready = threading.Event()  # set when compiled engines are lent
        self._slots = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._idle: list[tuple[int, bool, Engine]] = []  # size, compiled, engine
        self._building = False

    def prepare(self) -> None:
        """See that the game is compiled soon; returns at once."""
        with self._lock:
            if self._building:
                return
            self._building = True
        if not self.game.compiled:
            self.ready.set()
            return
        threading.Thread(target=self._build, daemon=True).start()

    def _build(self) -> None:
        try:
            engine = Engine(self.game, self.evaluator, hash=SMALL_TABLE)
            engine.search(self.game.history(), depth=1)  # what is done only once is done now
        except Exception:  # it will come again when it is used, and be told there
            pass
        else:
            with self._lock:
                self._idle.append((SMALL_TABLE, True, engine))
        self.ready.set()

    @contextmanager
    def borrow(self, large: bool = False, stopped: threading.Event | None = None) -> Iterator[Engine | None]:
        """An engine for one search, with an empty table unless it is a large one; None if stopped before."""
        self.prepare()
        while not self._slots.acquire(timeout=STOP_POLL):
            if stopped is not None and stopped.is_set():
                yield None
                return
        try:
            compiled = self.ready.is_set()
            size = self.large if large and compiled else SMALL_TABLE
            engine = self._take_idle(size, compiled) or Engine(
                self.game, self.evaluator, hash=size, compiled=compiled
            )
            if not large:
                engine.clear()  # what others have searched must not change what is played
            yield engine
            with self._lock:
                self._idle.append((size, compiled, engine))
        finally:
            self._slots.release()

    def _take_idle(self, size: int, compiled: bool) -> Engine | None:
        with self._lock:
            if compiled:  # those that helped out have done their part
                self._idle = [one for one in self._idle if one[1] or not self.game.compiled]
            for place, one in enumerate(self._idle):
                if one[0] == size:
                    del self._idle[place]
                    return one[2]
        return None


_pools: dict[tuple[Game, str], EnginePool] = {}
_pools_lock = threading.Lock()


def shared_pool(game: Game, evaluator: str = "default") -> EnginePool:
    """The engines of a game that the whole process shares."""
    with _pools_lock:
        if (game, evaluator) not in _pools:
            _pools[game, evaluator] = EnginePool(game, evaluator)
        return _pools[game, evaluator]
