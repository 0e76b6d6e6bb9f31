"""Tuning: the margins of the search for one game, found by SPSA over matches and accepted by a test.

SPSA (simultaneous perturbation) moves all numbers at once: in each round two players, whose numbers differ
from the present ones by a random step up or down, play pairs from the same openings, and the numbers move
towards the better of the two. Numbers that change no search of the game are left alone. The work is kept in
a folder, one line a round, so a killed run goes on with the next round. In the end a sequential test against
the numbers of before decides.
"""

import json
import os
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from plywise.arena.executors import Executor, InProcess
from plywise.arena.journal import Journal
from plywise.arena.match import Match, create_journal
from plywise.arena.openings import random_game
from plywise.arena.sprt import Sprt, Verdict
from plywise.arena.time_control import TimeControl
from plywise.core.broken_files import WRONG_CONTENTS
from plywise.core.errors import PlywiseError
from plywise.core.file_lock import FileLock
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.json_data import from_json
from plywise.core.registry import load
from plywise.core.untrusted import read_json, shorten
from plywise.search.engine import Engine
from plywise.search.margins import MARGINS, VERSION, Margin, check_margins, read_margins, write_margins

PAIRS = 8  # of a round
# Larger steps tell more. In a computed tuning of 30 numbers, quadratic and 40 Elo below their best, 4000
# games gain 11 Elo with this step and this gain; half the step gains 4 with a gain of 1, none with 2.
FIRST_STEP = 0.3  # of a number: how far the two players of the first round differ from it, but at least 1
STEP_FADES = 0.101  # the usual exponents of SPSA: of the steps,
GAIN_FADES = 0.602  # and of how far a result moves the numbers
GAIN = 0.75  # steps that a round of nothing but wins moves the numbers, at first
STABLE = 20.0  # rounds before the gain fades
TUNING_SHARE = 0.7  # of the time; the rest is for the test
TEST = Sprt(0.0, 10.0)
TRIAL_NODES = 30_000  # of a search that tells whether a number matters; its depth is that of every trial
TRIAL_NODES_PLAIN = 300
TRIAL_PLIES = (0, 8, 20)  # random moves before each of them
ABOUT, ROUNDS, PROOF, CANDIDATE = "tune.json", "rounds.jsonl", "proof-{}.match", "candidate.json"


class BadTuning(PlywiseError):
    """A folder that cannot be resumed, or options that do not fit it."""


@dataclass(frozen=True, slots=True)
class TuneResult:
    """How it ended: `file` has the margins, if they were accepted; else it is the candidate's."""

    game: str
    accepted: bool
    elo: float
    error: float | None
    games: int
    rounds: int
    seconds: float
    file: Path

    def as_dict(self) -> dict[str, Any]:
        """The data for `--json`."""
        error = None if self.error is None else round(self.error, 2)
        return {
            "game": self.game,
            "accepted": self.accepted,
            "elo": round(self.elo, 2),
            "error": error,
            "games": self.games,
            "rounds": self.rounds,
            "seconds": round(self.seconds, 3),
            "file": str(self.file),
        }


@dataclass(frozen=True, slots=True)
class Round:
    """A line of the folder: what is known after a round."""

    round: int
    games: int
    points: float
    seconds: float
    values: dict[str, float]


