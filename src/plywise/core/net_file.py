"""Nets in files: the weights of a learned evaluation, with their shape and the game that they are for.

A net is a weights file (`core/resources.py`) with three fields more: `game`, `seen`, a fingerprint of what
the game's boards show, and `shape`. A net of another game, or of a game whose boards have changed, is
refused. An installed net stands in the data folder; a game may ship one beside its rules.
"""

import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, cast

from plywise.core import learned
from plywise.core.bits import wrap
from plywise.core.broken_files import read_text_file
from plywise.core.cache_folder import write_whole
from plywise.core.compiled import compiled
from plywise.core.endgame_index import data_folder
from plywise.core.errors import PlywiseError
from plywise.core.evaluation import Evaluation
from plywise.core.game import LEARNED, Game
from plywise.core.layout import Layout
from plywise.core.resources import BadWeights, Weights
from plywise.core.rules import Position, Rules
from plywise.core.specialise import Specialiser
from plywise.core.untrusted import read_json
from plywise.core.vectors import LANES

CORRECTION, REPLACING, PATTERNS = "correction", "replacing", "patterns"
WEIGHTS_FORM = "weights"  # no net: the weights of the game's own evaluation are fitted
FORMS = (CORRECTION, REPLACING, PATTERNS)
MAX_HIDDEN = 128  # more would not fit into the 32 bits of `dot_clipped_squares`
MAX_BOARDS = 64
MAX_ENTRIES = 1 << 20  # of the tables of one stage
FILE_NAME = "net.json"  # beside the rules of a shipped game
MAX_KEPT = 8  # nets that need not be read again
PROBE_PLIES = 60  # of the game whose boards make the fingerprint


class BadNet(BadWeights):
    """A net that cannot be read, or that is not for this game."""


class NoNet(PlywiseError):
    """A game that has learned nothing yet."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What makes two nets the same code with other numbers. See `core/learned.py` for the constants."""

    boards: int
    hidden: int
    stages: int
    own_columns: int
    flip: int
    last: int
    seen: int
    form: str
    windows: int = 0  # of the form `patterns`; `hidden` is as many, rounded up to whole vectors
    entries: int = 0  # numbers in the tables of the windows, for one stage

    @property
    def inputs(self) -> int:
        """How many columns there are."""
        return self.boards * learned.CELLS * (2 if self.own_columns else 1)

    @property
    def layout(self) -> Layout:
        own_columns, entries = bool(self.own_columns), self.entries
        return learned.weights_layout(self.boards, self.hidden, self.stages, own_columns, entries)

    def problem(self) -> str | None:
        """Why there is no net of this shape; None if there may be one."""
        if not 1 <= self.boards <= MAX_BOARDS:
            return f"boards must be 1 to {MAX_BOARDS}, not {self.boards}"
        if not self.own_columns and self.boards % 2:
            return f"boards must be an even number where both sides are seen alike, not {self.boards}"
        if self.hidden not in range(LANES, MAX_HIDDEN + 1, LANES):
            return f"hidden must be a multiple of {LANES} up to {MAX_HIDDEN}, not {self.hidden}"
        if not 1 <= self.stages <= learned.STAGE_COUNT:
            return f"stages must be 1 to {learned.STAGE_COUNT}, not {self.stages}"
        if self.flip not in (0, 56) or not -1 <= self.last < learned.CELLS:
            return f"the perspective of side 1 (flip {self.flip}, last {self.last}) is none"
        if (self.form == PATTERNS) != (0 < self.windows <= self.hidden and 0 < self.entries <= MAX_ENTRIES):
            return f"{self.windows} windows with {self.entries} entries are no shape of the form {self.form}"
        return (
            None
            if self.form in (*FORMS, WEIGHTS_FORM)
            else f"form must be {' or '.join(FORMS)}, not {self.form!r}"
        )


