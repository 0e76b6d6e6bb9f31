"""The matches and learning runs that the page shows: those of the data folder, and what `--watch` named.

No other file is read: a page chooses from the list by an id that the server made.
"""

import hashlib
import stat
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plywise.core.endgame_index import data_folder
from plywise.core.errors import PlywiseError
from plywise.web.schema import Refused

if TYPE_CHECKING:  # matches are imported when somebody asks for one
    from plywise.arena.match_view import MatchView

MAX_LISTED = 100  # the newest ones
MAX_OPEN = 16  # matches of which the place in their file is remembered
RUN_FILE = "run.json"


class WatchList:
    """Files of matches and folders of runs, by ids that stay the same while the server runs."""

    def __init__(self, paths: Sequence[str] = ()) -> None:
        self.named = [Path(path).resolve() for path in paths]
        self._views: dict[Path, MatchView] = {}
        self._lock = threading.Lock()

    def paths(self) -> list[Path]:
        """What there is, the newest first: a file is a match, a folder a run."""
        times: dict[Path, float] = {}
        for path in self._candidates():
            try:
                found = (path / RUN_FILE if path.is_dir() else path).stat()
            except OSError:
                continue  # gone since
            if stat.S_ISREG(found.st_mode):  # to open a pipe or a device may take for ever
                times[path] = found.st_mtime
        return sorted(times, key=lambda path: -times[path])[:MAX_LISTED]

    def _candidates(self) -> Iterator[Path]:
        home = data_folder()
        yield from (home / "matches").glob("*.match")
        yield from (one.parent for one in (home / "learning").glob(f"*/{RUN_FILE}"))
        for path in self.named:
            if path.is_dir() and not (path / RUN_FILE).exists():
                yield from path.glob("*.match")
                yield from (one.parent for one in path.glob(f"*/{RUN_FILE}"))
            else:
                yield path

    def path(self, id: str) -> Path:
        """The file or folder of an id, also of a match that a run on the list has played."""
        for path in self.paths():
            if identify(path) == id:
                return path
            for match in path.glob("*.match") if path.is_dir() else ():
                if identify(match) == id and match.is_file():
                    return match
        raise Refused("This match or run is not there any more.")

    def match(self, path: Path) -> "MatchView":
        """A match with all that is in its file by now."""
        from plywise.arena.match_view import MatchView

        with self._lock:
            view = self._views.pop(path, None)
            if view is None:
                view = MatchView(path)
            else:
                view.refresh()
            self._views[path] = view
            while len(self._views) > MAX_OPEN:
                del self._views[next(iter(self._views))]
            return view

    def entry(self, path: Path) -> dict[str, Any]:
        """What the list says of a match or a run; in words what is wrong with it."""
        known = {"id": identify(path), "name": path.name, "kind": "run" if path.is_dir() else "match"}
        try:
            if path.is_dir():
                from plywise.learn.run_view import read_run

                run = read_run(path)
                return {**known, "game": run["game"], "state": run["state"], "words": run["doing"]}
            seen = self.match(path).summary()
        except PlywiseError as error:
            reason = str(error).removeprefix(f"{path / RUN_FILE if path.is_dir() else path}: ")
            return {**known, "game": "", "state": "unreadable", "words": reason}
        of = "" if seen["of"] is None else f" of {seen['of']:,}"
        words = f"{' v '.join(seen['players'])}: {seen['games']:,}{of} games"
        if not seen["players"]:
            words = "its first line is not whole: it is being written, or was cut off"
        return {**known, "game": seen["game"], "state": seen["state"], "words": words}


def identify(path: Path) -> str:
    """The id of a path: it says nothing about the folder."""
    return hashlib.sha256(str(path).encode()).hexdigest()[:16]
