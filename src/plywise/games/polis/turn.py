"""One turn of Polis, resolved: the move, the hops, the stuns, the captures and the stuns again."""

from plywise.core.words import compiled, first, rest
from plywise.games.polis.squares import (
    BEHIND,
    BIT,
    BOTTOM,
    DELTAS,
    PAIRS,
    RING,
    TOP,
    TURNING,
    between,
    opposite,
    turned,
)

NOBODY, BLUE_WINS, RED_WINS = -1, 0, 1


@compiled
def hops(
    own: int, other: int, turned_own: int, turned_other: int, stunned: int, target: int
) -> tuple[int, int, int, int]:
    """Who hops over the piece that has just moved to `target`, and where to (RULES 3).

    Own pieces, their landing squares, the enemy's pieces and theirs. The boards are also given
    turned by half a turn: shifted, they show on each neighbouring square what stands opposite.
    """
    facing_own, facing_other = opposite(turned_own, target), opposite(turned_other, target)
    around = TURNING[target] & ~stunned  # 3.1 on the board, 3.3 not a stunned chariot
    free = around & ~(facing_own | facing_other)  # 3.1 the landing square is empty
    own_from, other_from = own & free, other & free
    landing = TURNING[target] & ~(own | other)
    own_to, other_to = facing_own & landing, facing_other & landing
    firm = other_from
    while firm != 0:
        square = first(firm)
        firm = rest(firm)
        if other & BEHIND[target * DELTAS + square - target + 9] != 0:
            other_from ^= BIT[square]  # 3.2 an enemy with a friend behind it stands firm
            other_to ^= BIT[2 * target - square]
    firm = stunned & TURNING[target]
    while firm != 0:
        square = first(firm)
        firm = rest(firm)
        own_to &= ~BIT[2 * target - square]
        other_to &= ~BIT[2 * target - square]
    return own_from, own_to, other_from, other_to


@compiled
def held(square: int, foes: int) -> bool:
    """These foes stand on both sides of the square, on one of the four axes."""
    if rest(foes & RING[square]) == 0:
        return False
    i = 4 * square
    return (
        foes & PAIRS[i] == PAIRS[i]
        or foes & PAIRS[i + 1] == PAIRS[i + 1]
        or foes & PAIRS[i + 2] == PAIRS[i + 2]
        or foes & PAIRS[i + 3] == PAIRS[i + 3]
    )


@compiled
def stuns(own: int, other: int, chariots: int, stunned: int) -> int:
    """The chariots that are stunned now (RULES 5).

    The lower square is looked at first and reads the other's flag as it stood before.
    """
    one, two = first(chariots), first(rest(chariots))
    foes = other if own & BIT[one] != 0 else own
    now = BIT[one] if held(one, foes & ~stunned) else 0
    foes = other if own & BIT[two] != 0 else own
    return now | BIT[two] if held(two, foes & ~now) else now


@compiled
def resolve(
    own: int, other: int, chariots: int, stunned: int, origin: int, target: int
) -> tuple[int, int, int, int, int]:
    """The board after a move of `own`, and the pieces taken: own, other, chariots, stunned, taken."""
    return settle(own, other, turned(own), turned(other), chariots, stunned, origin, target)


@compiled
def settle(
    own: int,
    other: int,
    turned_own: int,
    turned_other: int,
    chariots: int,
    stunned: int,
    origin: int,
    target: int,
) -> tuple[int, int, int, int, int]:
    """The same, with the boards turned beforehand: for many moves of one position."""
    step = BIT[origin] | BIT[target]
    own ^= step
    if chariots & BIT[origin] != 0:
        chariots ^= step
    turned_own ^= BIT[63 - origin]
    own_from, own_to, other_from, other_to = hops(own, other, turned_own, turned_other, stunned, target)
    own = own ^ own_from | own_to
    other = other ^ other_from | other_to
    carts = chariots & (own_from | other_from)
    while carts != 0:
        square = first(carts)
        carts = rest(carts)
        chariots ^= BIT[square] | BIT[2 * target - square]
    stunned = stuns(own, other, chariots, stunned)
    taken = (own & between(other & ~stunned) | other & between(own & ~stunned)) & ~chariots
    if taken != 0:
        own &= ~taken
        other &= ~taken
    elif RING[first(chariots)] & chariots == 0:
        return own, other, chariots, stunned, 0  # nothing has changed since the stuns
    return own, other, chariots, stuns(own, other, chariots, stunned), taken


@compiled
def winner(blue: int, red: int, chariots: int) -> int:
    """Whose chariot is home (RULES 8); of two, the one further to the left, blue's on one file."""
    up, down = blue & chariots & TOP, red & chariots & BOTTOM
    if up == 0:
        return NOBODY if down == 0 else RED_WINS
    if down == 0 or first(up) & 7 <= first(down):
        return BLUE_WINS
    return RED_WINS
