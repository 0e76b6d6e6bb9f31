"""What a search has found, and how far it can be trusted."""

from dataclasses import dataclass, field

from plywise.core.game import Game
from plywise.core.scores import Kind, distance, is_decisive
from plywise.core.wording import score_text


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play and its score for the side to move at its start."""

    score: int
    kind: Kind
    moves: tuple[str, ...]
    numbers: tuple[int, ...] = field(repr=False)

    @property
    def plies(self) -> int | None:
        """The distance of a proven win or loss."""
        return distance(self.score) if self.kind is Kind.PROVEN else None


@dataclass(frozen=True, slots=True)
class Miss:
    """A score that fell out of the window in which it was looked for, and is looked for again.

    The score of `line` is only a bound: it is at least so high if it fell `above`, else at most.
    """

    line: Line
    above: bool
    number: int = 1  # the line's place among those wanted, from 1


@dataclass(frozen=True, slots=True)
class Progress:
    """How a search stands: its lines after a finished depth, or the root move it is at.

    Reports between two depths name the root move as `current`, and their `lines` are still those of the
    depth before; a few of them tell of a `miss`.
    """

    depth: int
    nodes: int
    seconds: float
    lines: tuple[Line, ...]
    current: str | None = None  # the root move being searched, in reports between depths
    place: int = 0  # that move's place among the root moves, from 1
    full: int = 0  # how full the table is, in thousandths
    deepest: int = 0  # the ply of the deepest position visited in the last pass over the root moves
    miss: Miss | None = None  # what is searched again in a wider window


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of a search: the move to play and why.

    `move` is None only where there is no move to play. The score is for the side to move.
    """

    game: Game = field(repr=False)
    move: str | None
    score: int
    kind: Kind
    depth: int
    nodes: int
    seconds: float
    lines: tuple[Line, ...]
    number: int = -1  # the move as the game numbers it
    unit: int = 100  # of the evaluation: so many points are one of what the game counts in

    @property
    def plies(self) -> int | None:
        """The distance of a proven win or loss: 1 if this move wins."""
        return self.lines[0].plies if self.lines else None

    @property
    def line(self) -> tuple[str, ...]:
        """The best line."""
        return self.lines[0].moves if self.lines else ()

    @property
    def words(self) -> str:
        """The score as a player reads it."""
        if self.kind is Kind.BOUND and is_decisive(self.score):
            return score_text(self.score).replace(" in ", " in at most ")
        text = score_text(self.score, self.unit)
        return f"draw ({self.kind})" if self.score == 0 and self.kind is Kind.PROVEN else text
