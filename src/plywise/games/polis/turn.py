"""One turn of Polis, resolved: the move, the hops, the stuns, the captures and the stuns again."""

from plywise.core.bits import first, rest
from plywise.core.compiled import compiled, inline
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
    rotate_board,
)

NOBODY, BLUE_WINS, RED_WINS = -1, 0, 1


@compiled
def staying_neighbours(other: int, stunned: int, target: int) -> tuple[int, int]:
    """Neighbours of a piece on `target` that will not hop over it, and where they would land.

    They are stunned (RULES 3.3), or enemies with a friend behind them (3.2).
    """
    staying = landing = 0
    near = (other | stunned) & TURNING[target]
    while near != 0:
        square = first(near)
        near = rest(near)
        if stunned & BIT[square] != 0 or other & BEHIND[target * DELTAS + square - target + 9] != 0:
            staying |= BIT[square]
            landing |= BIT[2 * target - square]
    return staying, landing


@inline
def hops(
    own: int, other: int, facing_own: int, facing_other: int, staying: int, spared: int, target: int
) -> tuple[int, int, int, int]:
    """Who hops over the piece that has just moved to `target`, and where to (RULES 3).

    Own pieces, their landing squares, the enemy's pieces and theirs. `facing` is what stands
    opposite each neighbouring square; `staying` and `spared` come from `staying_neighbours`.
    """
    free = TURNING[target] & ~(facing_own | facing_other | staying)  # 3.1 on the board, and empty
    landing = TURNING[target] & ~(own | other | spared)
    return own & free, facing_own & landing, other & free, facing_other & landing


@compiled
def is_held(square: int, foes: int) -> bool:
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


@inline
def held_pieces(own: int, other: int, stunned: int) -> int:
    """All pieces between two enemies that are not stunned."""
    return own & between(other & ~stunned) | other & between(own & ~stunned)


@compiled
def stuns(own: int, other: int, chariots: int, stunned: int) -> int:
    """The chariots that are stunned now (RULES 5).

    The lower square is looked at first and reads the other's flag as it stood before.
    """
    one, two = first(chariots), first(rest(chariots))
    foes = other if own & BIT[one] != 0 else own
    now = BIT[one] if is_held(one, foes & ~stunned) else 0
    foes = other if own & BIT[two] != 0 else own
    return now | BIT[two] if is_held(two, foes & ~now) else now


@inline
def resolve(
    own: int, other: int, chariots: int, stunned: int, origin: int, target: int
) -> tuple[int, int, int, int, int]:
    """The board after a move of `own`, and the pieces taken: own, other, chariots, stunned, taken."""
    staying, spared = staying_neighbours(other, stunned, target)
    facing_own, facing_other = opposite(rotate_board(own), target), opposite(rotate_board(other), target)
    return resolve_prepared(
        own, other, facing_own, facing_other, staying, spared, chariots, stunned, origin, target
    )


@inline
def resolve_prepared(
    own: int,
    other: int,
    facing_own: int,
    facing_other: int,
    staying: int,
    spared: int,
    chariots: int,
    stunned: int,
    origin: int,
    target: int,
) -> tuple[int, int, int, int, int]:
    """The same, knowing all about the target that does not depend on the origin: for many moves."""
    step = BIT[origin] | BIT[target]
    own ^= step
    if chariots & BIT[origin] != 0:
        chariots ^= step
    facing_own &= ~opposite(BIT[63 - origin], target)
    own_from, own_to, other_from, other_to = hops(
        own, other, facing_own, facing_other, staying, spared, target
    )
    own = own ^ own_from | own_to
    other = other ^ other_from | other_to
    carts = chariots & (own_from | other_from)
    while carts != 0:
        square = first(carts)
        carts = rest(carts)
        chariots ^= BIT[square] | BIT[2 * target - square]
    # Chariots that do not touch are stunned by dogs alone, whatever the flags: both are looked at together.
    touching = RING[first(chariots)] & chariots != 0
    held = held_pieces(own, other, stunned)
    flags = stuns(own, other, chariots, stunned) if touching else held & chariots
    if flags != stunned:
        held = held_pieces(own, other, flags)
    taken = held & ~chariots
    if taken != 0:
        own &= ~taken
        other &= ~taken
    elif not touching:
        return own, other, chariots, flags, 0  # nothing has changed since the stuns
    return own, other, chariots, stuns(own, other, chariots, flags), taken


@compiled
def winner(blue: int, red: int, chariots: int) -> int:
    """Whose chariot is home (RULES 8); of two, the one further to the left, blue's on one file."""
    up, down = blue & chariots & TOP, red & chariots & BOTTOM
    if up == 0:
        return NOBODY if down == 0 else RED_WINS
    if down == 0 or first(up) & 7 <= first(down):
        return BLUE_WINS
    return RED_WINS
