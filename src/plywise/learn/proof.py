"""The proof: matches between a net and what the game has now, kept in files like any other match."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plywise.arena.executors import Executor
from plywise.arena.journal import Journal
from plywise.arena.match import Match, create_journal
from plywise.arena.sprt import Sprt, Verdict
from plywise.arena.time_control import TimeControl
from plywise.core.game import LEARNED

OPENINGS = "random:6"  # plies; the pair plays both sides of each
SCREEN = Sprt(0, 20)  # fixed nodes: is the net worth a longer test?
# By processor time: this decides. A net that is no stronger passes one time in twenty, whatever the second
# number is; a larger one needs fewer games to see a large gain, and misses small ones. Before
# each test stands the length, in minutes, of the longest run that it is for.
PROOFS = ((20, Sprt(0, 50)), (120, Sprt(0, 20)), (math.inf, Sprt(0, 10)))
CPU = 0.05  # seconds of processor time a move in the proof
MAX_PAIRS = 5000
MOST_ELO = 9999  # what a match says in which one side won all games


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match between a net and its opponent went, for the net; `elo` is None without games."""

    verdict: str
    games: int
    wins: int
    draws: int
    losses: int
    elo: float | None
    error: float | None
    control: str
    opponent: str = ""  # in words

    def __str__(self) -> str:
        against = f" against {self.opponent}" if self.opponent and self.elo is not None else ""
        return f"{self.short}{against} ({self.control}): {self.verdict}"

    @property
    def short(self) -> str:
        """The games and the Elo alone."""
        if self.elo is None:
            return "no games"
        error = "" if self.error is None or not math.isfinite(self.error) else f" +-{self.error:.0f}"
        elo = f"{self.elo:+.0f}{error} Elo"
        if not math.isfinite(self.elo):
            elo = "all won" if self.elo > 0 else "all lost"
        return f"+{self.wins} ={self.draws} -{self.losses}, {elo}"


def proof_test(minutes: float) -> Sprt:
    """The test for a run of this length."""
    return next(test for most, test in PROOFS if minutes <= most)


def player_text(name: str, net: Path | None, evaluator: str = LEARNED) -> str:
    """A player of a match: a net (or weights of another evaluation) by its file, or the game's own."""
    if net is None:
        return f"plywise:evaluator=default,name={name}"
    return f'plywise:evaluator={evaluator},weights="{net}",name={name}'


def play_match(
    game: str,
    net: Path,
    opponent: Path | None,
    file: Path,
    sprt: Sprt,
    control: TimeControl,
    seed: int,
    executor: Executor,
    stopped: Callable[[], bool],
    watch: Callable[[Match], None] = lambda match: None,
    evaluator: str = LEARNED,
) -> MatchResult:
    """Play the match until its test ends or it is stopped; a match that was begun goes on."""
    if Journal.is_begun(file):
        journal = Journal.resume(file)
        match = Match.resume(journal)
    else:
        older = "own" if opponent is None else "older"
        texts = [player_text("new", net, evaluator), player_text(older, opponent)]
        match = Match.of(
            game, texts, openings_from=OPENINGS, pairs=MAX_PAIRS, sprt=sprt, seed=seed, control=control
        )
        journal = create_journal(match, file)
    try:
        match.run(executor, journal, watch=lambda finished: watch(match), stopped=stopped)
    finally:
        journal.close()
    return result_of(match)


def result_of(match: Match) -> MatchResult:
    """The result of a match for its first player."""
    meeting = match.tally.meetings.get((0, 1))
    control = str(match.setup.control)
    if meeting is None or meeting.games == 0:
        return MatchResult(str(Verdict.OPEN), 0, 0, 0, 0, None, None, control)
    estimate = meeting.estimate
    return MatchResult(
        str(match.verdict),
        meeting.games,
        meeting.wins,
        meeting.draws,
        meeting.losses,
        estimate.elo,
        estimate.error,
        control,
    )


def result_data(result: MatchResult | None) -> dict[str, Any] | None:
    """A result for a JSON file, in which no number is infinite."""
    if result is None:
        return None
    finite = {name: getattr(result, name) for name in MatchResult.__slots__}
    if result.elo is not None and not math.isfinite(result.elo):
        finite["elo"] = math.copysign(MOST_ELO, result.elo)
    if result.error is not None and not math.isfinite(result.error):
        finite["error"] = None
    return finite
