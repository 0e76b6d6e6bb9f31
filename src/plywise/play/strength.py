"""Strength without steps: the level of any Elo, by points that were measured in chess.

The lower part of the scale errs by dice, as levels do; the upper part only sees less far. Other games
have the same scale in nodes, and there its numbers are an order and no Elo.
"""

from bisect import bisect_right
from dataclasses import dataclass

from plywise.core.game import Game
from plywise.play.levels import Level

SKILLS = 20  # Skill Level 20 is full strength
MARGIN = 3.0  # in heats: no move is chosen that would come less than once for twenty times of the best


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the scale: so many nodes a move, and errors of so much heat, play this strong."""

    elo: int
    nodes: int
    heat: float

    def level(self, game: Game) -> Level:
        """How such a player plays a game."""
        about = f"looks at {self.nodes} positions a move" + (", and errs" if self.heat else "")
        heat = self.heat * game.level_heat
        return Level(
            0,
            f"Elo {self.elo}",
            about,
            nodes=self.nodes,
            lines=2 + round(10 * self.heat) if self.heat else 1,
            heat=heat,
            margin=MARGIN * heat,
        )


# Measured on 2026-11-16 by 720 games of neighbours, and put on the scale of CCRL by 234 games against
# hoichess, phalanx, gnuchess, toga2 and glaurung on fast clocks, whose ratings were lowered by 60 Elo for
# each halving of three seconds a move. Neighbours are right to about 40 Elo, the whole scale to about 100,
# its lowest third to about 200. benchmarks/strength_scale.md has the games and the reckoning.
SCALE: tuple[Point, ...] = (
    Point(500, 500, 0.8),  # below some 500 nodes a search may end before it has seen every move once
    Point(640, 600, 0.5),
    Point(800, 700, 0.35),
    Point(980, 800, 0.25),
    Point(1110, 900, 0.18),
    Point(1250, 1000, 0.12),
    Point(1350, 1200, 0.08),
    Point(1420, 1300, 0.06),
    Point(1550, 1500, 0.04),
    Point(1670, 2000, 0.0),
    Point(1850, 5000, 0.0),
    Point(2110, 12_000, 0.0),
    Point(2350, 30_000, 0.0),
    Point(2550, 80_000, 0.0),
)
WEAKEST, STRONGEST = SCALE[0].elo, SCALE[-1].elo


def of_elo(game: Game, elo: int) -> Level:
    """The level of that Elo, or of the nearest that the scale has.

    >>> from plywise import load
    >>> of_elo(load("chess"), STRONGEST).nodes
    80000
    """
    return _at(min(max(elo, WEAKEST), STRONGEST)).level(game)


def of_skill(game: Game, skill: int) -> Level | None:
    """From 0, the weakest of the scale, in equal steps of Elo to 20: no limit at all, None."""
    if skill >= SKILLS:
        return None
    return of_elo(game, WEAKEST + (STRONGEST - WEAKEST) * max(skill, 0) // SKILLS)


def _at(elo: int) -> Point:
    """Between two points of the scale: nodes and heat change by factors, heat to nothing by differences."""
    after = min(bisect_right([point.elo for point in SCALE], elo), len(SCALE) - 1)
    low, high = SCALE[after - 1], SCALE[after]
    share = (elo - low.elo) / (high.elo - low.elo)
    nodes = round(low.nodes * (high.nodes / low.nodes) ** share)
    if high.heat:
        return Point(elo, nodes, low.heat * (high.heat / low.heat) ** share)
    return Point(elo, nodes, low.heat * (1 - share))
