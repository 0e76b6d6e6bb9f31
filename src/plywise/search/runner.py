"""A function of the search for one game: compiled where it can be, else the very same source."""

import warnings
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType
from typing import Any

from plywise.core.errors import BadGame
from plywise.core.game import Evaluation, Game
from plywise.core.perft import perft
from plywise.core.space import Space
from plywise.core.words import Layout, at, compiled
from plywise.search import visit
from plywise.search.margins import POLL
from plywise.search.memory import PLIES, Memory, layout

Function = Callable[..., int]
PLAIN_POLL = 8  # Python visits some thousand nodes a second: it looks at the stop flag more often


class NotCompiled(UserWarning):
    """A game that Numba cannot compile is played uncompiled."""


class Runner:
    """A function of (position, memory, a, b, c), ready to run, and memories that fit it.

    `changes` gives names of search/visit.py another meaning: an evaluation, the recorder.
    """

    def __init__(
        self,
        function: Function,
        game: Game,
        evaluation: Evaluation | None = None,
        changes: Mapping[str, Any] | None = None,
        compiled: bool = True,
    ) -> None:
        named = {name: (getattr(visit, name), value) for name, value in (changes or {}).items()}
        self.fields = layout(game, evaluation)
        self.native: Any = None
        if compiled and game.compiled:
            from plywise.native import compile

            try:
                self.native = compile(function, game.position, self.fields, named)
            except BadGame as error:
                warnings.warn(f"{error}; it is played uncompiled", NotCompiled, stacklevel=3)
        if self.native is None:
            assert isinstance(function, FunctionType)
            named["POLL"] = (POLL, PLAIN_POLL)
            self.plain = Space(named).copy(function)

    @property
    def compiled(self) -> bool:
        return self.native is not None

    def memory(self) -> Memory:
        """A fresh memory for one thread."""
        return Memory(self.fields, self.compiled)

    def __call__(self, position: Any, memory: Memory, a: int, b: int, c: int) -> int:
        if self.native is not None:
            return int(self.native(position, memory, a, b, c))
        return int(self.plain(position, memory.record, a, b, c))


# --- evaluations as names of the search ----------------------------------------------------------
def _of_position(position: Any, memory: Any, ply: int) -> int:
    return FUNCTION(position)  # type: ignore[name-defined] # noqa: F821


def _of_weights(position: Any, memory: Any, ply: int) -> int:
    return FUNCTION(position, at(memory.weights, WEIGHTS, 0))  # type: ignore[name-defined] # noqa: F821


def _of_memory(position: Any, memory: Any, ply: int) -> int:
    return FUNCTION(position, at(memory.weights, WEIGHTS, 0), memory, ply)  # type: ignore[name-defined] # noqa: F821


def _begin(position: Any, memory: Any) -> None:
    FUNCTION(position, at(memory.weights, WEIGHTS, 0), memory)  # type: ignore[name-defined] # noqa: F821


def _follow(position: Any, move: int, after: Any, memory: Any, ply: int) -> None:
    FUNCTION(position, move, after, at(memory.weights, WEIGHTS, 0), memory, ply)  # type: ignore[name-defined] # noqa: F821


@cache
def evaluation_changes(evaluation: Evaluation) -> dict[str, Any]:
    """The names of the search that an evaluation replaces.

    Its function takes the position; or the position and its weights; or these, the thread's memory
    and the ply. `begin` takes position, weights and memory; `follow` position, move, the position
    after it, weights, memory and ply.
    """
    if evaluation.function is None:
        return {}
    wanted = evaluation.function.__code__.co_argcount
    template = {1: _of_position, 2: _of_weights, 4: _of_memory}[wanted]
    changes = {"evaluate": _filled(template, evaluation.function, evaluation)}
    if evaluation.begin is not None:
        changes["begin"] = _filled(_begin, evaluation.begin, evaluation)
    if evaluation.follow is not None:
        changes["follow"] = _filled(_follow, evaluation.follow, evaluation)
    return changes


def _filled(template: Any, function: Callable[..., Any], evaluation: Evaluation) -> Any:
    weights = evaluation.weights.layout if evaluation.weights else Layout()
    space = {"__name__": __name__, "FUNCTION": compiled(function), "WEIGHTS": weights, "at": at}
    return compiled(FunctionType(template.__code__, space, template.__name__))


# --- counting paths ------------------------------------------------------------------------------
def count_paths(position: Any, memory: Any, depth: int, most: int, spare: int) -> int:
    return perft(position, memory, depth, 0, most)


@cache
def counter(game: Game, compiled: bool = True) -> "Counter":
    """Counts the move paths of a game, compiled where it can be."""
    return Counter(game, compiled)


class Counter:
    """Counts move paths of one game."""

    def __init__(self, game: Game, compiled: bool = True) -> None:
        self.game = game
        self.runner = Runner(count_paths, game, compiled=compiled)
        self.memory = self.runner.memory()

    def __call__(self, position: Any, depth: int) -> int:
        """The number of paths of `depth` moves from here."""
        if depth <= 0:
            return 1
        if depth > PLIES:
            raise BadGame(f"perft counts at most {PLIES} moves deep, not {depth}")
        nodes = self.runner(position, self.memory, depth, self.game.most_moves, 0)
        if nodes < 0:
            raise BadGame(
                f"{self.game.name}: a position has more than {self.game.most_moves} moves;"
                " say how many there can be with @game(most_moves=...)"
            )
        return nodes
