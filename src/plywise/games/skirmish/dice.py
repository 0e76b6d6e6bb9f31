"""The dice of the world: the numbers that Java's `java.util.Random` draws from a seed (RULES 7)."""

_MULTIPLIER = 0x5DEECE66D
_MASK = (1 << 48) - 1


class Dice:
    """Signed 32-bit draws, the same for the same seed everywhere; they go on from turn to turn.

    >>> dice = Dice(6)
    >>> dice.draw(), dice.draw()
    (-1156254074, 1587013752)
    """

    def __init__(self, seed: int = 6) -> None:
        self.state = (seed ^ _MULTIPLIER) & _MASK

    def draw(self) -> int:
        """The next number."""
        self.state = (self.state * _MULTIPLIER + 0xB) & _MASK
        value = self.state >> 16
        return value - (1 << 32) if value >> 31 else value

    def damage(self, base: int) -> int:
        """What a hit of strength `base` takes away: base less a remainder that may be negative."""
        draw, span = self.draw(), (base + 2) // 2
        rest = abs(draw) % span
        return base - (rest if draw >= 0 else -rest)
