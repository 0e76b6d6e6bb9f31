"""Finding games: the shipped ones by name, a user's own by FILE.py or FILE.py:NAME."""

import hashlib
import importlib
import importlib.util
import sys
import traceback
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

from plywise.core.errors import BadGame, UnknownName, exception_text
from plywise.core.game import Game

GAMES_PACKAGE = "plywise.games"  # named, not imported: games know the core, never the other way round

_loaded: dict[str, Game] = {}


def load(name: str) -> Game:
    """The game of that name, or the game in a file."""
    path, colon, wanted = name.rpartition(":")
    if name.endswith(".py"):
        path, wanted = name, ""
    elif not (colon and path.endswith(".py")):
        return _load_shipped(name)
    return _load_file(Path(path), wanted)


def shipped() -> dict[str, str]:
    """The shipped games, each with a sentence about it. Imports none of them."""
    return dict(importlib.import_module(GAMES_PACKAGE).SHIPPED)


def is_shipped(game: Game) -> bool:
    """Whether the game comes with Plywise."""
    return game.author.__module__.startswith(f"{GAMES_PACKAGE}.")


def _load_shipped(name: str) -> Game:
    if name not in shipped():
        raise UnknownName("game", name, shipped())
    if name not in _loaded:
        _loaded[name] = importlib.import_module(f"{GAMES_PACKAGE}.{name}").GAME
    return _loaded[name]


class _SourceLoader(SourceFileLoader):
    """Compiles a game file each time: Python's own cache misses a change within the same second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _load_file(path: Path, wanted: str) -> Game:
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
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        place = next((f for f in reversed(frames) if f.filename == str(path)), frames[-1])
        where = f"{place.filename}:{place.lineno}"
        raise BadGame(f"{where}: the file does not import: {exception_text(error)}") from None
    finally:
        sys.path.remove(str(path.parent))
    found: dict[str, Game] = {}
    for value in vars(module).values():
        game = vars(value).get("game") if isinstance(value, type) else None
        if isinstance(game, Game) and game.author.__module__ == label:
            found[game.name] = game
    if not found:
        raise BadGame(f"{path}: no game in this file; mark the class of its positions with @game()")
    if wanted and wanted not in found:
        raise UnknownName(f"game in {path.name}", wanted, found)
    if not wanted and len(found) > 1:
        raise BadGame(f"{path}: several games ({', '.join(sorted(found))}); say {path.name}:NAME")
    return found[wanted] if wanted else next(iter(found.values()))
