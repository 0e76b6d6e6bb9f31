"""Positions of checkers by chance: from play, and from pieces thrown on the board."""

import random
from collections.abc import Iterator


def thrown(seed: int, count: int, most: int = 12) -> Iterator[str]:
    """FENs of up to `most` pieces a side on random squares, half of them kings."""
    dice = random.Random(seed)
    for _ in range(count):
        squares = dice.sample(range(1, 33), 32)
        sides = []
        for colour, crown in (("W", range(1, 5)), ("B", range(29, 33))):
            mine = sorted(squares.pop() for _ in range(dice.randint(1, most)))
            kings = {square for square in mine if square in crown or dice.random() < 0.5}
            sides.append(colour + ",".join(("K" if s in kings else "") + str(s) for s in mine))
        yield ":".join([dice.choice("BW"), *sides])