# --- what a game shows ----------------------------------------------------------------------------
def boards_of(game: Game, position: Position) -> tuple[int, ...]:
    """The boards of a position as a learned evaluation sees them."""
    boards = position.boards()
    if not isinstance(boards, tuple):
        raise BadNet(f"{game.name}: boards() must give a tuple of whole numbers, not {boards!r}")
    for board in boards:
        if not hasattr(board, "__index__"):
            raise BadNet(f"{game.name}: boards() must give sets of up to 64 cells, not {board!r}")
    return tuple(int(board) for board in boards)


def names_boards(game: Game) -> bool:
    """Whether the author says what is to be seen."""
    rule = getattr(game.position, "boards", Rules.boards)
    return rule is not Rules.boards and not hasattr(rule, "of_words")


@cache
def fingerprint(game: Game) -> str:
    """A digest of what the boards show along one game: another `boards` has another one."""
    dice, digest, position = random.Random(0), hashlib.sha256(), game.start()
    for _ in range(PROBE_PLIES):
        digest.update(repr([wrap(board) for board in boards_of(game, position)]).encode())
        moves = game.moves(position)
        if not moves:
            break
        position = position.play(dice.choice(moves))
    digest.update(game.perspective.encode())
    return digest.hexdigest()[:16]


# --- files ----------------------------------------------------------------------------------------
def installed_path(game: Game) -> Path:
    """Where the user's net of a game stands, if there is one."""
    return data_folder() / "learned" / f"{game.name}.json"


def net_path(game: Game) -> Path | None:
    """The net that `learned` means: the user's own, else the one that comes with the game."""
    shipped = game.source.with_name(FILE_NAME)
    own = installed_path(game)
    return own if own.is_file() else shipped if shipped.is_file() and _has_folder(game) else None


def _has_folder(game: Game) -> bool:
    """A game of a single file shares its folder with others."""
    return game.source.name in ("__init__.py", "rules.py")


