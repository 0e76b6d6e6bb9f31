"""Faults: how a player loses a game other than on the board."""

from enum import StrEnum


class FaultKind(StrEnum):
    """How a player lost."""

    TIME = "time"  # the move came too late
    ILLEGAL = "illegal"  # not a move, or not legal
    CRASH = "crash"  # it does not start, hangs, dies or breaks the protocol
    RESIGNED = "resigned"  # no fault of the program: it gave the game up


class Fault(Exception):
    """A player loses the game at once; the match continues."""

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(" ".join(reason.split()))
        self.kind, self.reason = kind, str(self)
