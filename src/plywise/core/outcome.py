"""The verdict of a position, and the outcome of a game that is over."""

from dataclasses import dataclass, field

# Verdicts: what a position is for the side to move.
LOST, DRAWN, WON, OPEN = -1, 0, 1, 2
VERDICTS = {LOST: "lost", DRAWN: "drawn", WON: "won", OPEN: "open"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the side that won (0 moves first in the game) or None, and why."""

    winner: int | None
    reason: str
    short: str = field(
        default="", compare=False, repr=False
    )  # the reason in a few words, if the game has them

    @property
    def short_reason(self) -> str:
        """The reason for where the winner is named beside it."""
        return self.short or self.reason

    @classmethod
    def of(cls, verdict: int, turn: int, reason: str, short: str = "") -> "Outcome | None":
        """The outcome from a verdict for the side to move; None while the game is open."""
        if verdict == OPEN:
            return None
        if verdict == DRAWN:
            return cls(None, reason, short)
        return cls(turn if verdict == WON else 1 - turn, reason, short)
