"""Records of searches for the tests: the depths that are quick for each game, and slow twins."""

from plywise import Game, History
from plywise.explain import Record, record

DEEP = {"tic_tac_toe": 6, "connect_four": 6, "duel": 3, "pebbles": 8, "runners": 8, "polis": 3}


def deep(game: Game) -> int:
    """A depth that takes a fraction of a second, in Python too."""
    return DEEP.get(game.name, 3)


def recorded(history: History, **options: object) -> Record:
    """A record of a search of such a depth, in Python unless asked otherwise."""
    wanted = {"depth": deep(history.game), "hash": 1, "compiled": False, **options}
    return record(history, **wanted)  # type: ignore[arg-type]


def slow_size(kept: Record, node: int) -> int:
    """The nodes at and below a node, counted one by one."""
    return sum(node in kept.path(other) for other in range(len(kept)))
