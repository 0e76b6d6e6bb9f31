"""A function of the search for one game: compiled where possible, else the same source run by Python."""

import warnings
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType
from typing import Any

from plywise.core.compiled import compiled
from plywise.core.errors import BadGame
from plywise.core.evaluation import Evaluation
from plywise.core.game import Game
from plywise.core.layout import Layout, at
from plywise.core.perft import perft
from plywise.core.rules import Position
from plywise.core.specialise import Changes, Specialiser
from plywise.search import node, recorder, transposition
from plywise.search.alphabeta import search_root
from plywise.search.margins import POLL
from plywise.search.thread_state import MAX_PLY, ThreadRecord, ThreadState, thread_layout

Function = Callable[..., int]
PLAIN_POLL = 8  # Python visits some thousand nodes a second: it looks at the stop flag more often

# The names of the search that a specialisation may give another value, with their usual one.
REPLACEABLE: dict[str, Any] = {
    "evaluate": node.evaluate,
    "begin": node.begin,
    "follow": node.follow,
    "RECORD": recorder.RECORD,
    "ASSERT": node.ASSERT,
    "PREFETCH": node.PREFETCH,
    "POLL": POLL,
    "HAS_CANDIDATES": node.HAS_CANDIDATES,
    "HAS_NOISY": node.HAS_NOISY,
    "HAS_URGENT": node.HAS_URGENT,
    "SYMMETRIES": transposition.SYMMETRIES,
}


class NotCompiled(UserWarning):
    """A game that Numba cannot compile is run by Python."""


class Specialisation:
    """A function of (position, thread state, a, b, c), ready to run, and thread states that fit it.

    `changes` gives names of REPLACEABLE another value: an evaluation, the recorder. `constants` does so for
    names of the function's own module: their old and their new value.
    """

    def __init__(
        self,
        function: Function,
        game: Game,
        evaluation: Evaluation | None = None,
        changes: Mapping[str, Any] | None = None,
        compiled: bool = True,
        constants: Changes | None = None,
    ) -> None:
        changes = {**(changes or {}), **_game_changes(game)}
        self.fields = thread_layout(game, evaluation)
        self.native: Any = None
        if compiled and game.compiled:
            from plywise.native import compile

            try:
                every = {**_with_usual_values(changes), **(constants or {})}
                self.native = compile(function, game.position, self.fields, every)
            except BadGame as error:
                warnings.warn(f"{error}; it is played uncompiled", NotCompiled, stacklevel=3)
        if self.native is None:
            assert isinstance(function, FunctionType)
            changes = {**changes, "POLL": PLAIN_POLL, "ASSERT": True, "PREFETCH": False}
            every = {**_with_usual_values(changes), **(constants or {})}
            self.plain = Specialiser(every).copy(function)

    @property
    def compiled(self) -> bool:
        return self.native is not None

    def new_thread(self) -> ThreadState:
        """A fresh state for one thread."""
        return ThreadState(self.fields, self.compiled)

    def __call__(self, position: Any, thread: ThreadState, a: int, b: int, c: int) -> int:
        if self.native is not None:
            return int(self.native(position, thread, a, b, c))
        return int(self.plain(position, thread.record, a, b, c))


def is_cached(
    game: Game, evaluator: str = "default", record: bool = False, player: Function = search_root
) -> bool:
    """Whether the compile cache has the search of a game with an evaluation, and the recorder on or off.

    `player` is the function of a textbook player in place of the search.
    """
    from plywise import native

    evaluation = game.evaluation(evaluator)
    changes = _with_usual_values({**search_changes(evaluation, record), **_game_changes(game)})
    return native.is_cached(player, game.position, thread_layout(game, evaluation), changes)


def search_changes(evaluation: Evaluation, record: bool) -> dict[str, Any]:
    """The names of REPLACEABLE that a search with this evaluation changes."""
    return {**evaluation_changes(evaluation), **({"RECORD": True} if record else {})}


def _game_changes(game: Game) -> dict[str, Any]:
    """The names of REPLACEABLE that a game changes by its symmetry and the rules that it has or lacks."""
    own = {
        "SYMMETRIES": game.symmetries,
        "HAS_CANDIDATES": game.has_candidates,
        "HAS_NOISY": game.has_rule("noisy") or game.has_rule("sharp"),
        "HAS_URGENT": game.has_rule("urgent"),
    }
    return {name: value for name, value in own.items() if value != REPLACEABLE[name]}


