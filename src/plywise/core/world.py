"""The contract of a world: a game whose sides choose at the same time, and whose turns may roll dice.

The search sees only positions, the model; a world is what is really played. It is a value: the
choices of both sides go in, with the dice, and the next world comes out, with what has happened.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from plywise.core.board import Phase
from plywise.core.outcome import Outcome


class Dice(Protocol):
    """Numbers from a seed. Dice with the same `state` draw the same numbers from there on."""

    state: int

    def draw(self) -> int:
        """The next number."""
        ...


class World(Protocol):
    """What an author writes, and names by `@game(world=...)`."""

    @property
    def number(self) -> int:
        """How many turns have been played."""
        ...

    @classmethod
    def begin(cls, position: Any) -> "World":
        """The world as it is in a position of the game."""
        ...

    @classmethod
    def dice(cls, seed: int) -> Dice:
        """The dice of this world."""
        ...

    # A world may have `leads`, the sides that it leads itself by a script: nobody is asked for their choices.
    # It may have `read_choice(side, moves)`: the move numbers of a choice that was played, also where
    # the model would not offer them; ValueError says what is wrong. So games of its agents can be replayed.

    def view(self, side: int) -> Any:
        """The position from which a side chooses: its turn, with nothing chosen yet."""
        ...

    def outcome(self) -> Outcome | None:
        """How it ended, if it has."""
        ...

    def play(self, choices: Mapping[int, Sequence[int]], dice: Dice) -> "TurnResult":
        """One turn: each side's moves from its view, carried out together."""
        ...


@dataclass(frozen=True, slots=True)
class TurnResult:
    """A turn of a world: what it led to, what is seen on the board, and the events in words."""

    after: World
    phases: tuple[Phase, ...]  # cells counted row by row, or by name
    events: tuple[str, ...]
