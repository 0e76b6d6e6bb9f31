"""Strength without steps: the level of any Elo, between points that were measured in chess.

The lower part of the scale makes random errors, as levels do; the upper part only searches fewer nodes.
Other games use the same nodes; there the numbers are an order of strength, not Elo.
"""

from bisect import bisect_right
from dataclasses import dataclass

from plywise.core.game import Game
from plywise.play.levels import Level

MAX_SKILL = 20  # Skill Level 20 is full strength
MARGIN_IN_HEATS = 3.0  # a move that would be chosen less than once for twenty times the best is never chosen


@dataclass(frozen=True, slots=True)
class ScalePoint:
    """A point of the scale: the strength of a player with this number of nodes and this heat of errors."""

    elo: int
    nodes: int
    heat: float

    def level(self, game: Game) -> Level:
        """The level of such a player in a game."""
        about = f"looks at {self.nodes} positions a move" + (", and makes mistakes" if self.heat else "")
        heat = self.heat * game.level_heat
        return Level(
            0,
            f"Elo {self.elo}",
            about,
            nodes=self.nodes,
            lines=2 + round(10 * self.heat) if self.heat else 1,
            heat=heat,
            margin=MARGIN_IN_HEATS * heat,
        )


# Measured on 2026-11-16 by 720 games of neighbours, and put on the scale of CCRL by 234 games against
# hoichess, phalanx, gnuchess, toga2 and glaurung on fast clocks, whose ratings were lowered by 60 Elo for
# each halving of three seconds a move. Neighbours are right to about 40 Elo, the whole scale to about 100,
# its lowest third to about 200. benchmarks/strength_scale.md has the games and the calculation.
SCALE: tuple[ScalePoint, ...] = (
    ScalePoint(500, 500, 0.8),  # below some 500 nodes a search may end before it has seen every move once
    ScalePoint(640, 600, 0.5),
    ScalePoint(800, 700, 0.35),
    ScalePoint(980, 800, 0.25),
    ScalePoint(1110, 900, 0.18),
    ScalePoint(1250, 1000, 0.12),
    ScalePoint(1350, 1200, 0.08),
    ScalePoint(1420, 1300, 0.06),
    ScalePoint(1550, 1500, 0.04),
    ScalePoint(1670, 2000, 0.0),
    ScalePoint(1850, 5000, 0.0),
    ScalePoint(2110, 12_000, 0.0),
    ScalePoint(2350, 30_000, 0.0),
    ScalePoint(2550, 80_000, 0.0),
)
MIN_ELO, MAX_ELO = SCALE[0].elo, SCALE[-1].elo


def level_of_elo(game: Game, elo: int) -> Level:
    """The level of that Elo, or of the nearest that the scale has.

    >>> from plywise import load
    >>> level_of_elo(load("chess"), MAX_ELO).nodes
    80000
    """
    return _interpolate(min(max(elo, MIN_ELO), MAX_ELO)).level(game)


def measured_elo(game: Game, level: Level) -> int | None:
    """About how strong a level is, where that was measured: in chess, by nodes near a point of the scale.

    >>> from plywise import load
    >>> from plywise.play.levels import level
    >>> [measured_elo(load("chess"), level(load("chess"), number)) for number in (5, 8)]
    [None, 2550]
    """
    if game.name != "chess" or level.nodes is None or level.heat or level.depth is not None:
        return None
    near = [one for one in SCALE if not one.heat and abs(level.nodes - one.nodes) <= one.nodes / 4]
    return min(near, key=lambda one: abs(one.nodes - (level.nodes or 0))).elo if near else None


def level_of_skill(game: Game, skill: int) -> Level | None:
    """The level of a skill from 0, the weakest, in equal steps of Elo; None for 20, full strength."""
    if skill >= MAX_SKILL:
        return None
    return level_of_elo(game, MIN_ELO + (MAX_ELO - MIN_ELO) * max(skill, 0) // MAX_SKILL)


def _interpolate(elo: int) -> ScalePoint:
    """A point between two of the scale: geometric in nodes and heat, linear where heat ends at 0."""
    after = min(bisect_right([point.elo for point in SCALE], elo), len(SCALE) - 1)
    low, high = SCALE[after - 1], SCALE[after]
    share = (elo - low.elo) / (high.elo - low.elo)
    nodes = round(low.nodes * (high.nodes / low.nodes) ** share)
    if high.heat:
        return ScalePoint(elo, nodes, low.heat * (high.heat / low.heat) ** share)
    return ScalePoint(elo, nodes, low.heat * (1 - share))