def _with_usual_values(changes: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {name: (REPLACEABLE[name], value) for name, value in changes.items()}


# --- evaluations as names of the search ----------------------------------------------------------
def _from_position(position: Position, thread: ThreadRecord, ply: int) -> int:
    return FUNCTION(position)  # type: ignore[name-defined] # noqa: F821


def _from_weights(position: Position, thread: ThreadRecord, ply: int) -> int:
    return FUNCTION(position, at(thread.weights, WEIGHTS, 0))  # type: ignore[name-defined] # noqa: F821


def _from_thread(position: Position, thread: ThreadRecord, ply: int) -> int:
    return FUNCTION(position, at(thread.weights, WEIGHTS, 0), thread, ply)  # type: ignore[name-defined] # noqa: F821


def _begin(position: Position, thread: ThreadRecord) -> None:
    FUNCTION(position, at(thread.weights, WEIGHTS, 0), thread)  # type: ignore[name-defined] # noqa: F821


def _follow(position: Position, move: int, after: Position, thread: ThreadRecord, ply: int) -> None:
    FUNCTION(position, move, after, at(thread.weights, WEIGHTS, 0), thread, ply)  # type: ignore[name-defined] # noqa: F821


# The same without weights, in whose place stands 0.
def _from_thread_alone(position: Position, thread: ThreadRecord, ply: int) -> int:
    return FUNCTION(position, 0, thread, ply)  # type: ignore[name-defined] # noqa: F821


def _begin_alone(position: Position, thread: ThreadRecord) -> None:
    FUNCTION(position, 0, thread)  # type: ignore[name-defined] # noqa: F821


def _follow_alone(position: Position, move: int, after: Position, thread: ThreadRecord, ply: int) -> None:
    FUNCTION(position, move, after, 0, thread, ply)  # type: ignore[name-defined] # noqa: F821


@cache
def evaluation_changes(evaluation: Evaluation) -> dict[str, Any]:
    """The names of the search that an evaluation replaces.

    Its function takes the position; or the position and its weights; or these, the thread state and
    the ply. `begin` takes position, weights and thread state; `follow` position, move, the position
    after it, weights, thread state and ply. Where there are no weights, they are 0.
    """
    if evaluation.function is None:
        return {}
    wanted, alone = evaluation.function.__code__.co_argcount, evaluation.weights is None
    from_thread = _from_thread_alone if alone else _from_thread
    template = {1: _from_position, 2: _from_weights, 4: from_thread}[wanted]
    changes = {"evaluate": _fill_template(template, evaluation.function, evaluation)}
    if evaluation.begin is not None:
        changes["begin"] = _fill_template(_begin_alone if alone else _begin, evaluation.begin, evaluation)
    if evaluation.follow is not None:
        changes["follow"] = _fill_template(_follow_alone if alone else _follow, evaluation.follow, evaluation)
    return changes


def _fill_template(template: Any, function: Callable[..., Any], evaluation: Evaluation) -> Any:
    weights = evaluation.weights.layout if evaluation.weights else Layout()
    namespace = {"__name__": __name__, "FUNCTION": compiled(function), "WEIGHTS": weights, "at": at}
    return compiled(FunctionType(template.__code__, namespace, template.__name__))


# --- counting paths ------------------------------------------------------------------------------
def count_paths(position: Position, thread: ThreadRecord, depth: int, most: int, spare: int) -> int:
    return perft(position, thread, depth, 0, most)


@cache
def perft_counter(game: Game, compiled: bool = True) -> "PerftCounter":
    """Counts the move paths of a game, compiled where it can be."""
    return PerftCounter(game, compiled)


class PerftCounter:
    """Counts move paths of one game."""

    def __init__(self, game: Game, compiled: bool = True) -> None:
        self.game = game
        self.specialisation = Specialisation(count_paths, game, compiled=compiled)
        self.thread = self.specialisation.new_thread()

    def __call__(self, position: Any, depth: int) -> int:
        """The number of paths of `depth` moves from here."""
        if depth <= 0:
            return 1
        if depth > MAX_PLY:
            raise BadGame(f"perft counts at most {MAX_PLY} moves deep, not {depth}")
        nodes = self.specialisation(position, self.thread, depth, self.game.most_moves, 0)
        if nodes < 0:
            raise BadGame(
                f"{self.game.name}: a position has more than {self.game.most_moves} moves;"
                " say how many there can be with @game(most_moves=...)"
            )
        return nodes
