"""A run of learning: generations of self-play and fits, a screen after each, and the proof at the end.

Everything is in the run's folder. `run.json` says what was asked for and what is finished; it is written
whole after each step, so a run that was killed goes on from its last batch, fit or pair.
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from plywise import __version__
from plywise.arena.executors import Executor
from plywise.arena.match import Match
from plywise.arena.setup import Setup
from plywise.arena.sprt import Verdict
from plywise.arena.time_control import TimeControl
from plywise.core.broken_files import WRONG_CONTENTS
from plywise.core.cache_folder import write_whole
from plywise.core.errors import exception_text
from plywise.core.file_lock import FileLock
from plywise.core.game import LEARNED, Game
from plywise.core.mobility import MOBILITY, generic_default
from plywise.core.net_file import (
    PATTERNS,
    WEIGHTS_FORM,
    Shape,
    base_values,
    installed_path,
    read_net,
    write_net,
)
from plywise.core.registry import load
from plywise.core.untrusted import read_json, shorten
from plywise.learn import data, proof
from plywise.learn.batches import BatchTask, ClusterThreads, Threads
from plywise.learn.epochs import EPOCHS, fit_well
from plywise.learn.fit import Trainer
from plywise.learn.installed import install
from plywise.learn.linear import COUNT_SPEED, MIN_POSITIONS, LinearData, write_weights
from plywise.learn.pattern_fit import PatternTrainer
from plywise.learn.run_state import BadRun, Generation, RunIsBusy, RunProgress, RunState, Settings, read_state
from plywise.learn.selfplay import NOISE, player_without_net, row_layout
from plywise.learn.shapes import check_learnable, has_no_evaluation, shape_of
from plywise.learn.teacher import parse_teacher
from plywise.learn.windows import windows_of
from plywise.play.readiness import Readiness, short_readiness_text, watch_compiling

PLAY, FIT, SCREEN = 0.6, 0.1, 0.1  # of the time; the rest, and what is left over, is for the proof
KEPT_GENERATIONS = 3  # whose data is learned from: the first games show what later ones no longer do
MIN_SLICE = 0.3  # of its equal share of the time, which a generation has however late it is
MIN_GAMES = 40  # of a screen or proof: compiling may use up its time
SCREEN_FLOOR = -20.0  # Elo: a net that is weaker than that does not play the next generation
# How much the search's score counts beside the result: of games played with noise, of others where the game
# has no evaluation, of games played by the game's own evaluation, and by a net where there was one.
SHARE_NONE, SHARE_OWN, SHARE_FIRST, SHARE_LATER = 0.0, 0.2, 0.5, 0.7
FIT_SPEED = 400_000  # positions a second, to plan the number of epochs
PROOF_FILE = "proof.match"
LOCK_TIMEOUT = 0.2  # seconds: whoever asks whether a run is working holds its lock for a moment


Watch = Callable[[RunProgress], None]


class Run:
    """A run in its folder. `compiled=False` runs the same source in Python, for tests."""

    def __init__(self, folder: Path, settings: Settings, compiled: bool = True) -> None:
        self.folder, self.settings, self.compiled = folder, settings, compiled
        self.game: Game = load(settings.game)
        check_learnable(self.game)
        self.shape: Shape = shape_of(self.game, settings.hidden, form=settings.form)
        self.generations: list[Generation] = []
        self.proof: dict[str, Any] | None = None
        self.accepted: bool | None = None
        self.best: str | None = settings.from_net  # the net that plays
        self.spent = 0.0  # seconds of earlier sessions
        self._started = time.monotonic()
        self._extended = False  # by `extend`, since this process took the run up
        self._match_end = 0.0  # when the match that is being played will have enough games
        if settings.teacher is not None:
            parse_teacher(settings.teacher)
            if settings.form == WEIGHTS_FORM:
                raise BadRun("--teacher labels the positions of nets; it goes with --form replacing")
        if settings.from_net is not None:
            read_net(self.game, settings.from_net)

    # --- the folder -------------------------------------------------------------------------------
    @classmethod
    def create(cls, folder: Path, settings: Settings, compiled: bool = True) -> "Run":
        """A new run; the folder must not hold one."""
        if (folder / "run.json").exists():
            raise BadRun(f"{folder}: there is a run in it already; --resume {folder} goes on with it")
        run = cls(folder, settings, compiled)
        try:
            (folder / "data").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadRun(f"{folder}: {error.strerror}") from None
        run.save()
        return run

    @classmethod
    def resume(cls, folder: Path, compiled: bool = True) -> "Run":
        """The run of a folder."""
        try:
            page = read_json((folder / "run.json").read_text(encoding="utf-8"))
            version = page["settings"]["version"]
            if version == __version__:
                found = read_state(page)
        except OSError as error:
            raise BadRun(f"--resume {folder}: no run can be read there ({error.strerror})") from None
        except WRONG_CONTENTS as error:
            reason = shorten(exception_text(error))
            raise BadRun(f"--resume {folder}: run.json is damaged ({reason})") from None
        if version != __version__:
            raise BadRun(
                f"--resume {folder}: it was begun by Plywise {shorten(str(version), 40)}, not {__version__}"
            )
        run = cls(folder, found.settings, compiled)
        run.generations, run.spent, run.best = found.generations, found.spent, found.best
        run.proof, run.accepted = found.proof, found.accepted
        return run

    def extend(self, minutes: float) -> None:
        """Let a run that is not decided work this long from now on; a test without a verdict is reopened."""
        if self.accepted is not None and (self.proof is None or self.proof["verdict"] != Verdict.OPEN):
            raise BadRun(f"{self.folder}: this run is decided, more time changes nothing; begin a new one")
        self.settings.minutes, self.accepted, self._extended = self.seconds / 60 + minutes, None, True

    def save(self) -> None:
        """Write what is known, whole."""
        state = RunState(self.settings, self.generations, self.proof, self.accepted, self.best, self.seconds)
        try:
            write_whole(self.folder / "run.json", (json.dumps(asdict(state), indent=1) + "\n").encode())
        except OSError as error:
            raise BadRun(f"{self.folder}: {error.strerror}") from None

    def discard_empty(self) -> bool:
        """Delete the run if it has no games yet, so that its folder can be used again."""
        folder = self.folder / "data"
        if any(folder.glob("*.npy")):
            return False
        for name in ("run.json", "report.html"):
            (self.folder / name).unlink(missing_ok=True)
        for path in (folder, self.folder):
            with suppress(OSError):  # there are files of somebody else in it
                path.rmdir()
        return True

    @property
    def seconds(self) -> float:
        """How long the run has taken, all sessions together."""
        return self.spent + time.monotonic() - self._started

    @property
    def budget(self) -> float:
        return 60 * self.settings.minutes

    @property
    def planned_generations(self) -> int:
        """How many generations there will be; no more once the proof has begun, which is about one net."""
        if (self.folder / PROOF_FILE).exists():
            return len(self.generations)
        return max(self.settings.generations, len(self.generations))

    @property
    def seconds_left(self) -> float:
        """How long it will take from now on. No match ends before it has some games."""
        return max(0.0, self.budget - self.seconds, self._match_end - time.monotonic())

    @property
    def share(self) -> float:
        """How much of the run is done, from 0 to 1."""
        return self.seconds / max(self.seconds + self.seconds_left, 1e-9)

    @property
    def incumbent(self) -> Path | None:
        """The net that the user has now; None: the game's own evaluation."""
        path = installed_path(self.game)
        return path if path.is_file() and self.shape.form != WEIGHTS_FORM else None

    # --- the course -------------------------------------------------------------------------------
    def run(
        self,
        players: "Threads | ClusterThreads",
        executor: Callable[[], Executor],
        watch: Watch = lambda progress: None,
        say: Callable[[str], None] = lambda line: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Do all that is not done yet. Stopped, it can be resumed."""
        lock = FileLock(self.folder / "run.json")
        if not lock.acquire(LOCK_TIMEOUT) and lock.path.exists():
            raise RunIsBusy(f"{self.folder}: another process works on this run")
        try:
            for number in range(1, self.planned_generations + 1):
                if len(self.generations) < number:
                    self.generations.append(Generation(number))
                now = self.generations[number - 1]
                if not now.played:
                    self.play(now, players, watch, stopped)
                    if stopped():
                        return
                    say(f"generation {number}: {now.games:,} games, {now.positions:,} positions")
                if now.net is None:
                    self.fit(now, watch, stopped)
                    if stopped():
                        return
                    best = min(now.epochs, key=lambda epoch: epoch.held_out)
                    say(f"generation {number}: held-out loss {best.held_out:.4f} after epoch {best.number}")
                if now.screen is None:
                    result = self.screen(now, executor(), watch, stopped)
                    if stopped():
                        return
                    say(f"generation {number}: {result}")
            if self.accepted is None:
                self.prove(executor(), watch, say, stopped)
        finally:
            lock.release()

    def play(
        self, now: Generation, players: "Threads | ClusterThreads", watch: Watch, stopped: Callable[[], bool]
    ) -> None:
        """Play games until the time of this generation is used up."""
        folder, settings = self.folder / "data", self.settings
        now.player = self.best
        net = None if self.best is None else (self.folder / self.best).read_bytes()
        leaves = net is not None or player_without_net(self.game, now.number) != NOISE.name
        task = BatchTask(
            Setup(settings.game, ()).pack(),
            net,
            self.shape,
            settings.seed,
            now.number,
            settings.batch_games,
            settings.nodes,
            leaves,
            self.compiled,
            settings.teacher,
        )
        have = data.count_positions(folder, now.number)
        now.games, now.positions = settings.batch_games * len(have), sum(have.values())
        title = f"generation {now.number}: "
        watch(RunProgress(f"{title}getting ready", self.share))

        def tell(readiness: Readiness) -> None:
            watch(RunProgress(title + short_readiness_text(self.game.name, readiness), self.share))

        with watch_compiling(self.game, tell):
            task.prepare()
        end = PLAY * self.slice_of(now)
        start, before = time.monotonic(), now.play_seconds
        todo = (number for number in range(10**6) if number not in have)

        def is_over() -> bool:
            return stopped() or (before + time.monotonic() - start >= end and now.games > 0)

        for number, rows in players.run(task, todo, is_over):
            path = data.batch_path(folder, now.number, number)
            try:
                data.save_batch(path, rows)
            except OSError as error:
                raise BadRun(f"{path}: {error.strerror}") from None
            now.games += settings.batch_games
            now.positions += len(rows)
            now.play_seconds = before + time.monotonic() - start
            self.save()
            speed = now.positions / max(now.play_seconds, 1e-3)
            watch(
                RunProgress(
                    f"generation {now.number}: {speed:,.0f} positions/s, {now.games:,} games",
                    self.share,
                )
            )
        if not stopped():
            now.played = True
            self.save()

    def slice_of(self, now: Generation) -> float:
        """The seconds for a generation: of what is left, so that compiling takes nothing from the proof."""
        left = self.budget * (PLAY + FIT + SCREEN) - (self.seconds - now.play_seconds)
        share = left / (self.planned_generations - now.number + 1) / (PLAY + FIT + SCREEN)
        return max(share, MIN_SLICE * self.budget / self.planned_generations)

    def fit(self, now: Generation, watch: Watch, stopped: Callable[[], bool]) -> None:
        """Fit a net to the data of this generation and of those before it, KEPT_GENERATIONS in all."""
        dtype = np.dtype(list(row_layout(self.shape.boards).fields))
        kept = range(max(1, now.number - KEPT_GENERATIONS + 1), now.number + 1)
        parts = [data.load_batches(self.folder / "data", [number], dtype) for number in kept]
        for before, part in pairwise(parts):
            part["game"] += before["game"].max(initial=0) + 1
        rows = np.concatenate(parts)
        if not len(rows):
            raise BadRun(f"{self.folder}: no position was worth keeping; all games are decided at once")
        shares = [self.score_share(number) for number in kept]
        for part, share in zip(parts, shares, strict=True):
            if share > 0:  # what nobody learns from may be noise
                data.check_signs(part)
        if self.shape.form == WEIGHTS_FORM:
            self._fit_weights(now, rows, watch, stopped)
            return
        trainer: Trainer | PatternTrainer
        if self.shape.form == PATTERNS:
            trainer = PatternTrainer(self.shape, windows_of(self.game), self.compiled)
        else:
            trainer = Trainer(self.shape, self.compiled)
        slope = self._slope(rows)
        meanings = [data.chance_slope(part, slope) for part in parts]
        sizes = [len(part) for part in parts]
        training = data.make_training_set(
            rows, trainer, slope, np.repeat(shares, sizes), np.repeat(meanings, sizes)
        )
        allowed = FIT * self.budget * FIT_SPEED / max(1, len(training.positions))
        epochs = int(max(3, min(EPOCHS, allowed)))
        now.slope, now.epochs = slope, []
        seed = self.settings.seed * 1009 + now.number
        best: Any = trainer.start(seed)
        for epoch, net in fit_well(trainer, training.positions, training.held_out, seed, epochs):
            best = net
            now.epochs.append(epoch)
            self.save()
            watch(
                RunProgress(
                    f"generation {now.number}: epoch {epoch.number}, loss {epoch.loss:.4f},"
                    f" held out {epoch.held_out:.4f}",
                    self.share,
                )
            )
            if stopped():
                return
        name = f"g{now.number}.json"
        values = {**base_values(self.game, self.shape), **best.values(training.stages, round(1 / slope))}
        origin = {
            "made by": f"plywise learn {self.game.name}",
            "version": __version__,
            "generation": now.number,
            "games": sum(each.games for each in self.generations[kept[0] - 1 : kept[-1]]),
            "positions": len(rows),
            "seed": self.settings.seed,
            "score share": shares,
            "held-out loss": min((epoch.held_out for epoch in now.epochs), default=None),
        }
        write_net(self.folder / name, self.game, self.shape, values, origin)
        now.net = name
        self.save()

    def _fit_weights(self, now: Generation, rows: Any, watch: Watch, stopped: Callable[[], bool]) -> None:
        """Fit the weights of the game's own evaluation."""
        now.slope, now.epochs = self._slope(rows), []
        watch(RunProgress("counting the weights of each position", self.share))
        most = max(MIN_POSITIONS, int(FIT * self.budget * COUNT_SPEED))
        linear = LinearData(self.game, rows, now.slope, SHARE_FIRST, self.settings.seed, most)
        best = linear.start
        for epoch, weights in linear.fit(self.settings.seed):
            best = weights
            now.epochs.append(epoch)
            self.save()
            watch(RunProgress(f"epoch {epoch.number}, held out {epoch.held_out:.4f}", self.share))
            if stopped():
                return
        origin = {
            "made by": f"plywise learn {self.game.name} --form weights",
            "version": __version__,
            "games": now.games,
            "positions": len(linear.rows),
            "seed": self.settings.seed,
        }
        write_weights(self.folder / "weights.json", self.game, linear.values(best), origin)
        now.net = "weights.json"
        self.save()

    def _slope(self, rows: Any) -> float:
        """What a point of score means. All nets speak the unit of the first generation."""
        usual = self.game.slope / self.game.evaluation("default").unit
        first = self.generations[0]
        if first.slope is not None:
            return first.slope
        return usual if has_no_evaluation(self.game) else data.chance_slope(rows, usual)

    def score_share(self, generation: int) -> float:
        """How much the scores of a generation count: those of a game without an evaluation say nothing."""
        if self.settings.teacher is not None:
            return SHARE_LATER
        if self.generations[generation - 1].player is not None:
            return SHARE_OWN if has_no_evaluation(self.game) else SHARE_LATER
        if player_without_net(self.game, generation) == NOISE.name:
            return SHARE_NONE
        return SHARE_OWN if has_no_evaluation(self.game) else SHARE_FIRST

    def screen(
        self, now: Generation, executor: Executor, watch: Watch, stopped: Callable[[], bool]
    ) -> proof.MatchResult:
        """A short match by nodes against what played this generation: shall the net play the next one?"""
        assert now.net is not None
        opponent = None if self.best is None else self.folder / self.best
        limit = time.monotonic() + SCREEN * self.budget / self.planned_generations
        result = self._match(
            now.net,
            opponent,
            f"screen-g{now.number}.match",
            proof.SCREEN,
            TimeControl(nodes=self.settings.nodes),
            executor,
            watch,
            stopped,
            limit,
        )
        if not stopped():
            now.screen = proof.result_data(result)
            if result.elo is not None and result.elo > SCREEN_FLOOR:
                self.best = now.net
            self.save()
        return result

    def prove(
        self,
        executor: Executor,
        watch: Watch,
        say: Callable[[str], None],
        stopped: Callable[[], bool],
    ) -> None:
        """The test that decides: the best net against what the user has, by processor time."""
        if self.best is None or self.best == self.settings.from_net:
            self.accepted = False
            self.save()
            return
        least = 0.0 if self._extended else 0.15 * self.budget  # generations may have used up its time
        limit = time.monotonic() + max(self.budget - self.seconds, least)
        result = self._match(
            self.best,
            self.incumbent,
            PROOF_FILE,
            proof.proof_test(self.settings.minutes),
            TimeControl(cpu=proof.CPU),
            executor,
            watch,
            stopped,
            limit,
        )
        if stopped():
            return
        self.proof = proof.result_data(result)
        self.accepted = result.verdict == Verdict.STRONGER
        if self.accepted and self.shape.form != WEIGHTS_FORM:
            install(self.game, self.folder / self.best, str(result))
        self.save()
        say(f"proof: {result}")

    def _match(
        self,
        net: str,
        opponent: Path | None,
        file: str,
        sprt: Any,
        control: TimeControl,
        executor: Executor,
        watch: Watch,
        stopped: Callable[[], bool],
        limit: float,
    ) -> proof.MatchResult:
        """A match until its test ends, or until the time limit, but not before it has MIN_GAMES."""
        games, begin, before = 0, time.monotonic(), None
        words = self.opponent_words(opponent)

        def report(match: Match) -> None:
            nonlocal games, before
            games = match.tally.games
            before = games - 2 if before is None else before  # those of an earlier session cost nothing
            now = time.monotonic()
            self._match_end = now + (now - begin) / max(1, games - before) * (MIN_GAMES - games)
            result = proof.result_of(match)
            watch(RunProgress(f"{file.removesuffix('.match')}: {result.short} against {words}", self.share))

        result = proof.play_match(
            self.settings.game,
            self.folder / net,
            opponent,
            self.folder / file,
            sprt,
            control,
            self.settings.seed,
            executor,
            lambda: stopped() or (time.monotonic() > limit and games >= MIN_GAMES),
            report,
            "default" if self.shape.form == WEIGHTS_FORM else LEARNED,
        )
        self._match_end = 0.0
        return replace(result, opponent=words)

    def opponent_words(self, net: Path | None) -> str:
        """Whom a net has met, in words; None is the game's own evaluation."""
        if net is None:
            if self.game.has_evaluation:
                return "its own evaluation"
            return "mobility" if generic_default(self.game) == MOBILITY else "the outcome alone"
        if net == self.incumbent:
            return "the installed net"
        return f"generation {net.stem[1:]}" if net.parent == self.folder else "the net of --from"

    def data(self) -> dict[str, Any]:
        """The result of the run, for scripts."""
        decided = self.proof or next((g.screen for g in reversed(self.generations) if g.screen), None) or {}
        nets = [each.net for each in self.generations if each.net is not None]
        net = self.best or (nets[-1] if nets else None)
        candidate = None if net is None else str(self.folder / net)
        return {
            "game": self.game.name,
            "accepted": bool(self.accepted),
            "elo": decided.get("elo"),
            "error": decided.get("error"),
            "games": sum(each.games for each in self.generations),
            "positions": sum(each.positions for each in self.generations),
            "generations": sum(each.net is not None for each in self.generations),
            "seconds": round(self.seconds, 1),
            "file": str(installed_path(self.game))
            if self.accepted and self.shape.form != WEIGHTS_FORM
            else candidate,
        }
