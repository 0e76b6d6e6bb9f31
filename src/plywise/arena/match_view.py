"""A match as its journal tells it, read while it is being played: the table, Elo over time, the games.

Nothing is written, and no game is loaded: a journal can be watched by anybody who can read it. What is new is
read when it is asked for, and a line that is not whole yet when it is.
"""

import math
import os
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plywise.arena.journal import BadJournal, check_header, decode_line
from plywise.arena.schedule import PairResult, meetings
from plywise.arena.single_game import GameResult
from plywise.arena.sprt import Sprt, Verdict
from plywise.arena.statistics import finite
from plywise.arena.tally import Tally
from plywise.arena.time_control import TimeControl
from plywise.core.broken_files import WRONG_CONTENTS
from plywise.core.errors import exception_text
from plywise.core.file_lock import is_locked
from plywise.core.json_data import from_json
from plywise.core.outcome import Outcome
from plywise.core.untrusted import shorten
from plywise.core.wording import count_text, result_text

MAX_BYTES = 256 << 20  # of a journal that is shown
MAX_POINTS = 240  # of Elo over time
MAX_GAMES = 200  # that are listed, the latest ones
MAX_PLAYERS = 1000
MAX_WORDS = 200  # characters of a name or a reason; a page is sent each of them hundreds of times


@dataclass(frozen=True, slots=True)
class Point:
    """Elo of the first player after `games` games, with the ends of its error; None where it is infinite."""

    games: int
    elo: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class _Line:
    """Where the line of a pair is."""

    offset: int
    length: int


