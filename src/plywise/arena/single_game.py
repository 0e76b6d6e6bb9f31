"""Play one game between two players; it ends by the rules, by adjudication, or by a fault."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from plywise.arena.adjudication import AdjudicationRules, Adjudicator
from plywise.arena.builtin import Choice
from plywise.arena.faults import Fault, FaultKind
from plywise.arena.time_control import MARGIN, PlayerClock, TimeControl
from plywise.core.errors import BadMove
from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.untrusted import MAX_NUMBER, MAX_SECONDS
from plywise.core.wording import result_text
from plywise.play.clock import Clock


class MatchPlayer(Protocol):
    """A player of a match; it plays one game at a time. Each method may raise a Fault."""

    control: TimeControl

    def start_game(self, start: History, side: int, seed: int) -> None:
        """Start a new game on this side."""
        ...

    def choose(self, history: History, clock: Clock | None, other: Clock | None) -> Choice:
        """Choose a move; the clocks are its own and the opponent's."""
        ...

    def end_game(self, outcome: str) -> None:
        """The game is over; `outcome` is its result, like 1-0."""
        ...

    def close(self) -> None:
        """Release what it holds; a process ends with its children."""
        ...


@dataclass(slots=True)
class SearchStats:
    """The work of a player in a game: moves, seconds, nodes, and the sum of the depths reached."""

    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0
    depth: int = 0

    def add(self, other: "SearchStats") -> None:
        self.moves += other.moves
        self.seconds += other.seconds
        self.nodes += other.nodes
        self.depth += other.depth


@dataclass(slots=True)
class GameResult:
    """A finished game. `sides` has the numbers of the players of side 0 and side 1.

    `how` is `rules`, `called` (adjudicated), `resigned`, or the kind of fault that ended it; each of
    `faults` has side, kind and reason. `record` has what it takes to replay a game with dice, as saved
    games have it (`play.state.restore_game`); None where the moves are enough, and in journals of 0.1.0.
    """

    sides: tuple[int, int]
    start: str
    moves: list[str]
    winner: int | None
    reason: str
    how: str = "rules"
    faults: list[tuple[int, str, str]] = field(default_factory=list)
    work: tuple[SearchStats, SearchStats] = field(default_factory=lambda: (SearchStats(), SearchStats()))
    record: list[dict[str, Any]] | None = None

    def points(self, player: int) -> float:
        """The points of a player: 1, 1/2 or 0."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.sides[self.winner] == player else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The data for the journal."""
        work = [[w.moves, w.seconds, w.nodes, w.depth] for w in self.work]
        result: dict[str, Any] = {
            "sides": list(self.sides),
            "start": self.start,
            "moves": self.moves,
            "winner": self.winner,
            "reason": self.reason,
            "how": self.how,
            "work": work,
        }
        if self.faults:
            result["faults"] = [list(fault) for fault in self.faults]
        return result if self.record is None else {**result, "record": self.record}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "GameResult":
        """Read the data of the journal; one of WRONG_CONTENTS if it is not what `as_dict` gives."""
        first, second = (SearchStats(*work) for work in data["work"])
        for stats in (first, second):
            counts = (stats.moves, stats.nodes, stats.depth)
            if not all(type(n) is int and 0 <= n <= MAX_NUMBER for n in counts):
                raise ValueError("the counts of a player's work are whole numbers")
            if type(stats.seconds) not in (int, float) or not 0 <= stats.seconds <= MAX_SECONDS:
                raise ValueError("the time of a player's work is seconds")
        texts, winner = [data["start"], data["reason"], data["how"], *data["moves"]], data["winner"]
        if winner is True or winner not in (0, 1, None):
            raise ValueError("a winner is 0, 1 or null")
        if not isinstance(data["moves"], list) or not all(isinstance(text, str) for text in texts):
            raise ValueError("moves and reasons are texts")
        faults = [(side, str(FaultKind(kind)), reason) for side, kind, reason in data.get("faults", ())]
        if not all(type(side) is int and side in (0, 1) and type(text) is str for side, _, text in faults):
            raise ValueError("a fault has a side and a reason")
        return cls(
            (data["sides"][0], data["sides"][1]),
            data["start"],
            data["moves"],
            data["winner"],
            data["reason"],
            data["how"],
            faults,
            (first, second),
            data.get("record"),  # read when somebody wants to see the game
        )


def play_game(
    players: tuple[MatchPlayer, MatchPlayer],
    start: History,
    opening: str,
    sides: tuple[int, int],
    *,
    rules: AdjudicationRules | None = None,
    margin: float = MARGIN,
    seeds: Sequence[int] = (0, 0),
    now: Callable[[], float] = time.perf_counter,
) -> GameResult:
    """Play one game from a position; the players are those of side 0 and side 1."""
    rules = rules or AdjudicationRules()
    history, judge = start, Adjudicator(rules)
    timers = [PlayerClock(player.control, margin) for player in players]
    work = (SearchStats(), SearchStats())
    moves: list[str] = []
    faults: list[tuple[int, str, str]] = []
    for side in (0, 1):
        try:
            players[side].start_game(start, side, seeds[side])
        except Fault as fault:
            faults.append((side, str(fault.kind), fault.reason))
    outcome: Outcome | None = None
    how = "rules"
    while not faults:
        outcome = history.outcome
        if outcome is None:
            outcome = judge.outcome(history.length)
            how = "rules" if outcome is None else "called"
        if outcome is not None:
            break
        side = history.turn
        try:
            history = _move(players[side], history, timers, work[side], judge, moves, now)
        except Fault as fault:
            if fault.kind is FaultKind.RESIGNED:
                outcome, how = Outcome(1 - side, fault.reason), "resigned"
                break
            faults.append((side, str(fault.kind), fault.reason))
    if faults:
        how = faults[0][1]
        losers = {side for side, _, _ in faults}
        winner = None if len(losers) == 2 else 1 - losers.pop()
        outcome = Outcome(winner, "; ".join(reason for _, _, reason in faults))
    assert outcome is not None
    for stats in work:
        stats.seconds = round(stats.seconds, 4)  # the precision of the journal
    for player in players:
        try:
            player.end_game(result_text(outcome))
        except Fault:
            pass  # the game is over; the engine will be started again
    return GameResult(sides, opening, moves, outcome.winner, outcome.reason, how, faults, work)


def _move(
    player: MatchPlayer,
    history: History,
    timers: list[PlayerClock],
    work: SearchStats,
    judge: Adjudicator,
    moves: list[str],
    now: Callable[[], float],
) -> History:
    """Ask the player for a move; return the history after it."""
    side, game = history.turn, history.game
    timer = timers[side]
    started = now()
    choice = player.choose(history, timer.snapshot, timers[1 - side].snapshot)
    took = now() - started
    work.add(SearchStats(1, took, choice.nodes, choice.depth))
    limit = timer.time_limit
    if not timer.spend(took):
        raise Fault(FaultKind.TIME, f"{game.sides[side]} took {took:.2f} s and had {limit:.2f} s")
    try:
        after = history.play(choice.move)
    except BadMove as error:
        raise Fault(FaultKind.ILLEGAL, f"{game.sides[side]} plays an {error}") from None
    assert after.move is not None
    moves.append(game.move_text(history.position, after.move))
    judge.add_score(side, choice.score)
    return after
