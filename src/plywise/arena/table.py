"""Where pairs are played: one table a thread, with our own players sitting at it from pair to pair."""

import random
import threading
from typing import Any

from plywise.arena import beside, openings, world
from plywise.arena.game import Played, Player, play
from plywise.arena.own import Own
from plywise.arena.players import Spec
from plywise.arena.schedule import Finished, Pair
from plywise.arena.setup import Setup
from plywise.core.history import History
from plywise.core.registry import load


class Table:
    """Plays the pairs of one match, one after the other."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup.unpacked()
        self.game = load(self.setup.game)
        self.world = beside.world(self.game)
        self.own: dict[Spec, Own] = {}

    def prepare(self) -> None:
        """Compile, so that no clock runs meanwhile."""
        if self.world is not None:
            return
        for spec in self.setup.players:
            if spec.kind == "plywise":
                self.seat(spec)

    def play(self, pair: Pair) -> Finished:
        """Both games of a pair."""
        if self.world is not None:
            games = world.play_pair(self.game, self.world, self.setup, pair)
            return Finished(pair.number, pair.first, pair.second, games)
        start = openings.history(self.game, pair.opening)
        seats = [self.seat(self.setup.players[player]) for player in (pair.first, pair.second)]
        try:
            first = self.one(seats, start, pair, 0)
            second = self.one(seats[::-1], start, pair, 1)
        finally:
            for seat in seats:
                seat.close()
        return Finished(pair.number, pair.first, pair.second, (first, second))

    def seat(self, spec: Spec) -> Any:
        """A player at the table. Outside engines come for one pair; ours stay."""
        if spec.kind != "plywise":
            from plywise.arena.outside import engine

            return engine(self.game, spec, self.setup)
        if spec not in self.own:
            self.own[spec] = Own(self.game, spec, self.setup.control)
            self.own[spec].prepare()
        return self.own[spec]

    def one(self, seats: list[Player], start: History, pair: Pair, number: int) -> Played:
        """One game of the pair: in the second one sides are swapped."""
        players = (pair.first, pair.second) if number == 0 else (pair.second, pair.first)
        # The dice belong to the player, whichever side it has.
        seeds = [random.Random(f"{pair.seed}/{number}/{player}").getrandbits(32) for player in players]
        return play(
            (seats[0], seats[1]),
            start,
            pair.opening,
            players,
            rules=self.setup.rules,
            margin=self.setup.margin,
            seeds=seeds,
        )


_tables = threading.local()


def play_pair(setup: Setup, pair: Pair) -> Finished:
    """Play a pair in whatever thread this is; the table stands ready for the next one."""
    kept: tuple[Setup, Table] | None = getattr(_tables, "kept", None)
    if kept is None or kept[0] != setup:
        kept = _tables.kept = (setup, Table(setup))
    return kept[1].play(pair)