class MatchView:
    """The journal of a match; `refresh` reads what has been written since."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._begin()
        self.refresh()

    def _begin(self) -> None:
        self.header: dict[str, Any] = {}
        self.game, self.names = "", list[str]()  # not known before the first line is whole
        self.has_records = False  # some games have the dice that it takes to replay them
        self.tally = Tally(0)
        self.points: list[Point] = []
        self.damaged = 0
        self.cut = False  # the last line is not whole
        self._read = 0  # bytes
        self._file = -1  # which file it was, should another one take its place
        self._lines: dict[int, _Line] = {}  # by the number of the pair
        self._latest: deque[dict[str, Any]] = deque(maxlen=MAX_GAMES)  # games, the last one first

    # --- reading ----------------------------------------------------------------------------------
    def refresh(self) -> None:
        """Read what is new; from the beginning if the file was replaced."""
        try:
            with self.path.open("rb") as file:
                found = os.fstat(file.fileno())
                if found.st_size > MAX_BYTES:
                    size = f"{found.st_size >> 20} MB"
                    raise BadJournal(f"{self.path}: {size}; matches of up to {MAX_BYTES >> 20} MB are shown")
                if found.st_ino != self._file or found.st_size < self._read:
                    self._begin()
                    self._file = found.st_ino
                file.seek(self._read)
                self.cut = False
                for line in file:
                    if not line.endswith(b"\n"):
                        self.cut = True
                        break
                    self._add(line)
        except OSError as error:
            raise BadJournal(f"{self.path}: {error.strerror}") from None
        if not self.header and not self.cut:
            raise BadJournal(f"{self.path}: this is no journal of a match: it is empty")

    def _add(self, line: bytes) -> None:
        place = _Line(self._read, len(line))
        data = decode_line(line)
        if not self.header:
            header = check_header(self.path, data)
            self._read_header(header)
        elif data is None:
            self.damaged += 1
        else:
            self._add_pair(data, place)
        self._read += len(line)

    def _read_header(self, header: dict[str, Any]) -> None:
        try:
            self.names = [shorten(str(player["name"]), MAX_WORDS) for player in header["players"]]
            if not 2 <= len(self.names) <= MAX_PLAYERS:
                raise ValueError(f"a match has 2 to {MAX_PLAYERS} players, not {len(self.names)}")
            self.game = str(header["game"])
            self.control = str(from_json(TimeControl, header["control"]))
            pairs, met = header["pairs"], len(meetings(len(self.names), bool(header["gauntlet"])))
            self.total = None if pairs is None else int(pairs) * met
            test = header["sprt"]
            self.sprt = from_json(Sprt, test) if test else None
        except WRONG_CONTENTS as error:
            reason = shorten(exception_text(error))
            raise BadJournal(f"{self.path}: the first line lacks something ({reason})") from None
        self.header, self.tally = header, Tally(len(self.names))

    def _add_pair(self, data: dict[str, Any], place: _Line) -> None:
        try:
            pair = PairResult.from_dict(data)
            if max(pair.first, pair.second) >= len(self.names):
                raise ValueError("a player that the match does not have")
        except WRONG_CONTENTS:
            self.damaged += 1
            return
        if self.tally.add(pair):
            self._lines[pair.number] = place
            self._latest.extendleft(self._game(pair.number, i, game) for i, game in enumerate(pair.games))
            self.has_records |= any(game.record is not None for game in pair.games)
            self._add_point()

    def _add_point(self) -> None:
        """Elo after this pair, in a match of two."""
        meeting = self.tally.meetings.get((0, 1))
        if len(self.names) != 2 or meeting is None:
            return
        found = meeting.estimate
        known = found.has_variance
        self.points.append(
            Point(
                self.tally.games,
                finite(found.elo),
                finite(found.low) if known else None,
                finite(found.high) if known else None,
            )
        )

    # --- telling ----------------------------------------------------------------------------------
    @property
    def verdict(self) -> Verdict:
        """The verdict of the test so far."""
        meeting = self.tally.meetings.get((0, 1))
        if not self.header or self.sprt is None or meeting is None:
            return Verdict.OPEN
        return self.sprt.verdict(self.sprt.llr(meeting.pairs))

    @property
    def state(self) -> str:
        """`running`, `finished` or `stopped`."""
        if is_locked(self.path):
            return "running"
        if not self.header:
            return "stopped"
        done = self.total is not None and len(self.tally.done) >= self.total
        return "finished" if done or self.verdict is not Verdict.OPEN else "stopped"

    @property
    def notes(self) -> list[str]:
        """What is wrong with the file, in sentences."""
        found = []
        if self.damaged:
            verb = "is" if self.damaged == 1 else "are"
            found.append(f"{count_text(self.damaged, 'line')} of the file {verb} damaged and left out.")
        if self.cut:
            found.append("The last line of the file is not whole: it is being written, or was cut off.")
        return found

    def pair(self, number: int) -> PairResult:
        """A finished pair, read from the file."""
        place = self._lines.get(number)
        if place is None:
            raise BadJournal(f"{self.path}: there is no finished pair {number + 1}")
        try:
            with self.path.open("rb") as file:
                file.seek(place.offset)
                data = decode_line(file.read(place.length))
        except OSError as error:
            raise BadJournal(f"{self.path}: {error.strerror}") from None
        changed = BadJournal(f"{self.path}: the file has changed; open the match again")
        if data is None or data.get("pair") != number:
            raise changed
        try:
            return PairResult.from_dict(data)
        except WRONG_CONTENTS:
            raise changed from None

    def summary(self) -> dict[str, Any]:
        """What a list says of the match."""
        return {
            "game": shorten(self.game, MAX_WORDS),
            "players": self.names,
            "games": self.tally.games,
            "of": None if not self.header or self.total is None else 2 * self.total,
            "state": self.state,
        }

    def data(self) -> dict[str, Any]:
        """All that is shown of the match; infinite numbers are None."""
        if not self.header:
            return {**self.summary(), "notes": self.notes}
        return {
            **self.summary(),
            "control": self.control,
            "notes": self.notes,
            "table": self._table(),
            "meetings": [self._meeting(one, other) for one, other in sorted(self.tally.meetings)],
            "test": self._test(),
            "points": [[p.games, p.elo, p.low, p.high] for p in _thin(self.points)],
            "list": list(self._latest),
        }

    def _table(self) -> list[dict[str, Any]]:
        """The players, the best first."""
        ratings = self.tally.ratings()
        rows = []
        for i, (name, player, rating) in enumerate(
            zip(self.names, self.tally.player_tallies, ratings, strict=True)
        ):
            rows.append(
                {
                    "name": name,
                    **player.as_dict(),
                    "points": player.points,
                    "elo": finite(rating.elo),
                    "error": finite(rating.error) if i else None,
                    "nps": None if (speed := finite(player.speed)) is None else round(speed),
                    "depth": None if player.depth is None else round(player.depth, 1),
                    "faults": sum(player.faults.values()),
                }
            )
        return sorted(rows, key=lambda row: -(row["points"] / row["games"] if row["games"] else 0))

    def _meeting(self, one: int, other: int) -> dict[str, Any]:
        meeting = self.tally.meetings[one, other]
        found = meeting.estimate
        return {
            "first": self.names[one],
            "second": self.names[other],
            **meeting.as_dict(),
            "elo": finite(found.elo),
            "error": finite(found.error) if found.has_variance else None,
        }

    def _test(self) -> dict[str, Any] | None:
        if self.sprt is None:
            return None
        meeting = self.tally.meetings.get((0, 1))
        return self.sprt.as_dict(0.0 if meeting is None else self.sprt.llr(meeting.pairs))

    def _game(self, number: int, place: int, game: GameResult) -> dict[str, Any]:
        return {
            "pair": number,
            "place": place,
            "sides": [self.names[player] for player in game.sides],
            "result": result_text(Outcome(game.winner, game.reason)),
            "reason": shorten(game.reason, MAX_WORDS),
            "how": shorten(game.how, MAX_WORDS),
            "moves": len(game.moves),
            "recorded": game.record is not None,
        }


def _thin(points: list[Point]) -> list[Point]:
    """At most MAX_POINTS of the points, evenly spread, the last one among them."""
    step = max(1, math.ceil(len(points) / MAX_POINTS))
    return points[len(points) - 1 :: -step][::-1] if points else []
