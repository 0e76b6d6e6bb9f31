"""Games as text: the formats that a game is written to and read from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plywise.core.errors import PlywiseError

if TYPE_CHECKING:
    from plywise.core.game import Game
    from plywise.core.history import History


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game that was read: as far as it could be followed, with its tags and the first problem."""

    history: "History"
    tags: dict[str, str] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write games down. `read` takes a whole collection; tags are names and values, as in PGN."""

    name: str
    write: Callable[["History", Mapping[str, str]], str]
    read: Callable[[str], list[Recorded]]


def text_format(game: "Game") -> Format:
    """The form that every game has: `POSITION moves M M ...`, one game a line."""

    def write(history: "History", tags: Mapping[str, str]) -> str:
        root = history
        while root.before is not None:
            root = root.before
        start = "start" if root.position == game.start() else root.text
        return " ".join([start, *(["moves", *history.played] if history.before else [])]) + "\n"

    def read(text: str) -> list[Recorded]:
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith(";")]
        found = []
        for line in lines:
            try:
                found.append(Recorded(game.history(line)))
            except PlywiseError as error:
                found.append(Recorded(game.history(), problem=str(error)))
        return found

    return Format("text", write, read)
