"""Openings of checkers by name: those that players have named since the days of Sturges, and the ballots."""

import functools
from collections.abc import Iterator
from typing import Any

from plywise.core.opening import Opening, index_openings
from plywise.games.checkers.ballots import BALLOTS
from plywise.games.checkers.notation import read_move

LINES = """
9-13 | Edinburgh
9-14 | Double Corner
10-14 | Denny
10-15 | Kelso
10-15 23-18 | Kelso-Cross
11-15 21-17 | Switcher
11-15 22-17 8-11 17-13 15-18 | Maid of the Mill
11-15 22-17 8-11 17-13 4-8 25-22 | Douglas
11-15 22-17 9-13 17-14 | Boston
11-15 22-17 15-19 | Dyke
11-15 22-18 | Single Corner
11-15 23-18 | Cross
11-15 23-18 8-11 27-23 11-16 | Slip Cross
11-15 23-19 7-11 | Whilter
11-15 23-19 7-11 22-17 9-14 | Glasgow-Whilter
11-15 23-19 8-11 22-17 11-16 | Glasgow
11-15 23-19 8-11 22-17 15-18 | Centre
11-15 23-19 8-11 22-17 3-8 | Alma
11-15 23-19 8-11 22-17 4-8 | Old Fourteenth
11-15 23-19 8-11 22-17 9-13 | Laird and Lady
11-15 23-19 8-11 22-17 9-13 25-22 | Laird and Lady Refused
11-15 23-19 8-11 22-17 9-13 17-14 10x17 19x10 7x14 | Black Doctor
11-15 23-19 8-11 26-23 | Nailor
11-15 23-19 9-13 | Will o' the Wisp
11-15 23-19 9-14 22-17 5-9 | Fife
11-15 23-19 9-14 22-17 6-9 | Souter
11-15 23-19 9-14 27-23 | Defiance
11-15 24-19 | Second Double Corner
11-15 24-20 | Ayrshire Lassie
11-16 | Bristol
11-16 24-19 | Paisley
12-16 | Dundee
"""


def read_lines() -> Iterator[tuple[str, Opening]]:
    """The moves of each opening, and what it is called."""
    for ballot in BALLOTS:
        if ballot.name is not None:
            yield " ".join(ballot.moves), Opening(ballot.name)
    for line in LINES.strip().splitlines():
        moves, _, name = line.partition(" | ")
        yield moves, Opening(name)


@functools.cache
def openings_by_key() -> dict[int, Opening]:
    """What the position of a key is called; made when the first name is asked for."""
    from plywise.games.checkers.rules import Checkers  # it asks this module

    return index_openings(Checkers(), read_lines(), read_move)


def opening(position: Any) -> Opening | None:
    """The opening that leads to this position, whatever the order of its moves; None if none has a name."""
    return openings_by_key().get(position.key())
