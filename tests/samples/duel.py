"""A duel on a ring: two fencers a side act one after the other in a turn, and may repeat positions.

Each fencer stands on one of eight cells and has up to three lives; in a turn every living fencer acts
once, the lower first: it stays, steps, or strikes an enemy on its own or a neighbouring cell. Whoever
strikes a blow may also be wounded by it (on cell 0), so a side can win by the enemy's own action.
"""

from typing import Any, NamedTuple

from plywise import LOST, OPEN, WON, Draws, compiled, game

CELLS = 8


@compiled
def lives(health: int, unit: int) -> int:
    return health >> 4 * unit & 15


@compiled
def cell(places: int, unit: int) -> int:
    return places >> 4 * unit & 15


@compiled
def standing(health: int, side: int) -> int:
    return lives(health, 2 * side) + lives(health, 2 * side + 1)


@compiled
def next_unit(health: int, turn: int, after: int) -> int:
    """The living unit of the side that acts next in this turn, or -1."""
    for unit in range(after + 1, 2 * turn + 2):
        if unit >= 2 * turn and lives(health, unit):
            return unit
    return -1


@game("duel", most_moves=8, draws=Draws(repetition=3, plies=60), unit=1)
class Duel(NamedTuple):
    health: int = 0x2222
    places: int = 0x6420
    turn: int = 0
    unit: int = 0  # the unit to act

    def outcome(self) -> int:
        if standing(self.health, self.turn) == 0:
            return LOST
        return WON if standing(self.health, 1 - self.turn) == 0 else OPEN

    def moves(self, buffer: Any, n: int) -> int:
        """Strikes (16 + target), then stay and the two steps (0, 1, 2)."""
        here = cell(self.places, self.unit)
        for target in range(2 - 2 * self.turn, 4 - 2 * self.turn):
            gap = (cell(self.places, target) - here) % CELLS
            if lives(self.health, target) and (gap <= 1 or gap == CELLS - 1):
                buffer[n] = 16 + target
                n += 1
        for step in range(3):
            buffer[n] = step
            n += 1
        return n

    def play(self, move: int) -> "Duel":
        health, places, here = self.health, self.places, cell(self.places, self.unit)
        if move >= 16:
            health -= 1 << 4 * (move - 16)
            if here == 0:
                health -= 1 << 4 * self.unit
        else:
            to = (here + (0, 1, CELLS - 1)[move]) % CELLS
            places ^= (here ^ to) << 4 * self.unit
        unit = next_unit(health, self.turn, self.unit)
        over = standing(health, 0) == 0 or standing(health, 1) == 0
        if unit >= 0 and not over:
            return Duel(health, places, self.turn, unit)
        other = 1 - self.turn
        return Duel(health, places, other, max(2 * other, next_unit(health, other, 2 * other - 1)))

    def midway(self) -> bool:
        return self.unit != next_unit(self.health, self.turn, 2 * self.turn - 1)

    def resets(self, move: int) -> bool:
        return move >= 16

    def gain(self, move: int) -> int:
        return move if move >= 16 else 0

    def evaluate(self) -> int:
        """Lives, and a little for standing near the enemy."""
        mine, yours = standing(self.health, self.turn), standing(self.health, 1 - self.turn)
        near = cell(self.places, 2 * self.turn) ^ cell(self.places, 2 - 2 * self.turn)
        return 10 * (mine - yours) + (near & 3)

    def terms(self) -> dict[str, float]:
        lives = 10 * (standing(self.health, self.turn) - standing(self.health, 1 - self.turn))
        return {"lives": lives, "distance": self.evaluate() - lives}

    def text(self) -> str:
        return f"{self.health:04x}/{self.places:04x}/{self.turn}/{self.unit}"

    @classmethod
    def parse(cls, text: str) -> "Duel":
        health, places, turn, unit = text.split("/")
        return cls(int(health, 16), int(places, 16), int(turn), int(unit))
