"""How a player can lose a game without being beaten on the board, and what it is blamed for."""

from enum import StrEnum


class FaultKind(StrEnum):
    """How a player lost."""

    TIME = "time"  # the move came too late
    ILLEGAL = "illegal"  # the move was none, or not legal
    CRASH = "crash"  # it does not start, hangs, dies or does not keep to its protocol
    RESIGNED = "resigned"  # no blame: it gave the game up


class Fault(Exception):
    """What loses a player the game, whatever the position; the match goes on."""

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(" ".join(reason.split()))
        self.kind, self.reason = kind, str(self)
