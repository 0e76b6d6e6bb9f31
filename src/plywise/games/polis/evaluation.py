"""What is a position of Polis worth?

`classic` is the first answer that was published for the game. The default adds what play has taught:
where dogs stand and whether they stand together, what lies ahead of each chariot, who is about to take
something, and who can move. Every term is a count times a weight, so that the weights can be
found from games (benchmarks/polis_tune.py).
"""

from pathlib import Path
from typing import Any

from plywise.core.game import evaluation
from plywise.core.lent import Weights
from plywise.core.words import Layout, Table, compiled, first, left, popcount, rest, swap
from plywise.games.polis.rules import Polis
from plywise.games.polis.squares import FORTH, RING, SHIFTS, around, between, lively

CLASSIC = Layout(("piece", "i8"), ("advance", "i8"))


@evaluation(Polis, weights=Weights(CLASSIC, Path(__file__).with_name("classic.json")))
def classic(position: Polis, weights: Any) -> int:
    """Pieces, and the ranks that each chariot has come forward, squared; in tenths of a piece."""
    up = first(position.blue & position.chariots) >> 3
    down = 7 - (first(position.red & position.chariots) >> 3)
    score: int = weights.piece * (popcount(position.blue) - popcount(position.red))
    score += weights.advance * (up * up - down * down)
    return -score if position.turn != 0 else score


# --- the default ----------------------------------------------------------------------------------
LAYOUT = Layout(
    ("dog", "i8", (32,)),  # by its rank from home, 1 to 8, and its file: a or h, b or g, c or f, d or e
    ("chariot", "i8", (32,)),  # likewise
    ("exits", "i8", (4,)),  # of the three squares ahead of the chariot, how many it can go to
    ("guards", "i8", (8,)),  # enemies in the triangle ahead of the chariot
    ("escort", "i8", (4,)),  # own dogs next to the chariot, three or more
    ("siege", "i8", (4,)),  # enemies next to the chariot, three or more
    ("stunned", "i8"),
    ("run", "i8", (16,)),  # no guards, by rank of the chariot: on the move, and not
    ("together", "i8", (4,)),  # own pieces next to each other, on each axis
    ("barred", "i8"),  # empty squares between two enemy dogs
    ("mobility", "i8"),  # squares that own pieces can enter
    ("threats", "i8", (2,)),  # squares where something can be taken: on the move, and not
    ("tempo", "i8"),
)


def _triangle(square: int, deep: int) -> int:
    """The squares that a chariot going up the board can reach in so many steps, and none sideways."""
    y, x = divmod(square, 8)
    ranks = range(y + 1, min(8, y + deep + 1))
    return sum(1 << 8 * j + i for j in ranks for i in range(8) if abs(i - x) <= j - y)


AHEAD = Table(_triangle(square, 1) for square in range(64))
TRIANGLE = Table(_triangle(square, 7) for square in range(64))
# A square's place in the tables: its rank, and how far its file is from the edge.
PLACE = Table(4 * (square >> 3) + min(square & 7, 7 - (square & 7)) for square in range(64))


@compiled
def worth(own: int, other: int, chariots: int, stunned: int, moving: int, weights: Any) -> int:
    """What a side that goes up the board has; `moving` is 0 for the side to move, else 1."""
    empty = ~(own | other)
    dogs, foes = own & ~chariots, other & ~chariots
    square = first(own & chariots)
    danger = between(foes)

    # 1. Pieces where they stand, and next to each other.
    score = weights.chariot[PLACE[square]] + weights.exits[popcount(AHEAD[square] & empty & ~danger)]
    while dogs != 0:
        score += weights.dog[PLACE[first(dogs)]]
        dogs = rest(dogs)
    for axis in range(4):
        pairs = own & left(own & FORTH[axis], SHIFTS[axis])
        score += weights.together[axis] * popcount(pairs)

    # 2. The chariot: who is in its way, and who is around it.
    guards = popcount(TRIANGLE[square] & other)
    score += weights.guards[min(guards, 7)]
    if guards == 0:
        score += weights.run[2 * (square >> 3) + moving]
    score += weights.escort[min(popcount(RING[square] & own), 3)]
    score += weights.siege[min(popcount(RING[square] & other), 3)]
    if stunned & own != 0:
        score += weights.stunned

    # 3. Who can go where, and take what.
    reach = around(own & ~stunned) & empty
    score += weights.mobility * popcount(reach & ~danger) + weights.barred * popcount(danger & empty)
    threats = lively(own & ~stunned, other | stunned, foes) & reach
    score += weights.threats[moving] * popcount(threats)
    return score  # type: ignore[no-any-return]


@evaluation(Polis, "default", weights=Weights(LAYOUT, Path(__file__).with_name("weights.json")))
def default(position: Polis, weights: Any) -> int:
    """What both sides have, each seen going up the board; in hundredths of a dog."""
    turn = position.turn
    blue = worth(position.blue, position.red, position.chariots, position.stunned, turn, weights)
    red = worth(
        swap(position.red),
        swap(position.blue),
        swap(position.chariots),
        swap(position.stunned),
        1 - turn,
        weights,
    )
    score = red - blue if turn != 0 else blue - red
    return score + weights.tempo  # type: ignore[no-any-return]
