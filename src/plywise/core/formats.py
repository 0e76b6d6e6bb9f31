"""Games as text: the formats that a game is written to and read from."""

from collections.abc import Callable, Iterable, Iterator, Mapping
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
    """A way to write games down; tags are names and values, as in PGN.

    `read` takes a whole collection and gives its games as they are asked for: who wants the first does
    not wait for the others.
    """

    name: str
    write: Callable[["History", Mapping[str, str]], str]
    read: Callable[[str], Iterable[Recorded]]


def text_format(game: "Game") -> Format:
    """The form that every game has: `POSITION moves M M ...`, one game a line."""

    def write(history: "History", tags: Mapping[str, str]) -> str:
        root = history
        while root.before is not None:
            root = root.before
        start = "start" if root.position == game.start() else root.text
        return " ".join([start, *(["moves", *history.played] if history.before else [])]) + "\n"

    def read(text: str) -> Iterator[Recorded]:
        for line in text.splitlines():
            if line.strip() and not line.startswith(";"):
                try:
                    yield Recorded(game.history(line))
                except PlywiseError as error:
                    yield Recorded(game.history(), problem=str(error))

    return Format("text", write, read)
