"""What `check` reports."""

from dataclasses import dataclass

from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.rules import Position


@dataclass(frozen=True)
class Finding:
    """A rule of the contract that a game breaks, and where. Advice is no failure."""

    rule: str
    message: str
    advice: bool = False

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"


def position_text(game: Game, position: Position) -> str:
    """A position in brackets, also where the author's text() fails."""
    try:
        return f"[{game.text(position)}]"
    except Exception:
        return f"[{position!r}]"


def move_text(game: Game, history: History, move: int) -> str:
    """A move, also where the author's move_text() fails."""
    try:
        return game.move_text(history.position, move)
    except Exception:
        return str(move)
