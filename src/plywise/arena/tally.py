"""The tally of a match: the counts that all statistics come from."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from plywise.arena.faults import FaultKind
from plywise.arena.rating import Rating, rate
from plywise.arena.schedule import PairResult
from plywise.arena.single_game import GameResult, SearchStats
from plywise.arena.statistics import Estimate, from_pairs


@dataclass(slots=True)
class Meeting:
    """The counts of two players, for the first: pairs by their points, and single games."""

    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def estimate(self) -> Estimate:
        """Elo of the first player against the second, from pairs."""
        return from_pairs(self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """The counts as data for JSON."""
        return {"wins": self.wins, "draws": self.draws, "losses": self.losses, "pairs": self.pairs}

    def add(self, finished: PairResult) -> None:
        self.pairs[round(2 * finished.points())] += 1
        for game in finished.games:
            points = game.points(finished.first)
            self.wins += points == 1
            self.draws += points == 0.5
            self.losses += points == 0


@dataclass(slots=True)
class PlayerTally:
    """The counts of one player over all its games, with its faults."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    work: SearchStats = field(default_factory=SearchStats)
    faults: Counter[str] = field(default_factory=Counter)
    last_fault: str = ""

    @property
    def losses(self) -> int:
        return self.games - self.wins - self.draws

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def as_dict(self) -> dict[str, Any]:
        """The counts of its games as data for JSON."""
        return {"games": self.games, "wins": self.wins, "draws": self.draws, "losses": self.losses}

    @property
    def speed(self) -> float | None:
        """Nodes a second; None if it reports no nodes."""
        return self.work.nodes / self.work.seconds if self.work.nodes and self.work.seconds else None

    @property
    def depth(self) -> float | None:
        """The mean depth of its searches; None if it reports no depth."""
        return self.work.depth / self.work.moves if self.work.depth and self.work.moves else None


@dataclass(slots=True)
class Tally:
    """The counts of a match."""

    players: int
    meetings: dict[tuple[int, int], Meeting] = field(default_factory=dict)
    player_tallies: list[PlayerTally] = field(default_factory=list)
    done: set[int] = field(default_factory=set)  # numbers of the finished pairs

    def __post_init__(self) -> None:
        self.player_tallies = self.player_tallies or [PlayerTally() for _ in range(self.players)]

    @property
    def games(self) -> int:
        return sum(meeting.games for meeting in self.meetings.values())

    def add(self, finished: PairResult) -> bool:
        """Count a pair; return False if it was counted already."""
        if finished.number in self.done:
            return False
        self.done.add(finished.number)
        self.meetings.setdefault((finished.first, finished.second), Meeting()).add(finished)
        for game in finished.games:
            self._count(game)
        return True

    def _count(self, game: GameResult) -> None:
        for side in (0, 1):
            player = self.player_tallies[game.sides[side]]
            player.games += 1
            player.wins += game.winner == side
            player.draws += game.winner is None
            player.work.add(game.work[side])
        for side, kind, reason in game.faults:
            player = self.player_tallies[game.sides[side]]
            player.faults[str(FaultKind(kind))] += 1
            player.last_fault = reason

    def ratings(self, anchor: int = 0, anchored_at: float = 0.0) -> list[Rating]:
        """The ratings of all players from all games."""
        results = {pair: (m.wins, m.draws, m.losses) for pair, m in self.meetings.items()}
        return rate(self.players, results, anchor, anchored_at)
