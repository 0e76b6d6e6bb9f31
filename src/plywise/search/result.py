"""What a search has found, and how far it can be trusted."""

from dataclasses import dataclass, field

from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import Kind, distance, is_decisive, is_sure
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
    """A score outside the aspiration window: the depth is searched again with a wider one.

    The score of `line` is only a bound: a lower one if it fell `above` the window, else an upper one.
    """

    line: Line
    above: bool
    number: int = 1  # the line's place among those asked for, from 1


@dataclass(frozen=True, slots=True)
class Progress:
    """A report of a running search: its lines after a finished depth, or the root move being searched.

    Reports between two depths name the root move as `current`, and their `lines` are still those of the
    depth before; a few of them have a `miss`.
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
    unit: int = 100  # points of the evaluation that make one of what the game counts in
    history: History | None = field(default=None, repr=False, compare=False)  # what was searched

    def _repr_html_(self) -> str:
        """What a notebook shows: the board with the best moves, and the lines."""
        from plywise.search.result_html import result_html

        return result_html(self)

    @property
    def excludes_win(self) -> bool:
        """Whether a search for a win within so many turns (`mate`) has shown that there is none.

        The move is then any legal one, and the score of 0 says nothing of who is better.
        """
        return self.kind is Kind.BOUND and self.score == 0

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
        if self.excludes_win:
            return "no win so soon"
        text = score_text(self.score, self.unit)
        if self.kind is Kind.ESTIMATE and is_sure(self.score):  # it has not looked at every move
            return f"perhaps {text}"
        return f"draw ({self.kind})" if self.score == 0 and self.kind is Kind.PROVEN else text
