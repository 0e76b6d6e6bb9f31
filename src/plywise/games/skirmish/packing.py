"""How a model position is packed into words, and the small questions that rules ask of it.

A unit is 32 bits, two to a word: x and y in eight bits each, health in twelve. `living` tells who is
there. Trees are one bit a cell, row by row from the north-west corner.
"""

from typing import TYPE_CHECKING, Any

from plywise.core.bits import Table, popcount
from plywise.core.compiled import compiled
from plywise.games.skirmish.units import ARCHER, DIRECTIONS, FOOTMAN, STEPS

if TYPE_CHECKING:
    from plywise.games.skirmish.rules import Skirmish

MOST_UNITS = 16
MOST_ARCHERS = 12  # five bits of an order each in one word
TREE_WORDS = 16
MOST_CELLS = 64 * TREE_WORDS
MOST_HEALTH = 4095

EIGHT, HASTY, SCRIPT = 1, 2, 4  # the switches (RULES 15, 17, 18)

# Actions: wait, a step in one of eight directions, an attack on the unit of an index.
WAIT, STEP, ATTACK = 0, 1, 9
ACTION_BITS = 5
ACTION_MASK = (1 << ACTION_BITS) - 1

DX = Table(step[0] for step in STEPS)
DY = Table(step[1] for step in STEPS)
# The mean of the dice is the strength itself (RULES 7): 11 and 6 between footman and archer.
MEAN = Table([FOOTMAN.base(ARCHER), ARCHER.base(FOOTMAN)])
REACH = Table([FOOTMAN.reach, ARCHER.reach])
# Letters of each direction's English name: the tie order of paths (RULES 10).
LETTERS = Table((5 - (name in "EW")) if len(name) == 1 else 9 for name in DIRECTIONS)


@compiled
def width(position: "Skirmish") -> int:
    return position.shape & 255


@compiled
def height(position: "Skirmish") -> int:
    return position.shape >> 8 & 255


@compiled
def footmen(position: "Skirmish") -> int:
    """How many footmen the position began with; the units from there on are archers."""
    return position.shape >> 16 & 255


@compiled
def count(position: "Skirmish") -> int:
    """How many units the position began with."""
    return (position.shape >> 16 & 255) + (position.shape >> 24 & 255)


@compiled
def switches(position: "Skirmish") -> int:
    return position.shape >> 32


@compiled
def unit_word(p: Any, k: int) -> int:
    """Word k of the units. Asked by name: indexing a position makes code many times larger."""
    if k < 4:
        if k < 2:
            return p.u0 if k == 0 else p.u1
        return p.u2 if k == 2 else p.u3
    if k < 6:
        return p.u4 if k == 4 else p.u5
    return p.u6 if k == 6 else p.u7


@compiled
def tree_word(p: Any, k: int) -> int:
    """Word k of the trees."""
    if k < 8:
        if k < 4:
            if k < 2:
                return p.t0 if k == 0 else p.t1
            return p.t2 if k == 2 else p.t3
        if k < 6:
            return p.t4 if k == 4 else p.t5
        return p.t6 if k == 6 else p.t7
    if k < 12:
        if k < 10:
            return p.t8 if k == 8 else p.t9
        return p.t10 if k == 10 else p.t11
    if k < 14:
        return p.t12 if k == 12 else p.t13
    return p.t14 if k == 14 else p.t15


@compiled
def unit(position: "Skirmish", i: int) -> int:
    """The 32 bits of a unit."""
    return unit_word(position, i >> 1) >> 32 * (i & 1) & 0xFFFFFFFF


@compiled
def x_of(word: int) -> int:
    return word & 255


@compiled
def y_of(word: int) -> int:
    return word >> 8 & 255


@compiled
def health_of(word: int) -> int:
    return word >> 16


@compiled
def pack_unit(x: int, y: int, health: int) -> int:
    return x | y << 8 | health << 16


@compiled
def members(position: "Skirmish", side: int) -> int:
    """The bits of a side's units, living or not."""
    first = (1 << footmen(position)) - 1
    return first if side == 0 else ((1 << count(position)) - 1) ^ first


@compiled
def chebyshev(a: int, b: int) -> int:
    """Steps in eight directions between two units (Chebyshev)."""
    return max(abs(x_of(a) - x_of(b)), abs(y_of(a) - y_of(b)))


@compiled
def manhattan(a: int, b: int) -> int:
    """Steps in four directions between two units (Manhattan)."""
    return abs(x_of(a) - x_of(b)) + abs(y_of(a) - y_of(b))


@compiled
def is_blocked(position: "Skirmish", x: int, y: int) -> bool:
    """There is a tree on the cell, or it is off the map."""
    if x < 0 or y < 0 or x >= width(position) or y >= height(position):
        return True
    cell = y * width(position) + x
    return tree_word(position, cell >> 6) >> (cell & 63) & 1 != 0


@compiled
def is_occupied(position: "Skirmish", x: int, y: int) -> bool:
    """A unit stands on the cell."""
    place = x | y << 8
    for i in range(count(position)):
        if position.living >> i & 1 != 0 and unit(position, i) & 0xFFFF == place:
            return True
    return False


@compiled
def total_health(position: "Skirmish", side: int) -> int:
    """All health of a side."""
    result = 0
    for i in range(count(position)):
        if (i >= footmen(position)) == (side == 1) and position.living >> i & 1 != 0:
            result += health_of(unit(position, i))
    return result


@compiled
def living_count(position: "Skirmish", side: int) -> int:
    """How many units of a side are there."""
    return popcount(position.living & members(position, side))
