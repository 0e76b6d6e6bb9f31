"""The 960 starting positions of Chess960 by their usual numbers (RULES 9)."""

from itertools import combinations

_KNIGHTS = tuple(combinations(range(5), 2))  # their places among the five files that are left


def chess960_start(number: int) -> str:
    """The FEN of a starting position, 0 to 959; 518 is the usual one.

    >>> chess960_start(518)
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    """
    if not 0 <= number < 960:
        raise ValueError(f"Chess960 positions are numbered 0 to 959, not {number}")
    rank = [""] * 8
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank[2 * light + 1] = rank[2 * dark] = "B"
    rank[[file for file in range(8) if not rank[file]][queen]] = "Q"
    free = [file for file in range(8) if not rank[file]]
    for place in _KNIGHTS[knights]:
        rank[free[place]] = "N"
    for file, letter in zip([file for file in range(8) if not rank[file]], "RKR", strict=True):
        rank[file] = letter
    men = "".join(rank)
    return f"{men.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{men} w KQkq - 0 1"
