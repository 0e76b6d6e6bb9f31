"""The ten levels of strength: from a beginner that a child beats to full strength.

A weaker level searches less deeply and chooses among the moves that look nearly best, better ones more
often. So it errs as people do, by what it overlooks, and never plays quite at random. It takes wins that
it sees, and from level 3 on no level allows a loss in one turn that can be avoided.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.scores import is_sure
from plywise.play.win_chance import logit
from plywise.search.limits import Limits
from plywise.search.result import Line

N = TypeVar("N", int, float)
WEAKEST, STRONGEST = 1, 10
DEFAULT_LEVEL = 5  # for a new player


@dataclass(frozen=True, slots=True)
class Level:
    """How a level plays; one that is not of the ten has the number 0.

    It searches within `depth`, `nodes` and `seconds`, and chooses among its `lines` best moves by their
    scores: `heat` and `margin` are on the scale of `win_chance.logit`, on
    which a pawn is 0.37. Heat 0 plays the best move.
    """

    number: int
    name: str
    about: str
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    lines: int = 1
    heat: float = 0.0
    margin: float = 0.0

    def with_limits(self, depth: int | None, nodes: int | None, seconds: float | None) -> "Level":
        """The same errors, within stricter limits; it is none of the ten any more."""
        return replace(
            self,
            number=0,
            depth=_stricter(self.depth, depth),
            nodes=_stricter(self.nodes, nodes),
            seconds=_stricter(self.seconds, seconds),
        )

    def within(self, limits: Limits) -> Limits:
        """The stricter of these limits and the level's own."""
        return replace(
            limits,
            depth=_stricter(self.depth, limits.depth),
            nodes=_stricter(self.nodes, limits.nodes),
            time=_stricter(self.seconds, limits.time),
        )

    def choose(self, lines: Sequence[Line], game: Game, dice: random.Random, unit: int) -> int:
        """The place of the line to play; `unit` is that of the evaluation that gave the scores."""
        lines = lines[: self.lines]
        best = lines[0].score
        if self.heat == 0 or len(lines) == 1 or is_sure(best):
            return 0
        # A search stopped within a depth keeps lines of the depth before. If one looks better, it is equal.
        drops = [max(0.0, logit(best - line.score, game, unit)) for line in lines]
        places = [
            place
            for place, line in enumerate(lines)
            if not is_sure(line.score) and drops[place] <= self.margin
        ]
        weights = [math.exp(-drops[place] / self.heat) for place in places]
        return dice.choices(places, weights)[0]


def _stricter(one: N | None, other: N | None) -> N | None:
    return other if one is None else one if other is None else min(one, other)


_DEFAULT_NAMES = (
    "Newcomer",
    "Beginner",
    "Learner",
    "Casual",
    "Keen",
    "Club player",
    "Strong",
    "Expert",
    "Master",
    "Full strength",
)
# Each row's figures are such that it beats the row above clearly; benchmarks/levels_ladder.py measures it.
_LEVELS: tuple[Level, ...] = (
    Level(1, "", "looks one turn ahead and often makes mistakes", depth=1, lines=10, heat=0.8, margin=2.2),
    Level(2, "", "looks one turn ahead, with some mistakes", depth=1, lines=8, heat=0.35, margin=1.2),
    Level(3, "", "looks two turns ahead", depth=2, lines=6, heat=0.25, margin=0.8),
    Level(4, "", "looks three turns ahead", depth=3, lines=5, heat=0.16, margin=0.5),
    Level(5, "", "looks four turns ahead, with small mistakes", depth=4, lines=4, heat=0.1, margin=0.35),
    Level(6, "", "looks five turns ahead", depth=5, lines=3, heat=0.06, margin=0.2),
    Level(7, "", "looks six turns ahead", depth=6, lines=2, heat=0.03, margin=0.1),
    Level(8, "", "looks at 100 thousand positions a move", nodes=100_000),
    Level(9, "", "looks at half a million positions a move", nodes=500_000),
    Level(10, "", "thinks for three seconds, or as the clock allows", seconds=3.0),
)


def levels(game: Game) -> tuple[Level, ...]:
    """The ten levels with the names that they have in this game."""
    names, heat = game.level_names or _DEFAULT_NAMES, game.level_heat
    return tuple(
        replace(row, name=name, heat=row.heat * heat, margin=row.margin * heat)
        for row, name in zip(_LEVELS, names, strict=True)
    )


def level(game: Game, number: int) -> Level:
    """The level of that number."""
    if not WEAKEST <= number <= STRONGEST:
        raise PlywiseError(f"levels go from {WEAKEST} to {STRONGEST}, not {number}")
    return levels(game)[number - 1]
