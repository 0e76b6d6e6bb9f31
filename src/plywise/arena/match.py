"""A match: players, openings, and a number of pairs or a sequential test."""

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from plywise.agents import agents_of
from plywise.arena import builtin, external, openings, player_spec, world_match
from plywise.arena.adjudication import AdjudicationRules
from plywise.arena.executors import Executor, InProcess
from plywise.arena.journal import BadJournal, Journal, checked_pairs
from plywise.arena.player_spec import PlayerSpec
from plywise.arena.schedule import Pair, PairResult, meetings, pairs
from plywise.arena.setup import Setup
from plywise.arena.sprt import Sprt, Verdict
from plywise.arena.tally import Tally
from plywise.arena.time_control import TimeControl
from plywise.core.broken_files import refuse_broken
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.json_data import from_json
from plywise.core.registry import load

PAIRS = 10  # of each meeting, by default
MAX_CHECKED = 1000  # openings that are checked before the first game


@dataclass
class Match:
    """What defines a match, and its tally so far. `pairs` is of each meeting; None: until the test ends."""

    setup: Setup
    openings: list[str]
    source: str | None = None
    plies: int | None = None
    pairs: int | None = PAIRS
    gauntlet: bool = False
    seed: int = 0
    sprt: Sprt | None = None
    tally: Tally = field(init=False)

    def __post_init__(self) -> None:
        self.tally = Tally(len(self.setup.players))

    @classmethod
    def of(
        cls,
        game: str,
        texts: Iterable[str],
        *,
        openings_from: str | None = None,
        plies: int | None = None,
        pairs: int | None = None,
        gauntlet: bool = False,
        seed: int = 0,
        sprt: Sprt | None = None,
        **setup: Any,
    ) -> "Match":
        """Make a match from texts and check it: errors are raised now, not during the games.

        `setup` has the fields of Setup: control, rules, margin, patience, opponents.
        """
        chosen = load(game)
        specs = tuple(spec.for_game(chosen) for spec in player_spec.read_players(texts))
        if len(specs) < 2:
            raise PlywiseError(f"a match wants two players or more, not {len(specs)}")
        if sprt is not None and len(specs) != 2:
            raise PlywiseError(f"a test is between two players, not {len(specs)}")
        if pairs is None and sprt is None:
            pairs = PAIRS
        checked = Setup(game, specs, **setup)
        agents = agents_of(chosen)
        if agents is not None:
            checked = replace(checked, control=TimeControl())  # agents have no clock
            world_match.check(chosen, agents, checked)
            found = world_match.read_maps(chosen, openings_from)
            openings_from = world_match.absolute_paths(openings_from)
        else:
            for spec in specs:
                if spec.kind == "plywise":
                    builtin.check(chosen, spec)
                else:
                    external.check(spec, checked)
            found = openings.read(chosen, openings_from, plies, seed)
            openings.check(chosen, found[:MAX_CHECKED], openings_from or "of the game")
            if openings_from is not None and Path(openings_from).is_file():
                openings_from = str(Path(openings_from).resolve())
        return cls(checked.pack(), found, openings_from, plies, pairs, gauntlet, seed, sprt)

    @property
    def game(self) -> Game:
        return load(self.setup.game)

    @property
    def names(self) -> list[str]:
        return [spec.name for spec in self.setup.players]

    @property
    def total(self) -> int | None:
        """The number of pairs in all meetings; None if only the test ends the match."""
        met = len(meetings(len(self.setup.players), self.gauntlet))
        return None if self.pairs is None else met * self.pairs

    @property
    def repeats(self) -> bool:
        """Whether games will repeat: more pairs than openings, and players without dice or clocks."""
        if self.pairs is not None and self.pairs <= len(self.openings):
            return False
        return self.game.world is None and all(
            builtin.is_deterministic(spec, self.setup.control) for spec in self.setup.players
        )

    # --- on disk ------------------------------------------------------------------------------------
    def header(self) -> dict[str, Any]:
        """The first line of the journal: enough to resume the match."""
        setup = self.setup
        return {
            "game": setup.game,
            "players": [asdict(spec) for spec in setup.players],
            "control": asdict(setup.control),
            "rules": asdict(setup.rules),
            "margin": setup.margin,
            "patience": setup.patience,
            "opponents": setup.opponents,
            "openings": self.source,
            "plies": self.plies,
            "drawn from": _digest(self.openings),
            "gauntlet": self.gauntlet,
            "seed": self.seed,
            "files": setup.digests,
            "sprt": None if self.sprt is None else asdict(self.sprt),
            "pairs": self.pairs,
        }

    @classmethod
    def resume(cls, journal: Journal, pairs: int | None = None) -> "Match":
        """The match of a journal, with its finished pairs; `pairs` may be more than before."""
        with refuse_broken(f"match {journal.path}", BadJournal):
            return cls._resume(journal, journal.header, pairs)

    @classmethod
    def _resume(cls, journal: Journal, head: dict[str, Any], pairs: int | None) -> "Match":
        try:
            specs = tuple(from_json(PlayerSpec, data) for data in head["players"])
            setup = Setup(
                head["game"],
                specs,
                from_json(TimeControl, head["control"]),
                from_json(AdjudicationRules, head["rules"]),
                head["margin"],
                head["patience"],
                head["opponents"],
            ).pack()
            game, agents = load(setup.game), agents_of(load(setup.game))
            if agents is not None:
                found = world_match.read_maps(game, head["openings"])
            else:
                found = openings.read(game, head["openings"], head["plies"], head["seed"])
            test = from_json(Sprt, head["sprt"]) if head["sprt"] else None
        except (KeyError, TypeError, ValueError) as error:
            raise BadJournal(f"{journal.path}: the first line lacks something ({error!r})") from None
        for path, digest in head["files"].items():
            if setup.digests.get(path) != digest:
                raise BadJournal(f"{journal.path}: {path} has changed since the match began")
        if _digest(found) != head["drawn from"]:
            raise BadJournal(f"{journal.path}: the openings have changed since the match began")
        match = cls(
            setup,
            found,
            head["openings"],
            head["plies"],
            head["pairs"] if pairs is None else pairs,
            head["gauntlet"],
            head["seed"],
            test,
        )
        written = list(journal)
        finished = list(checked_pairs(written, len(specs)))
        journal.damaged += len(written) - len(finished)
        for pair in finished:
            match.tally.add(pair)
        return match

    # --- playing --------------------------------------------------------------------------------------
    def remaining_pairs(self) -> Iterator[Pair]:
        """The pairs that are not finished yet."""
        every = pairs(len(self.setup.players), self.openings, self.pairs, self.seed, self.gauntlet)
        return (pair for pair in every if pair.number not in self.tally.done)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the test so far."""
        meeting = self.tally.meetings.get((0, 1))
        return self.sprt.llr(meeting.pairs) if self.sprt is not None and meeting is not None else 0.0

    @property
    def verdict(self) -> Verdict:
        """The verdict of the test so far."""
        return Verdict.OPEN if self.sprt is None else self.sprt.verdict(self.llr)

    def run(
        self,
        executor: Executor | None = None,
        journal: Journal | None = None,
        *,
        watch: Callable[[PairResult], None] = lambda finished: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Tally:
        """Play the remaining pairs. Each is in the journal before `watch` is called with it."""
        if self.verdict is not Verdict.OPEN:
            return self.tally
        todo = self.remaining_pairs()
        first = next(todo, None)
        if first is None:
            return self.tally
        running = (executor or InProcess()).run(self.setup, itertools.chain([first], todo), stopped)
        try:
            for finished in running:
                if journal is not None and finished.number not in self.tally.done:
                    journal.add(finished.as_dict())
                if self.tally.add(finished):
                    watch(finished)
                if self.verdict is not Verdict.OPEN or stopped():
                    break
        finally:
            getattr(running, "close", lambda: None)()
        return self.tally

    def report(self, anchor: str | None = None) -> str:
        """The results as text; `anchor` is NAME or NAME=ELO for the ratings of more than two players."""
        from plywise.arena import report

        return "\n".join(report.lines(self, report.parse_anchor(self, anchor)))

    def data(self, anchor: str | None = None) -> dict[str, Any]:
        """The results as data for JSON."""
        from plywise.arena import report

        return report.data(self, report.parse_anchor(self, anchor))


def _digest(texts: list[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def create_journal(match: Match, path: Path) -> Journal:
    """Create the journal of a match."""
    return Journal.create(path, match.header())
