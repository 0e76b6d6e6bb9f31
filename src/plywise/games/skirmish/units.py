"""The units of a skirmish: what a footman and an archer can do, and where they stand."""

from dataclasses import dataclass

FOOTMEN, ARCHERS = 0, 1
SIDES = ("footmen", "archers")

# The eight directions in the order in which paths are looked for; y grows south (RULES 1).
DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
CARDINAL = ("N", "E", "S", "W")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of unit (RULES 2)."""

    name: str
    letter: str
    health: int
    basic: int
    pierce: int
    armour: int
    reach: int

    def base(self, other: "Kind") -> int:
        """The strength of a hit on a unit of the other kind, before the dice (RULES 7)."""
        return max(self.basic - other.armour, 1) + self.pierce


FOOTMAN = Kind("footman", "F", health=160, basic=8, pierce=3, armour=2, reach=1)
ARCHER = Kind("archer", "A", health=50, basic=5, pierce=3, armour=0, reach=10)
KINDS = (FOOTMAN, ARCHER)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on its cell. Ids are whole numbers; the lower one acts first (RULES 4)."""

    id: int
    side: int
    x: int
    y: int
    health: int

    @property
    def kind(self) -> Kind:
        return KINDS[self.side]

    @property
    def name(self) -> str:
        return f"{self.kind.name} {self.id}"

    def distance(self, x: int, y: int) -> int:
        """Steps in eight directions over open ground (Chebyshev)."""
        return max(abs(self.x - x), abs(self.y - y))
