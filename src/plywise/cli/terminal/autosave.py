"""Save unfinished games of the terminal after every move.

Each game has its own file in the data folder. It is written under another name and then renamed, so
that a killed process leaves the last complete state.
"""

import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plywise.core.broken_files import refuse_broken
from plywise.core.endgame_index import data_folder
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.untrusted import read_json
from plywise.play.state import BadSavedGame, GameState, restore_game

MAX_UNFINISHED = 50  # of one game; older files are deleted


@dataclass(frozen=True)
class SavedGame:
    """A saved game: its state, and the settings of the terminal game."""

    state: GameState
    settings: dict[str, Any]
    changed: float


class Autosave:
    """Saves one game after each move; `path` is its file, created with the first move."""

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game
        is_shipped = game.name == name
        digest = "" if is_shipped else "-" + hashlib.sha256(os.path.abspath(name).encode()).hexdigest()[:8]
        self.folder = data_folder() / "terminal"
        self.stem = f"{game.name}{digest}"
        self.path: Path | None = None

    def save(self, state: GameState, settings: dict[str, Any]) -> bool:
        """Save the game; return False if the file cannot be written."""
        data = {"game": self.game.name, "settings": settings, "record": state.serialise()}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self.path is None:
                self.path = self.folder / f"{self.stem}.{time.time_ns()}-{os.getpid()}.json"
                self._delete_old()
            part = self.path.with_suffix(".part")
            with part.open("w", encoding="utf-8") as file:
                json.dump(data, file)
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path)
        except OSError:
            return False
        return True

    def discard(self) -> None:
        """Delete the file: the game is over, or back at its start."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.path = None

    def files(self) -> list[Path]:
        """The other saved games of this game, latest first."""
        found = [path for path in self.folder.glob(f"{self.stem}.*.json") if path != self.path]
        return sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True)

    def latest(self) -> tuple[Path, SavedGame] | None:
        """The game that was saved last, if a file can be read."""
        for path in self.files():
            try:
                with refuse_broken(f"saved game {path}", BadSavedGame):
                    return path, self._read(path)
            except PlywiseError:
                continue  # damaged, or of another version of the game
        return None

    def _read(self, path: Path) -> SavedGame:
        data = read_json(path.read_text(encoding="utf-8"))
        if data["game"] != self.game.name or not isinstance(data["settings"], dict):
            raise ValueError("another game")
        return SavedGame(restore_game(self.game, data["record"]), data["settings"], path.stat().st_mtime)

    def _delete_old(self) -> None:
        for path in self.files()[MAX_UNFINISHED:]:
            path.unlink(missing_ok=True)
