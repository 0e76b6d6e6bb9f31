"""The schedule: which players meet, from which opening, in pairs of games with swapped sides."""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plywise.arena.single_game import GameResult
from plywise.core.untrusted import MAX_NUMBER


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games between two players, by their numbers, from one opening: the task of a worker.

    The first player has side 0 in the first game. `seed` is for the random numbers of both games.
    """

    number: int
    first: int
    second: int
    opening: str
    seed: int


@dataclass(slots=True)
class PairResult:
    """A finished pair."""

    number: int
    first: int
    second: int
    games: tuple[GameResult, GameResult]

    def points(self) -> float:
        """The points of the first player, 0 to 2."""
        return sum(game.points(self.first) for game in self.games)

    def as_dict(self) -> dict[str, Any]:
        """The data for the journal."""
        games = [game.as_dict() for game in self.games]
        return {"pair": self.number, "first": self.first, "second": self.second, "games": games}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "PairResult":
        """Read the data of the journal; one of WRONG_CONTENTS if it is not what `as_dict` gives."""
        first, second = (GameResult.from_dict(game) for game in data["games"])
        pair = cls(data["pair"], data["first"], data["second"], (first, second))
        players = {pair.first, pair.second}
        if not all(type(one) is int and 0 <= one <= MAX_NUMBER for one in (pair.number, *players)):
            raise ValueError("a pair and its players are numbers")
        if len(players) < 2 or set(first.sides) != players or set(second.sides) != players:
            raise ValueError("the sides are not those of its players")
        return pair


def meetings(players: int, gauntlet: bool) -> list[tuple[int, int]]:
    """Everybody against everybody, or the first against all others.

    >>> meetings(3, False), meetings(3, True)
    ([(0, 1), (0, 2), (1, 2)], [(0, 1), (0, 2)])
    """
    every = list(itertools.combinations(range(players), 2))
    return [pair for pair in every if pair[0] == 0] if gauntlet else every


def pairs(
    players: int, openings: Sequence[str], rounds: int | None, seed: int, gauntlet: bool = False
) -> Iterator[Pair]:
    """All pairs of a match, round by round; without end if `rounds` is None.

    In a round all meetings have the same opening. Openings come in random order; when all have been
    played, in another random order.
    """
    met_players = meetings(players, gauntlet)
    number = 0
    for round_number in itertools.count() if rounds is None else range(rounds):
        lap, place = divmod(round_number, len(openings))
        if place == 0:
            order = list(range(len(openings)))
            random.Random(f"{seed}/{lap}").shuffle(order)
        for first, second in met_players:
            pair_seed = random.Random(f"{seed}:{number}").getrandbits(48)
            yield Pair(number, first, second, openings[order[place]], pair_seed)
            number += 1
