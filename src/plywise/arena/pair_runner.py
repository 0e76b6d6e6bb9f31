"""Play pairs: one runner a thread; it keeps its builtin players from pair to pair."""

import random
import threading

from plywise.agents import agents_of
from plywise.arena import openings, world_match
from plywise.arena.builtin import BuiltinPlayer
from plywise.arena.player_spec import PlayerSpec
from plywise.arena.schedule import Pair, PairResult
from plywise.arena.setup import Setup
from plywise.arena.single_game import GameResult, MatchPlayer, play_game
from plywise.core.history import History
from plywise.core.registry import load


class PairRunner:
    """Plays the pairs of one match, one after the other."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup.unpack()
        self.game = load(self.setup.game)
        self.agents = agents_of(self.game)
        self.builtin_players: dict[PlayerSpec, BuiltinPlayer] = {}

    def prepare(self) -> None:
        """Compile now, so that no clock runs during it."""
        if self.agents is not None:
            return
        for spec in self.setup.players:
            if spec.kind == "plywise":
                self.player_for(spec)

    def play(self, pair: Pair) -> PairResult:
        """Play both games of a pair."""
        if self.agents is not None:
            games = world_match.play_pair(self.game, self.agents, self.setup, pair)
            return PairResult(pair.number, pair.first, pair.second, games)
        start = openings.history(self.game, pair.opening)
        seats = [self.player_for(self.setup.players[player]) for player in (pair.first, pair.second)]
        try:
            first = self.play_one(seats, start, pair, 0)
            second = self.play_one(seats[::-1], start, pair, 1)
        finally:
            for seat in seats:
                seat.close()
        return PairResult(pair.number, pair.first, pair.second, (first, second))

    def player_for(self, spec: PlayerSpec) -> MatchPlayer:
        """The player of a spec. External engines are started for each pair; builtin players are kept."""
        if spec.kind != "plywise":
            from plywise.arena.external import make_engine

            return make_engine(self.game, spec, self.setup)
        if spec not in self.builtin_players:
            self.builtin_players[spec] = BuiltinPlayer(self.game, spec, self.setup.control)
            self.builtin_players[spec].prepare()
        return self.builtin_players[spec]

    def play_one(self, seats: list[MatchPlayer], start: History, pair: Pair, number: int) -> GameResult:
        """Play one game of the pair; in the second one sides are swapped."""
        players = (pair.first, pair.second) if number == 0 else (pair.second, pair.first)
        # A seed belongs to a player, whichever side it has.
        seeds = [random.Random(f"{pair.seed}/{number}/{player}").getrandbits(32) for player in players]
        return play_game(
            (seats[0], seats[1]),
            start,
            pair.opening,
            players,
            rules=self.setup.rules,
            margin=self.setup.margin,
            seeds=seeds,
        )


_runners = threading.local()


def play_pair(setup: Setup, pair: Pair) -> PairResult:
    """Play a pair; the runner is kept for the next pair of this thread."""
    current: tuple[Setup, PairRunner] | None = getattr(_runners, "current", None)
    if current is None or current[0] != setup:
        current = _runners.current = (setup, PairRunner(setup))
    return current[1].play(pair)
