"""What is a position of Polis worth?

`classic` is the first answer that was published for the game. The default adds what play has taught:
where dogs stand and whether they stand together, what lies ahead of each chariot, who is about to take
something, and who can move. Every term is a count times a weight, so that the weights can be
found from games (`plywise learn polis --form weights`).
"""

from pathlib import Path
from typing import Any

from plywise.core.bits import Table, first, left, popcount, swap
from plywise.core.compiled import compiled
from plywise.core.define import evaluation
from plywise.core.layout import Layout
from plywise.core.resources import Weights
from plywise.games.polis.rules import Polis
from plywise.games.polis.squares import FORTH, NEAR, RING, SHIFTS, around, between

CLASSIC = Layout(("piece", "i8"), ("advance", "i8"))


@evaluation(
    Polis,
    weights=Weights(CLASSIC, Path(__file__).with_name("classic.json")),
    terms={"piece": "pieces", "advance": "chariots' advance"},
    unit=10,
)
def classic(position: Polis, weights: Any) -> int:
    """Pieces, and the ranks that each chariot has come forward, squared; in tenths of a piece.

    Its knobs are options: the depth is a limit of the search, the two weights stand in classic.json
    (or a file given as `weights`), and captures come first unless `without=["capture_order"]`.
    """
    up = first(position.blue & position.chariots) >> 3
    down = 7 - (first(position.red & position.chariots) >> 3)
    score: int = weights.piece * (popcount(position.blue) - popcount(position.red))
    score += weights.advance * (up * up - down * down)
    return -score if position.turn != 0 else score


# --- the default ----------------------------------------------------------------------------------
LAYOUT = Layout(
    ("pack", "i8", (16,)),  # by the number of dogs
    ("dog_rank", "i8", (8,)),  # each dog, by its rank from home
    ("dog_file", "i8", (4,)),  # each dog, by its file: a or h, b or g, c or f, d or e
    ("chariot_rank", "i8", (8,)),
    ("chariot_file", "i8", (4,)),
    ("exits", "i8", (4,)),  # of the three squares ahead of the chariot, how many it can go to
    ("guards", "i8", (8,)),  # enemies in the triangle of squares ahead of the chariot, seven or more
    ("run", "i8", (16,)),  # no guards, by rank of the chariot: on the move, and not
    ("escort", "i8", (4,)),  # own dogs next to the chariot, three or more
    ("siege", "i8", (4,)),  # enemies next to the chariot, three or more
    ("cordon", "i8", (2,)),  # each own piece, each enemy within two squares of the chariot
    ("stunned", "i8"),
    ("together", "i8", (4,)),  # own pieces next to each other, on each axis
    ("barred", "i8"),  # empty squares between two enemy dogs
    ("mobility", "i8"),  # empty squares next to own pieces that are not barred
    ("tempo", "i8"),
)


def _triangle(square: int, deep: int) -> int:
    """The squares that a chariot going up the board can reach in `deep` steps, none of them sideways."""
    y, x = divmod(square, 8)
    ranks = range(y + 1, min(8, y + deep + 1))
    return sum(1 << 8 * j + i for j in ranks for i in range(8) if abs(i - x) <= j - y)


AHEAD = Table(_triangle(square, 1) for square in range(64))
TRIANGLE = Table(_triangle(square, 7) for square in range(64))
FILES = Table(0x0101010101010101 * (1 << x | 1 << 7 - x) for x in range(4))


@compiled
def worth(own: int, other: int, chariots: int, stunned: int, moving: int, weights: Any) -> int:
    """What a side that goes up the board has; `moving` is 0 for the side to move, else 1."""
    empty = ~(own | other)
    dogs = own & ~chariots
    square = first(own & chariots)
    danger = between(other & ~chariots)

    # 1. The dogs: how many, where they stand, and next to each other.
    score = weights.pack[popcount(dogs)] + weights.chariot_rank[square >> 3]
    for rank in range(8):
        score += weights.dog_rank[rank] * popcount(dogs & left(0xFF, 8 * rank))
    for file in range(4):
        score += weights.dog_file[file] * popcount(dogs & FILES[file])
    for axis in range(4):
        pairs = own & left(own & FORTH[axis], SHIFTS[axis])
        score += weights.together[axis] * popcount(pairs)

    # 2. The chariot: where it stands, who is in its way, and who is around it.
    score += weights.chariot_file[min(square & 7, 7 - (square & 7))]
    score += weights.exits[popcount(AHEAD[square] & empty & ~danger)]
    guards = popcount(TRIANGLE[square] & other)
    score += weights.guards[min(guards, 7)]
    if guards == 0:
        score += weights.run[2 * (square >> 3) + moving]
    score += weights.escort[min(popcount(RING[square] & own), 3)]
    score += weights.siege[min(popcount(RING[square] & other), 3)]
    score += weights.cordon[0] * popcount(NEAR[square] & own)
    score += weights.cordon[1] * popcount(NEAR[square] & other)
    if stunned & own != 0:
        score += weights.stunned

    # 3. Who can go where.
    reach = around(own & ~stunned) & empty & ~danger
    score += weights.mobility * popcount(reach) + weights.barred * popcount(danger & empty)
    return score


@evaluation(
    Polis,
    "default",
    weights=Weights(LAYOUT, Path(__file__).with_name("weights.json")),
    terms={
        "pack": "dogs",
        "dog_rank": "dogs' places",
        "dog_file": "dogs' places",
        "chariot_rank": "chariots' places",
        "chariot_file": "chariots' places",
        "exits": "chariots' way",
        "guards": "chariots' way",
        "run": "chariots' way",
        "escort": "chariots' company",
        "siege": "chariots' company",
        "cordon": "chariots' company",
        "stunned": "stunned",
        "together": "standing together",
        "barred": "mobility",
        "mobility": "mobility",
        "tempo": "tempo",
    },
)
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
    return score + weights.tempo