def read_net(game: Game, path: str | Path) -> tuple[Shape, dict[str, Any]]:
    """The shape of a net and all that its file says; BadNet if it is none, or not for this game."""
    source = Path(path)
    try:
        info = source.stat()
        stamp = game, str(source), info.st_mtime_ns, info.st_size, info.st_ino
        if stamp in _nets:
            return _nets[stamp]
        page = read_json(read_text_file(source))
        known = {"windows": 0, "entries": 0, **page["shape"]}
        shape = Shape(**{field.name: known[field.name] for field in fields(Shape)})
        if not all(isinstance(value, int) for name, value in asdict(shape).items() if name != "form"):
            raise ValueError("its shape is not of whole numbers")
        problem = shape.problem()
        if problem is not None or shape.form == WEIGHTS_FORM:
            raise ValueError(problem or "its form is not one of a net")
        check_places(shape, page["values"])
    except OSError as error:
        raise BadNet(f"net {source}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise BadNet(f"net {source}: it is no net ({reason}); `plywise learn` makes one") from None
    if page.get("game") != game.name:
        raise BadNet(f"net {source}: it is for {page.get('game')!r}, not for {game.name}")
    if page.get("seen") != fingerprint(game):
        raise BadNet(
            f"net {source}: the boards of {game.name} are not those it has learned from; learn again,"
            f" or `plywise learn {game.name} --remove`"
        )
    if len(_nets) >= MAX_KEPT:
        _nets.clear()
    _nets[stamp] = shape, page
    return shape, page


def check_places(shape: Shape, values: Any) -> None:
    """Raise ValueError if a number of a net names a place that its arrays do not have."""
    if not all(0 <= stage < shape.stages for stage in values["net_stages"]):
        raise ValueError(f"a stage is not one of 0 to {shape.stages - 1}")
    if shape.form != PATTERNS:
        return
    columns, size = values["net_columns"], shape.boards * learned.CELLS * shape.hidden
    for side in range(2):
        view = columns[side * size :][:size] if shape.own_columns else columns
        for k in range(shape.windows):
            digits = view[k :: shape.hidden]
            offset = values["net_offsets"][side * shape.hidden + k]
            least, most = (offset + sum(choose(0, digit) for digit in digits) for choose in (min, max))
            if least < 0 or most >= shape.entries:
                raise ValueError(f"window {k} leads beyond its table")


_nets: dict[Any, tuple[Shape, dict[str, Any]]] = {}  # those that were read, by what their file was then


def write_net(
    path: Path, game: Game, shape: Shape, values: Mapping[str, Any], origin: Mapping[str, Any]
) -> None:
    """Write a net, whole or not at all. The values of a base evaluation are among those of the net."""
    unit = game.evaluation("default").unit
    page = {
        "unit": f"{unit} points are one of what players count in",
        "origin": dict(origin),
        "game": game.name,
        "seen": fingerprint(game),
        "shape": asdict(shape),
        "values": dict(values),
    }
    write_whole(path, (json.dumps(page, separators=(",", ":")) + "\n").encode())


# --- the evaluation -------------------------------------------------------------------------------
def learned_evaluation(game: Game, weights: str | Path | None = None) -> Evaluation:
    """The evaluation of a net: that of a file, else the installed one."""
    path = net_path(game) if weights is None else Path(weights)
    if path is None:
        raise NoNet(f"{game.name} has learned nothing yet; `plywise learn {game.name}` teaches it")
    shape, _ = read_net(game, path)
    return evaluation_of_shape(game, shape, path if weights is None else None)


@cache
def evaluation_of_shape(game: Game, shape: Shape, path: Path | None = None) -> Evaluation:
    """The code for all nets of one shape; other numbers of that shape are other weights."""
    own = game.evaluation("default")
    weights, memory = shape.layout, learned.memory_layout(shape.boards, shape.hidden)
    changes: dict[str, tuple[Any, Any]] = {
        "BOARDS": (learned.BOARDS, shape.boards),
        "WORDS": (learned.WORDS, learned.row_words(shape.boards)),
        "HIDDEN": (learned.HIDDEN, shape.hidden),
        "OWN_COLUMNS": (learned.OWN_COLUMNS, shape.own_columns),
        "FLIP": (learned.FLIP, shape.flip),
        "LAST": (learned.LAST, shape.last),
        "SEEN": (learned.SEEN, shape.seen),
    }
    begin = follow = None
    if shape.form == CORRECTION:
        changes["base"] = (learned.base, base_function(own))
        weights = weights + (own.weights.layout if own.weights is not None else Layout())
        memory, begin, follow = memory + own.memory, own.begin, own.follow
    if shape.form == PATTERNS:
        changes["net_output"] = (learned.net_output, learned.window_output)
        changes["WINDOWS"] = (learned.WINDOWS, shape.windows)
        changes["ENTRIES"] = (learned.ENTRIES, shape.entries)
    function = Specialiser(changes).function(cast(FunctionType, learned.net_score))
    return Evaluation(
        LEARNED,
        function,
        Weights(weights, path or installed_path(game)),
        memory,
        begin,
        follow,
        None,
        own.unit,
    )


def base_values(game: Game, shape: Shape) -> dict[str, Any]:
    """The numbers of the game's own evaluation that a net of this shape carries with it."""
    return game.weights("default") if shape.form == CORRECTION else {}


def _own_evaluate(position: Any, weights: Any, memory: Any, ply: int) -> int:
    return position.evaluate()


def _of_position(position: Any, weights: Any, memory: Any, ply: int) -> int:
    return FUNCTION(position)  # type: ignore[name-defined] # noqa: F821


def _of_weights(position: Any, weights: Any, memory: Any, ply: int) -> int:
    return FUNCTION(position, weights)  # type: ignore[name-defined] # noqa: F821


def _of_memory(position: Any, weights: Any, memory: Any, ply: int) -> int:
    return FUNCTION(position, weights, memory, ply)  # type: ignore[name-defined] # noqa: F821


def base_function(own: Evaluation) -> Any:
    """The game's own evaluation in the form that the learned one calls."""
    if own.function is None:
        return compiled(_own_evaluate)
    template = {1: _of_position, 2: _of_weights, 4: _of_memory}[own.function.__code__.co_argcount]
    namespace = {"__name__": __name__, "FUNCTION": compiled(own.function)}
    return compiled(FunctionType(template.__code__, namespace, "base"))
