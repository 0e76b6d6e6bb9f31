"""What a worker needs to play pairs of a match: plain data that is sent to other processes and machines.

A user's own game and weights are sent with it, so that the machines of a cluster need only Plywise.
"""

import ast
import atexit
import hashlib
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from plywise.arena.adjudication import AdjudicationRules
from plywise.arena.player_spec import PlayerSpec
from plywise.arena.time_control import DEFAULT_MOVE_TIME, MARGIN, TimeControl
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.registry import load

FILE_OPTIONS = ("weights", "margins")  # of a player, whose files travel with the match
PATIENCE = 60.0  # seconds without an answer until an engine without a clock counts as hung


@dataclass(frozen=True, slots=True)
class Setup:
    """The game by its name or file, the players, the time control and the rules of adjudication.

    `opponents` names the opponent of agents that can lead only one side of a world. `files` are the
    user's files of the game and the players: path and content.
    """

    game: str
    players: tuple[PlayerSpec, ...]
    control: TimeControl = field(default_factory=lambda: TimeControl(time=DEFAULT_MOVE_TIME))
    rules: AdjudicationRules = field(default_factory=AdjudicationRules)
    margin: float = MARGIN
    patience: float = PATIENCE
    opponents: str = ""
    files: tuple[tuple[str, bytes], ...] = ()

    @property
    def threads(self) -> int:
        """The largest number of threads of a builtin player."""
        return max(
            (spec.integer("threads") or 1 for spec in self.players if spec.kind == "plywise"), default=1
        )

    @property
    def digests(self) -> dict[str, str]:
        """A short digest of each file."""
        return {path: hashlib.sha256(content).hexdigest()[:16] for path, content in self.files}

    def pack(self) -> "Setup":
        """The same setup with absolute paths and the contents of the files."""
        players, paths = [], []
        for spec in self.players:
            for key in FILE_OPTIONS:
                file = spec.option(key)
                if file is not None and (key == "weights" or file.endswith(".json")):
                    path = Path(file).resolve()
                    paths.append(path)
                    spec = _with_file(spec, key, str(path))
            players.append(spec)
        name, source = self.game, _source(self.game)
        if source is not None:
            game = load(self.game)
            path = source.resolve()
            name = str(path) + self.game[len(str(source)) :]
            paths += [path, *_neighbours(path, game)]
        files = tuple((str(path), _read(path)) for path in dict.fromkeys(paths))
        return replace(self, game=name, players=tuple(players), files=files)

    def unpack(self) -> "Setup":
        """The same setup for this machine: files that it lacks are written to a temporary folder."""
        if not self.files or all(_is_here(path, content) for path, content in self.files):
            return self
        places = _unpack(self.files)
        source = _source(self.game)
        game = self.game if source is None else places[str(source)] + self.game[len(str(source)) :]
        players = []
        for spec in self.players:
            for key in FILE_OPTIONS:
                file = spec.option(key)
                spec = _with_file(spec, key, places[file]) if file in places else spec
            players.append(spec)
        return replace(self, game=game, players=tuple(players), files=())


def _source(game: str) -> Path | None:
    """The file of a user's own game; None for a shipped game."""
    if game.endswith(".py"):
        return Path(game)
    path, colon, _ = game.rpartition(":")
    return Path(path) if colon and path.endswith(".py") else None


def _with_file(spec: PlayerSpec, option: str, path: str) -> PlayerSpec:
    return replace(
        spec, options=tuple((key, path if key == option else value) for key, value in spec.options)
    )


def _neighbours(path: Path, game: Game) -> Iterable[Path]:
    """The modules beside the game's file that it imports, directly or not, and its weights."""
    todo, seen = [path], {path}
    while todo:
        for name in _imported_modules(todo.pop()):
            for place in (path.parent / f"{name}.py", *sorted((path.parent / name).glob("**/*.py"))):
                if place not in seen and place.is_file():
                    seen.add(place)
                    todo.append(place)
                    yield place
    for evaluation in game.evaluations.values():
        if evaluation.weights is not None and evaluation.weights.path.resolve().is_relative_to(path.parent):
            yield evaluation.weights.path.resolve()


def _imported_modules(path: Path) -> set[str]:
    """The top-level names of all modules that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.add(node.module.partition(".")[0])
    return names


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise PlywiseError(f"{path}: {error.strerror}") from None


def _is_here(path: str, content: bytes) -> bool:
    try:
        return Path(path).read_bytes() == content
    except OSError:
        return False


_folders: list[Path] = []


@atexit.register
def remove_unpacked() -> None:
    """Delete the temporary folders."""
    for folder in _folders:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _unpack(files: tuple[tuple[str, bytes], ...]) -> dict[str, str]:
    """Write the files to a temporary folder, once a process; return the new path of each."""
    folder = Path(tempfile.mkdtemp(prefix="plywise-match-"))
    _folders.append(folder)
    places = {}
    for path, content in files:
        # The whole old path is kept below the folder, so that files find those beside them.
        place = folder.joinpath(*Path(path).parts[1:])
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        places[path] = str(place)
    return places
