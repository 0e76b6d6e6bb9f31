"""Finding games: shipped and installed ones by name, a user's own by FILE.py or FILE.py:NAME.

A package that is installed beside Plywise offers games by the entry point group `plywise.games`. Code is
loaded from nowhere else: not from the page, and not from files that nobody named.
"""

import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

from plywise.core.define import game as define
from plywise.core.errors import BadGame, PlywiseError, UnknownName, author_frame, exception_text, near_names
from plywise.core.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GAMES_PACKAGE = "plywise.games"  # named, not imported: games know the core, never the other way round
GROUP = "plywise.games"  # the entry points of packages that offer games

_MARKED = re.compile(r"^@(?:plywise\.)?game\b", re.MULTILINE)  # a class that is marked as a game

_loaded: dict[str, Game] = {}


def load(name: str) -> Game:
    """The game of that name, or the game in a file."""
    path, colon, wanted = name.rpartition(":")
    if name.endswith(".py"):
        path, wanted = name, ""
    elif not (colon and path.endswith(".py")):
        return load_named(name)
    return _load_file(Path(path), wanted)


def shipped() -> dict[str, str]:
    """The shipped games, each with a sentence about it. Imports none of them."""
    return dict(importlib.import_module(GAMES_PACKAGE).SHIPPED)


def is_shipped(game: Game) -> bool:
    """Whether the game comes with Plywise."""
    return game.author.__module__.startswith(f"{GAMES_PACKAGE}.")


def load_named(name: str) -> Game:
    """The shipped or installed game of that name; no path is followed, so names may stand in files."""
    if name not in _loaded:
        if name in shipped():
            _loaded[name] = importlib.import_module(f"{GAMES_PACKAGE}.{name}").GAME
        elif name in _entries():
            _loaded[name] = _load_installed(_entries()[name])
        else:
            raise UnknownName("game", name, {**shipped(), **_entries()})
    return _loaded[name]


# --- installed games ---------------------------------------------------------------------------------
def installed_games(warn: Callable[[str], None]) -> dict[str, str]:
    """The games of installed packages, each with a sentence; `warn` is told what is skipped, and why."""
    found: dict[str, str] = {}
    for entry in _all_entries():
        if _entries().get(entry.name) is not entry:
            owner = "a shipped game" if entry.name in shipped() else _package(_entries()[entry.name])
            warn(f"{_package(entry)}: its game {entry.name!r} is skipped: {owner} has that name")
            continue
        try:
            game = load_named(entry.name)
        except PlywiseError as error:
            warn(f"{error}; it is skipped")
            continue
        found[entry.name] = (game.description or game.title).partition("\n")[0]
    return found


@cache
def _all_entries() -> "tuple[EntryPoint, ...]":
    from importlib.metadata import entry_points  # it takes a sixth of the time to import the package

    return tuple(sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, _package(entry))))


@cache
def _entries() -> "dict[str, EntryPoint]":
    """The entry point that each name means; shipped games keep theirs."""
    found: dict[str, EntryPoint] = {}
    for entry in _all_entries():
        if entry.name not in shipped():
            found.setdefault(entry.name, entry)
    return found


def _package(entry: "EntryPoint") -> str:
    return entry.dist.name if entry.dist is not None else entry.value


def _load_installed(entry: "EntryPoint") -> Game:
    """The game that an entry point names: a class marked with @game, or its game."""
    where = f"{_package(entry)}: its game {entry.name!r}"
    try:
        value = entry.load()
    except PlywiseError as error:
        raise BadGame(f"{where} cannot be used: {error}") from None
    except (Exception, SystemExit) as error:
        frame = author_frame(error, installed=True)
        place = f"{frame.filename}:{frame.lineno}: " if frame is not None else ""
        reason = f"{place}{_import_text(error)}"
        raise BadGame(f"{where} does not import: {reason}") from None
    game = value if isinstance(value, Game) else getattr(value, "game", None)
    if not isinstance(game, Game):
        raise BadGame(f"{where} is no class marked with @game ({entry.value})")
    if game.name != entry.name:
        raise BadGame(f"{where} calls itself {game.name!r}; give both one name")
    return game


