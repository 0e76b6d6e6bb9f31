"""Openings by name: what a game's hook `opening` says of a position, and what that makes of a whole game."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plywise.core.presentation import find_hook
from plywise.core.rules import Position

if TYPE_CHECKING:
    from plywise.core.history import History

MAX_OPENING_PLIES = 60  # no opening is looked for beyond this: by then every game has left the books


@dataclass(frozen=True, slots=True)
class Opening:
    """The name of an opening, and its code in a classification (ECO in chess)."""

    name: str
    code: str = ""

    def __str__(self) -> str:
        return f"{self.code} {self.name}".strip()

    @property
    def tags(self) -> dict[str, str]:
        """As PGN and PDN say it: `ECO` and `Opening`."""
        return {**({"ECO": self.code} if self.code else {}), "Opening": self.name}


def find_opening(history: "History") -> Opening | None:
    """The last opening with a name that a game went through; None if it went through none."""
    if find_hook(history.game.author, "opening") is None:
        return None
    node: History | None = history
    while node is not None and node.length > MAX_OPENING_PLIES:
        node = node.before
    while node is not None:
        ask = find_hook(history.game.unwrap(node.position), "opening")
        found = None if ask is None else ask()
        if found is not None:
            return found if isinstance(found, Opening) else Opening(str(found))
        node = node.before
    return None


def opening_tags(history: "History") -> dict[str, str]:
    """The tags by which a game that is written down names its opening; none where it has no name."""
    found = find_opening(history)
    return {} if found is None else found.tags


def index_openings(
    start: Any, lines: Iterable[tuple[str, Opening]], read_move: Callable[[Any, str], int]
) -> dict[int, Opening]:
    """Openings by the key of their position. A line is its moves from the start, as `read_move` reads them.

    What two lines have in common is played once.
    """
    positions: dict[tuple[str, ...], Position] = {(): start}
    found: dict[int, Opening] = {}
    for line, opening in lines:
        moves = tuple(line.split())
        for end in range(1, len(moves) + 1):
            if moves[:end] not in positions:
                before = positions[moves[: end - 1]]
                positions[moves[:end]] = before.play(read_move(before, moves[end - 1]))
        found[positions[moves].key()] = opening
    return found