@dataclass
class Tuning:
    """One run of tuning in its folder. `game` is a name or a file, `base` the numbers that it begins with."""

    folder: Path
    game: str
    control: TimeControl
    seed: int = 0
    base: dict[str, int] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)  # the present numbers, with fractions
    names: tuple[str, ...] = tuple(MARGINS)  # of the numbers that are tuned
    rounds: int = 0
    games: int = 0
    before: float = 0.0  # seconds of the runs before

    @classmethod
    def open(cls, folder: Path, game: str, control: TimeControl, seed: int) -> "Tuning":
        """Begin in an empty folder, or go on in one that was begun for the same game."""
        chosen = load(game)
        if chosen.world is not None:
            raise BadTuning(f"{chosen.name} is played by agents, which have no margins to tune")
        own = {} if chosen.margins is None else read_margins(chosen.margins, chosen.name)
        base = {name: own.get(name, margin.default) for name, margin in MARGINS.items()}
        tuning = cls(folder, game, control, seed, base, {name: float(value) for name, value in base.items()})
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / ABOUT).exists():
                tuning._resume(chosen.name)
            elif any(folder.iterdir()):
                raise BadTuning(f"{folder} is no folder of `tune`: it has other files and no {ABOUT}")
            else:
                tuning.names = active_margins(chosen, base, seed)
                about = {**tuning._about(chosen.name), "names": tuning.names}
                (folder / ABOUT).write_text(json.dumps(about) + "\n", encoding="utf-8")
        except OSError as error:
            raise BadTuning(f"{folder}: {error.strerror}") from None
        return tuning

    def _about(self, name: str) -> dict[str, Any]:
        return {
            "game": name,
            "version": VERSION,
            "control": str(self.control),
            "seed": self.seed,
            "base": self.base,
        }

    def _resume(self, name: str) -> None:
        try:
            about = read_json((self.folder / ABOUT).read_text(encoding="utf-8"))
            own = {key: about[key] for key in self._about(name)}
            self.names = tuple(name for name in MARGINS if name in about["names"])
        except WRONG_CONTENTS:
            raise BadTuning(f"{self.folder / ABOUT} is damaged; give another folder") from None
        for key, wanted in self._about(name).items():
            if own[key] != wanted:
                was = "other numbers" if key == "base" else shorten(repr(own[key]), 60)
                raise BadTuning(f"{self.folder} was begun with {key} {was}; give another folder")
        file, whole = self.folder / ROUNDS, 0
        content = file.read_bytes() if file.exists() else b""
        for line in content.splitlines(keepends=True):
            try:
                done = from_json(Round, read_json(line.decode()))
                values = {name: _clip(margin, done.values[name]) for name, margin in MARGINS.items()}
            except WRONG_CONTENTS:
                break  # cut off in the middle of a line: that round is played again
            if not line.endswith(b"\n") or min(done.round, done.games, done.seconds) < 0:
                break
            self.values, self.rounds, self.games, self.before = values, done.round, done.games, done.seconds
            whole += len(line)
        if whole < len(content):
            os.truncate(file, whole)

    # --- SPSA -------------------------------------------------------------------------------------------
    def numbers(self) -> dict[str, int]:
        """The present margins, as whole numbers."""
        return {name: round(value) for name, value in self.values.items()}

    def players(self) -> tuple[dict[str, int], dict[str, int], dict[str, float]]:
        """The two players of the next round, and by how much they differ from the present numbers."""
        dice = random.Random(f"{self.seed}/{self.rounds}")
        fade = float((self.rounds + 1) ** STEP_FADES)
        up, down = self.numbers(), self.numbers()
        steps: dict[str, float] = {}
        for name in self.names:
            step = steps[name] = dice.choice((-1, 1)) * max(1.0, FIRST_STEP * self.values[name] / fade)
            for side, sign in ((up, 1), (down, -1)):
                side[name] = round(_clip(MARGINS[name], self.values[name] + sign * step))
        return up, down, steps

    def learn_from(self, score: float, steps: dict[str, float]) -> None:
        """Move the numbers by a result from -1, the lower player won everything, to 1."""
        gain = GAIN * float((STABLE / (STABLE + self.rounds)) ** GAIN_FADES)
        for name, step in steps.items():
            margin = MARGINS[name]
            self.values[name] = _clip(margin, self.values[name] + gain * score * step)

    def run(
        self,
        seconds: float,
        executor: Executor | None = None,
        *,
        progress: Callable[[str, float], None] = lambda text, seconds: None,
        stopped: Callable[[], bool] = lambda: False,
        out: Path | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> TuneResult:
        """Tune for most of the time and prove it in the rest; `out` is where accepted margins go."""
        lock = FileLock(self.folder / ABOUT)
        if not lock.acquire(timeout=0.0) and lock.path.exists():
            raise BadTuning(f"{self.folder} is in use by another process")
        executor = executor or InProcess()
        try:
            with executor.keep_ready():
                return self._run(seconds, executor, progress, stopped, out, now)
        finally:
            lock.release()

    def _run(
        self,
        seconds: float,
        executor: Executor,
        progress: Callable[[str, float], None],
        stopped: Callable[[], bool],
        out: Path | None,
        now: Callable[[], float],
    ) -> TuneResult:
        started = now()

        def spent() -> float:
            return self.before + now() - started

        while spent() < TUNING_SHARE * seconds and not stopped():
            progress(f"round {self.rounds + 1}, {self.games} games", spent())
            up, down, steps = self.players()
            match = self._match(up, down, pairs=PAIRS, seed=self.seed + self.rounds)
            match.run(executor, stopped=stopped)
            played = match.tally.games
            if stopped() or played == 0:
                break
            points = match.tally.meetings[0, 1].estimate.score
            self.learn_from(2 * points - 1, steps)
            self.rounds, self.games = self.rounds + 1, self.games + played
            self._keep_round(points, spent())
        return self._prove(seconds, spent, executor, progress, stopped, out)

    def _keep_round(self, points: float, seconds: float) -> None:
        line = Round(self.rounds, self.games, points, round(seconds, 3), self.values)
        with (self.folder / ROUNDS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(line)) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _match(self, first: dict[str, int], second: dict[str, int], **options: Any) -> Match:
        players = [
            f"plywise:margins={self._text(values)},name={i}" for i, values in enumerate((first, second), 1)
        ]
        return Match.of(self.game, players, control=self.control, **options)

    def _text(self, values: dict[str, int]) -> str:
        """Margins as the option of a player: those that differ from the game's."""
        own = [f"{name}:{value}" for name, value in values.items() if value != self.base[name]]
        return "+".join(own) or "default"

    # --- the proof --------------------------------------------------------------------------------------
    def _prove(
        self,
        seconds: float,
        spent: Callable[[], float],
        executor: Executor,
        progress: Callable[[str, float], None],
        stopped: Callable[[], bool],
        out: Path | None,
    ) -> TuneResult:
        """Test the tuned numbers against those of before; without a verdict in time they are no better."""
        name, tuned = load(self.game).name, check_margins(self.numbers())
        candidate = self.folder / CANDIDATE
        write_margins(candidate, name, tuned, f"tuned in {self.rounds} rounds, not accepted by a test")
        path = self.folder / PROOF.format(self.rounds)
        if Journal.is_begun(path):
            journal = Journal.resume(path)
            match = Match.resume(journal)
        else:
            match = self._match(tuned, self.base, sprt=TEST, seed=self.seed)
            journal = create_journal(match, path)
        try:
            match.run(
                executor,
                journal,
                watch=lambda pair: progress(f"test, {match.tally.games} games, LLR {match.llr:.2f}", spent()),
                stopped=lambda: stopped() or spent() >= seconds,
            )
        finally:
            journal.close()
        meeting = match.tally.meetings.get((0, 1))
        elo, error = (0.0, None) if meeting is None else (meeting.estimate.elo, meeting.estimate.error)
        accepted = match.verdict is Verdict.STRONGER
        file = candidate
        if accepted:
            file = out or self.folder / "margins.json"
            origin = f"tuned in {self.rounds} rounds at {self.control}, test {elo:+.0f} Elo"
            write_margins(file, name, tuned, f"{origin} in {match.tally.games} games")
        games = self.games + match.tally.games
        return TuneResult(name, accepted, elo, error, games, self.rounds, spent(), file)


def active_margins(game: Game, base: dict[str, int], seed: int) -> tuple[str, ...]:
    """The margins that change some search of this game: the others cannot be told by playing."""
    dice = random.Random(seed)
    histories = [_open_history(game, plies, dice) for plies in TRIAL_PLIES]
    engine = Engine(game, hash=1, margins=base)
    most = TRIAL_NODES if engine.specialisation.compiled else TRIAL_NODES_PLAIN
    depths = [max(2, engine.search(history, nodes=most).depth) for history in histories]

    def count_nodes(changes: dict[str, int]) -> list[int]:
        other = Engine(game, hash=1, margins={**base, **changes})
        return [
            other.search(history, depth=depth, nodes=2 * most).nodes
            for history, depth in zip(histories, depths, strict=True)
        ]

    usual = count_nodes({})
    return tuple(
        name
        for name, margin in MARGINS.items()
        if any(count_nodes({name: end}) != usual for end in (margin.low, margin.high))
    )


def _open_history(game: Game, plies: int, dice: random.Random) -> History:
    """A game of random moves, without the last one if that has ended it."""
    history = random_game(game, plies, dice)
    return history if history.outcome is None or history.before is None else history.before


def _clip(margin: Margin, value: float) -> float:
    return min(float(margin.high), max(float(margin.low), value))