# --- files -------------------------------------------------------------------------------------------
def find_in_folder(folder: Path) -> tuple[list[str], list[str]]:
    """The games in the files of a folder, as `load` takes them, and a sentence about each broken file.

    Files that make no game, and those whose names begin with `_`, are left out.
    """
    sources, broken = [], []
    for path in sorted(folder.glob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.name.startswith("_") or not _MARKED.search(text):
            continue
        try:
            sources += [f"{path}:{name}" for name in _import_games(path)]
        except BadGame as error:
            broken.append(str(error))
    return sources, broken


class _SourceLoader(SourceFileLoader):
    """Compiles a game file each time: Python's own cache misses a change within the same second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _load_file(path: Path, wanted: str) -> Game:
    found = _import_games(path)
    if wanted and wanted not in found:
        raise UnknownName(f"game in {path.name}", wanted, found)
    if not wanted and len(found) > 1:
        raise BadGame(f"{path}: several games ({', '.join(sorted(found))}); say {path.name}:NAME")
    return found[wanted] if wanted else next(iter(found.values()))


def _import_games(path: Path) -> dict[str, Game]:
    """The games that a file makes, by name; the file is run."""
    if path.is_dir():
        raise BadGame(f"{path} is a folder; name a file in it, such as {path.name}/GAME.py")
    if not path.is_file():
        raise BadGame(f"{path}: there is no such file")
    path = path.resolve()
    tag = hashlib.sha256(str(path).encode()).hexdigest()[:8]
    label = f"plywise_user_{path.stem}_{tag}"
    spec = importlib.util.spec_from_file_location(label, path, loader=_SourceLoader(label, str(path)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[label] = module
    sys.path.insert(0, str(path.parent))  # the file may import its neighbours
    try:
        spec.loader.exec_module(module)
    except BadGame:
        raise
    except SyntaxError as error:
        raise BadGame(f"{error.filename}:{error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        place = next((f for f in reversed(frames) if f.filename == str(path)), frames[-1])
        where = f"{place.filename}:{place.lineno}"
        if isinstance(error, PlywiseError):  # it says itself what is wrong
            raise BadGame(f"{where}: {error}") from None
        raise BadGame(f"{where}: the file does not import: {_import_text(error)}") from None
    finally:
        sys.path.remove(str(path.parent))
    found: dict[str, Game] = {}
    for value in vars(module).values():
        game = vars(value).get("game") if isinstance(value, type) else None
        if isinstance(game, Game) and game.author.__module__ == label:
            found[game.name] = game
    if not found:
        raise BadGame(f"{path}: no game in this file; mark the class of its positions with @game()")
    return found


# --- words for the usual mistakes ------------------------------------------------------------------
_UNKNOWN_OPTION = re.compile(r"game\(\) got an unexpected keyword argument '(\w+)'")
_UNKNOWN_NAME = re.compile(r"cannot import name '(\w+)' from '(plywise[\w.]*)'")


def _import_text(error: BaseException) -> str:
    """Why a file does not import, and the cure; where Plywise itself stands does not help."""
    text = exception_text(error)
    if isinstance(error, ImportError) and error.path:
        text = text.removesuffix(f" ({error.path})")
    return text + _cure(error)


def _cure(error: BaseException) -> str:
    """What to write instead, for mistakes that authors make when a file is imported."""
    text = str(error)
    if isinstance(error, SystemExit):
        return "; a file of rules must not end the program: take exit() out"
    if found := _UNKNOWN_OPTION.search(text):
        options = [name for name in inspect.signature(define).parameters if name != "name"]
        near = near_names(found[1], options)
        return f"; did you mean {near[0]}?" if near else f"; @game takes {', '.join(options)}"
    if found := _UNKNOWN_NAME.search(text):
        names = [name for name in dir(sys.modules[found[2]]) if not name.startswith("_")]
        near = near_names(found[1], names)
        return f"; did you mean {near[0]}?" if near else ""
    if text.startswith("mutable default"):
        return ", or better for a position: a tuple or a string, which cannot change"
    return ""
