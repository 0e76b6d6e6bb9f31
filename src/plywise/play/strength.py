"""Playing below full strength: fewer positions looked at, and a choice among moves that are nearly best.

A weaker player sees less far, and now and then prefers the second-best; it never gives a won game
away on purpose. The scale is in Elo by name only: it orders the levels, no match has measured it.
"""

import random
from dataclasses import dataclass

from plywise.core.scores import is_sure
from plywise.search.result import Line

WEAKEST, STRONGEST = 800, 2800
SKILLS = 20  # Skill Level 20 is full strength
LINES = 4  # moves to choose from


@dataclass(frozen=True, slots=True)
class Strength:
    """So many nodes a move, and moves worse than the best by up to `margin` hundredths are played."""

    nodes: int
    margin: int

    @classmethod
    def of_elo(cls, elo: int) -> "Strength":
        """From 800 (a few dozen positions a move) to 2800; each 100 Elo look at a half more positions.

        >>> Strength.of_elo(800), Strength.of_elo(2800)
        (Strength(nodes=60, margin=160), Strength(nodes=199515, margin=0))
        """
        elo = min(max(elo, WEAKEST), STRONGEST)
        return cls(round(60 * 1.5 ** ((elo - WEAKEST) / 100)), (STRONGEST - elo) * 8 // 100)

    @classmethod
    def of_skill(cls, level: int) -> "Strength | None":
        """From 0, the weakest, to 20: no limit at all."""
        if level >= SKILLS:
            return None
        return cls.of_elo(WEAKEST + (STRONGEST - WEAKEST) * max(level, 0) // SKILLS)

    def choose(self, lines: tuple[Line, ...], unit: int, dice: random.Random) -> int:
        """The place of the line to play: near-best moves, the better the likelier."""
        best = lines[0].score
        if self.margin == 0 or is_sure(best):
            return 0
        allowed = [
            (place, 1.0 - (best - line.score) * 100 / unit / (self.margin + 1))
            for place, line in enumerate(lines)
            if not is_sure(line.score) and (best - line.score) * 100 <= self.margin * unit
        ]
        return dice.choices([place for place, _ in allowed], [weight for _, weight in allowed])[0]
