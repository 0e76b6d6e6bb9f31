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
)

NOBODY, BLUE_WINS, RED_WINS = -1, 0, 1


@compiled
def hops(own: int, other: int, stunned: int, target: int) -> int:
    """The neighbours of the piece that has just moved to `target` that hop over it (RULES 3)."""
    both = own | other
    jumping = 0
    near = both & TURNING[target] & ~stunned  # 3.1 on the board, 3.3 not a stunned chariot
    while near != 0:
        square = first(near)
        near = rest(near)
        if both & BIT[2 * target - square] != 0:  # 3.1 the landing square is taken
            continue
        if other & BIT[square] != 0 and other & BEHIND[target * DELTAS + square - target + 9] != 0:
            continue  # 3.2 an enemy with a friend behind it stands firm
        jumping |= BIT[square]
    return jumping


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
    step = BIT[origin] | BIT[target]
    own ^= step
    if chariots & BIT[origin] != 0:
        chariots ^= step
    jumping = hops(own, other, stunned, target)
    while jumping != 0:
        square = first(jumping)
        jumping = rest(jumping)
        step = BIT[square] | BIT[2 * target - square]
        if own & BIT[square] != 0:
            own ^= step
        else:
            other ^= step
        if chariots & BIT[square] != 0:
            chariots ^= step
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
