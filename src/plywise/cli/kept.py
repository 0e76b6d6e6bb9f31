"""Games in the terminal that are not over, kept on disk after every move.

Each game has a file of its own in the data folder, written beside its place and renamed into it, so
that a process that is killed leaves the last whole state.
"""

import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.solved import folder
from plywise.play.stage import Stage, rebuild

MOST = 50  # unfinished games of one kind; older ones are forgotten


@dataclass(frozen=True)
class Kept:
    """A game as it was kept: the stage, and what else its table has to know."""

    stage: Stage
    settings: dict[str, Any]
    changed: float


class Keeper:
    """Keeps one running game; `path` is its file, made with the first move."""

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game
        own = (
            "" if game.name == name else "-" + hashlib.sha256(os.path.abspath(name).encode()).hexdigest()[:8]
        )
        self.folder = folder() / "terminal"
        self.stem = f"{game.name}{own}"
        self.path: Path | None = None

    def keep(self, stage: Stage, settings: dict[str, Any]) -> bool:
        """Write the game down; False where nothing can be written."""
        data = {"game": self.game.name, "settings": settings, "record": stage.record()}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self.path is None:
                self.path = self.folder / f"{self.stem}.{time.time_ns()}-{os.getpid()}.json"
                self._tidy()
            part = self.path.with_suffix(".part")
            with part.open("w", encoding="utf-8") as file:
                json.dump(data, file)
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path)
        except OSError:
            return False
        return True

    def forget(self) -> None:
        """The game is over, or back at its start."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.path = None

    def files(self) -> list[Path]:
        """The kept games of this kind, the latest first, without the one that is played here."""
        found = [path for path in self.folder.glob(f"{self.stem}.*.json") if path != self.path]
        return sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True)

    def latest(self) -> tuple[Path, Kept] | None:
        """The game that was left last, if one can be read."""
        for path in self.files():
            try:
                return path, self._read(path)
            except (OSError, ValueError, KeyError, TypeError, RecursionError, PlywiseError):
                continue  # damaged, or of another version of the game
        return None

    def _read(self, path: Path) -> Kept:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["game"] != self.game.name or not isinstance(data["settings"], dict):
            raise ValueError("another game")
        return Kept(rebuild(self.game, data["record"]), data["settings"], path.stat().st_mtime)

    def _tidy(self) -> None:
        for path in self.files()[MOST:]:
            path.unlink(missing_ok=True)
