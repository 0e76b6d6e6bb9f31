"""Building a game's endgame database: all groups, on all cores. An interrupted build can be resumed."""

import os
import shutil
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.cache_folder import write_whole
from plywise.core.endgame_index import PIECES_OFFSET, Group, data_folder
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.endgames.pack import Packer
from plywise.endgames.solver import Solver, Stopped, endgame_database


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far a build is: positions done of all, and the group that was worked on last."""

    done: int
    total: int
    name: str


def build(
    game: Game,
    pieces: int,
    folder: str | os.PathLike[str] | None = None,
    progress: Callable[[BuildProgress], None] | None = None,
    threads: int | None = None,
) -> Path:
    """Solve all positions of up to this many pieces and write the file that searches read.

    A good file that exists is kept. Groups that an interrupted build has solved are not solved again.
    """
    solved = endgame_database(game)
    if not 2 <= pieces <= solved.index.max_pieces:
        raise PlywiseError(
            f"{game.name} can be solved for 2 to {solved.index.max_pieces} pieces, not for {pieces}"
        )
    place = Path(folder) if folder is not None else data_folder() / "endgames"
    path, parts = place / f"{game.name}.solved", place / f"{game.name}.parts"
    if path.exists() and solved.why_unusable(path) is None and covered_pieces(path) >= pieces:
        return path
    solver = Solver(game)
    values = solve(solver, pieces, parts, progress, threads)
    packer = Packer(solver)
    kept = [one for group in solver.index.up_to(pieces) for one in group.slices if one.kept]
    slices = [(one, packer.pack_slice(solver.probed_values(one, values))) for one in kept]
    write_whole(path, packer.pack_file(pieces, slices))
    shutil.rmtree(parts, ignore_errors=True)
    return path


def solve(
    solver: Solver,
    pieces: int,
    parts: Path | None = None,
    progress: Callable[[BuildProgress], None] | None = None,
    threads: int | None = None,
) -> Any:
    """The values of all positions of up to this many pieces, by number.

    Finished groups are kept in the folder `parts`, if one is given, and read from there.
    """
    work = _Build(solver, pieces, parts, progress or (lambda report: None))
    return work.run(threads or os.cpu_count() or 1)


def build_in_background(game: Game, pieces: int) -> threading.Thread:
    """Build on one thread while a game is played; the next search after it is done uses the file.

    A program that ends meanwhile loses nothing: the next build resumes this one.
    """
    thread = threading.Thread(target=build, args=(game, pieces), kwargs={"threads": 1}, daemon=True)
    thread.start()
    return thread


def covered_pieces(path: Path) -> int:
    """Up to how many pieces a file covers."""
    with path.open("rb") as file:
        return file.read(PIECES_OFFSET + 1)[PIECES_OFFSET]


class _Build:
    """The groups of one build: those that are done, and threads that do the others."""

    def __init__(
        self, solver: Solver, pieces: int, parts: Path | None, progress: Callable[[BuildProgress], None]
    ) -> None:
        self.solver, self.parts, self.progress = solver, parts, progress
        self.groups = solver.index.up_to(pieces)
        self.values = solver.new_values(pieces)
        self.todo = list(self.groups)
        self.done: set[int] = set()
        self.positions_done = 0
        self.last = ""
        self.changed = threading.Condition()
        self.stopping = False
        self.error: BaseException | None = None

    def run(self, threads: int) -> Any:
        """The values of all positions."""
        self.resume()
        workers = [threading.Thread(target=self.work, daemon=True) for _ in range(threads)]
        for worker in workers:
            worker.start()
        try:
            while any(worker.is_alive() for worker in workers):
                with self.changed:
                    self.changed.wait(0.2)
                self.report()
        finally:
            self.stopping = True
            with self.changed:
                self.changed.notify_all()
            for worker in workers:
                worker.join()
        if self.error is not None:
            raise self.error
        self.report()
        return self.values

    def report(self) -> None:
        self.progress(BuildProgress(self.positions_done, len(self.values), self.last))

    def resume(self) -> None:
        """Read the groups that an earlier build has finished."""
        if self.parts is None:
            return
        for group in list(self.todo):
            found = _read_part(_part_path(self.parts, group), group.size)
            if found is not None:
                self.values[group.first : group.first + group.size] = found
                self.todo.remove(group)
                self.done.add(group.number)
                self.positions_done += group.size

    def work(self) -> None:
        try:
            while True:
                group = self.next_group()
                if group is None:
                    return
                self.solver.solve(group, self.values, self.add_done)
                if self.parts is not None:
                    content = self.values[group.first : group.first + group.size].tobytes()
                    body = zlib.compress(content, 1)
                    write_whole(_part_path(self.parts, group), sha256(body).digest() + body)
                with self.changed:
                    self.done.add(group.number)
                    self.changed.notify_all()
        except Stopped:
            return
        except BaseException as error:
            self.error, self.stopping = error, True

    def next_group(self) -> Group | None:
        """Wait for the next group whose needed groups are all done; None at the end."""
        with self.changed:
            while self.todo and not self.stopping:
                for group in self.todo:
                    if group.needs <= self.done:
                        self.todo.remove(group)
                        self.last = group.name
                        return group
                self.changed.wait(0.5)
        return None

    def add_done(self, looked: int) -> bool:
        """Count positions as done; False ends the work."""
        with self.changed:
            self.positions_done += looked
        return not self.stopping


def _part_path(parts: Path, group: Group) -> Path:
    return parts / f"{group.name}.part"


def _read_part(path: Path, size: int) -> Any:
    """The values in a part, or None if it is missing or damaged."""
    try:
        content = path.read_bytes()
        if content[:32] != sha256(content[32:]).digest():
            return None
        values = np.frombuffer(zlib.decompress(content[32:]), np.uint8)
    except (OSError, zlib.error):
        return None
    return values if len(values) == size else None
