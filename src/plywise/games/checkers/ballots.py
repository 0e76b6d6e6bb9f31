"""The 174 ballots of the three-move restriction (RULES 7), by number and by name.

They are numbered by the order of the lines below: Black's first move, White's answer, and Black's
second moves. `m` marks those for play by mail only, `b` the barred ones. Numbers, classes and names
are those by which players know them.
"""

from dataclasses import dataclass

from plywise.core.errors import PlywiseError, UnknownName

_LIST = """
9-13 21-17  5-9 6-9 10-14b
9-13 22-17  13x22
9-13 22-18  6-9 10-14m 10-15 11-15 11-16m 12-16
9-13 23-18  5-9 6-9 10-14b 10-15 11-15 11-16m 12-16
9-13 23-19  5-9 6-9 10-14 10-15m 11-16
9-13 24-19  5-9 6-9 10-14 10-15b 11-15 11-16
9-13 24-20  5-9 6-9 10-14 10-15 11-15 11-16m 12-16b
9-14 22-17  5-9 6-9 11-15 11-16
9-14 22-18  5-9 10-15 11-15 11-16 12-16b 14-17b
9-14 23-18  14x23
9-14 23-19  5-9 10-15b 11-16 14-18
9-14 24-19  5-9 10-15b 11-15 11-16
9-14 24-20  5-9 10-15 11-15 11-16
10-14 22-17  7-10 9-13m 11-15m 11-16m 14-18
10-14 22-18  6-10 7-10 11-15 11-16 12-16
10-14 23-18  14x23
10-14 23-19  6-10 7-10 11-15 11-16 14-18
10-14 24-19  6-10 7-10 11-15b 11-16 14-18
10-14 24-20  6-10 7-10 11-15 11-16 14-18
10-15 21-17  6-10 7-10 9-13 9-14b 11-16 15-18
10-15 22-17  6-10 7-10 9-13 9-14b 11-16 15-19
10-15 22-18  15x22
10-15 23-18  6-10 7-10 9-14 11-16 12-16
10-15 23-19  6-10 7-10 11-16m
10-15 24-19  15x24
10-15 24-20  6-10 7-10 11-16b 15-19
11-15 21-17  8-11 9-13 9-14 10-14b 15-19
11-15 22-17  8-11 9-13 15-18 15-19
11-15 22-18  15x22
11-15 23-18  8-11 9-14 10-14 12-16 15-19
11-15 23-19  8-11 9-13 9-14
11-15 24-19  15x24
11-15 24-20  8-11 12-16 15-18
11-16 21-17  7-11 8-11 9-13 9-14 10-14b 16-20
11-16 22-17  7-11 8-11 9-13m 16-20
11-16 22-18  7-11 8-11 10-15b 16-19 16-20
11-16 23-18  7-11 8-11 9-14 10-14 16-20
11-16 23-19  16x23m
11-16 24-19  7-11 8-11 10-15b 16-20
11-16 24-20  7-11 16-19
12-16 21-17  9-13 9-14 16-19 16-20
12-16 22-17  16-19 16-20
12-16 22-18  16-19 16-20
12-16 23-18  9-14b 16-19 16-20
12-16 23-19  16x23b
12-16 24-19  16-20
12-16 24-20  8-12 10-15m
"""
_KINDS = {"": "cross-board", "m": "mail", "b": "barred"}
_NAMES = {
    5: "Dreaded Edinburgh",
    6: "Inferno",
    8: "Edinburgh Single",
    9: "Wilderness I",
    16: "Wilderness II",
    34: "Twilight Zone",
    35: "Dundee Barred",
    46: "Double Cross",
    48: "Rattlesnake",
    60: "Black Hole",
    62: "Gemini I",
    65: "Fraser's Inferno",
    68: "White Doctor",
    71: "Diabolical Denny",
    86: "Octopus",
    87: "Tyne",
    94: "Nutcracker",
    96: "Skull-Cracker",
    105: "Gemini II",
    133: "Octopus",
    137: "Shark",
    145: "Cheetah",
    153: "Black Widow",
    174: "Skunk",
}


@dataclass(frozen=True, slots=True)
class Ballot:
    """Three moves to open a game with; `kind` is cross-board, mail or barred."""

    number: int
    moves: tuple[str, str, str]
    kind: str
    name: str | None = None

    @property
    def text(self) -> str:
        """The opening as a position with its history: `start moves 9-13 21-17 5-9`."""
        return f"start moves {' '.join(self.moves)}"

    def __str__(self) -> str:
        return f"{self.number}. {' '.join(self.moves)}" + (f" ({self.name})" if self.name else "")


def _read() -> tuple[Ballot, ...]:
    result: list[Ballot] = []
    for line in _LIST.split("\n"):
        for third in line.split()[2:]:
            number, move = len(result) + 1, third.rstrip("mb")
            first, second = line.split()[:2]
            kind = _KINDS[third[len(move) :]]
            result.append(Ballot(number, (first, second, move), kind, _NAMES.get(number)))
    return tuple(result)


BALLOTS = _read()


def ballot(wanted: int | str) -> Ballot:
    """The ballot of that number, or of that name in any case.

    >>> print(ballot("skunk"))
    174. 12-16 24-20 10-15 (Skunk)
    """
    text = str(wanted).strip()
    if text.isdecimal():
        if not 1 <= int(text) <= len(BALLOTS):
            raise PlywiseError(f"there is no ballot {text}: they are numbered 1 to {len(BALLOTS)}")
        return BALLOTS[int(text) - 1]
    found = [one for one in BALLOTS if one.name and one.name.lower() == text.lower()]
    if len(found) > 1:
        numbers = " and ".join(str(one.number) for one in found)
        raise PlywiseError(f"{found[0].name} is the name of ballots {numbers}: say the number")
    if not found:
        raise UnknownName("ballot", text, {one.name for one in BALLOTS if one.name})
    return found[0]


def playable(kind: str = "cross-board") -> list[Ballot]:
    """The ballots of a kind, from which an opening is drawn by lot."""
    return [one for one in BALLOTS if one.kind == kind]
