"""The contract of a game: what the search asks of a position.

A position is an immutable value. In the compiled form it is a NamedTuple of whole numbers with a
field `turn` (0 or 1) and the methods below; three of them are required, the rest have defaults.
In the plain form it is any immutable hashable object (see `plain.py`). The sign of a score follows
`turn`: a side may act several times in a row, and depth is spent only when the turn changes.
"""

from types import FunctionType
from typing import Any

from plywise.core.bits import mix
from plywise.core.outcome import LOST, OPEN
from plywise.core.scores import UNKNOWN

SLOTS = 4096
PATTERNS = 512


class Rules:
    """The rules of a game as methods of its positions, with the defaults for those left out."""

    turn: int

    # --- required ---------------------------------------------------------------------------
    def moves(self, buffer: Any, n: int) -> int:
        """Write the legal moves, whole numbers from 0 up, from buffer[n] on; return the end.

        Asked only of positions whose outcome is OPEN or DRAWN.
        """
        raise NotImplementedError

    def play(self, move: int) -> Any:
        """The position after a legal move."""
        raise NotImplementedError

    # --- the end of the game ------------------------------------------------------------------
    def outcome(self) -> int:
        """LOST, DRAWN, WON or OPEN for the side to move, as seen without looking for moves."""
        return OPEN

    def stuck(self) -> int:
        """LOST, DRAWN or WON for a side to move that has no move."""
        return LOST

    # --- opinions ---------------------------------------------------------------------------
    def evaluate(self) -> int:
        """How good an open position is for the side to move, within +-MAX_EVALUATION.

        A game that does not say so is searched by `mobility` or for its `outcome`: see Evaluations.
        """
        return 0

    def noisy(self, buffer: Any, n: int) -> int:
        """Write the moves that must be seen through before a position can be evaluated."""
        return n

    def sharp(self, buffer: Any, n: int) -> int:
        """Noisy moves and those that threaten at once (checks): where seeing through begins."""
        return self.noisy(buffer, n)

    def candidates(self, buffer: Any, n: int) -> int:
        """Write the moves that are worth a look at low depth, where hundreds are legal; return the end.

        The others are left out there, and results say so: nothing is proven or exact without them.
        """
        return self.moves(buffer, n)

    def urgent(self) -> bool:
        """Too hot to evaluate or to pass (in check): all moves are looked at, a turn deeper."""
        return False

    def threatens(self, move: int) -> bool:
        """Whether the position after a move is `urgent`: such a move is not pruned.

        A game may know that sooner than by playing the move.
        """
        return bool(self.play(move).urgent())

    def gain(self, move: int) -> int:
        """For ordering: above 0 for a capture or the like, more for a better one; 0 if quiet."""
        return 0

    def sound(self, move: int) -> bool:
        """Whether a noisy move loses nothing by the exchange that follows it."""
        return True

    def brings(self, move: int, least: int) -> bool:
        """Whether the exchange that a move begins may bring its side `least`, in the unit of evaluations.

        A game that cannot tell more than whether a move is `sound` says no to the others alone.
        """
        return least < 0 or self.sound(move)

    def slot(self, move: int) -> int:
        """Moves that mean the same in different positions share a slot, 0 <= slot < SLOTS."""
        return (move ^ move >> 12 ^ move >> 24) & (SLOTS - 1)

    def pattern(self, move: int) -> int:
        """What a move is as an answer to others: moves alike share a pattern below PATTERNS; -1 for none."""
        return -1

    def boards(self) -> Any:
        """What a learned evaluation sees: the boards of side 0 (sets of cells), then those of side 1 alike.

        A position that does not say so is seen as its own words.
        """
        return self

    # --- turns --------------------------------------------------------------------------------
    def midway(self) -> bool:
        """The side to move has acted in this turn already: never evaluated."""
        return False

    def can_skip(self) -> bool:
        """Whether passing proves something here: no zugzwang to fear, not urgent."""
        return False

    def skip(self) -> Any:
        """The position with the other side to move; asked only where can_skip."""
        return self

    # --- symmetry ---------------------------------------------------------------------------
    def symmetry(self, image: int) -> Any:
        """Its image of this number, 0 <= image < `symmetries` of the game; image 0 is the position itself.

        Images are alike for the rules: they have the same turn, outcome and evaluation, and moves from one
        lead to images of what moves from the other lead to. Images of images are images again.
        """
        return self

    # --- the past -----------------------------------------------------------------------------
    def resets(self, move: int) -> bool:
        """After this move no earlier position can return, and the draw counter starts again."""
        return True

    def clock(self) -> int:
        """Moves since the last reset that the position's own text counts (a FEN does)."""
        return 0

    def key(self) -> int:
        """A word that tells positions apart: equal positions have equal keys."""
        key = 0
        for word in self:  # type: ignore[attr-defined]
            key = mix(key, word)
        return key

    # --- databases --------------------------------------------------------------------------------
    def probe(self, memory: Any) -> int:
        """A score that a database proves, or UNKNOWN. `memory` has the resources of the game by name.

        A database does not know the past. A win that it gives with its distance is used as far as the
        draw counter leaves time for it; one without a distance is taken at its word. No win is used that may
        lead through a position of the game whose return is a draw.
        """
        return UNKNOWN


RULES: dict[str, FunctionType] = {
    name: rule for name, rule in vars(Rules).items() if isinstance(rule, FunctionType)
}
REQUIRED = ("moves", "play")

Position = Rules  # the name for a position in code that serves every game
