"""Games as text: the formats that a game is written to and read from."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from plywise.core.errors import PlywiseError

if TYPE_CHECKING:
    from plywise.core.game import Game
    from plywise.core.history import History

TEXT_FORMAT = "text"  # the form that every game has


@dataclass
class Step:
    """A move with its comments; `variations` are lines that could be played instead."""

    move: int
    before: str = ""  # a comment before the move, at the beginning of a variation
    comment: str = ""
    nags: list[int] = field(default_factory=list)  # numeric annotation glyphs, as PGN numbers them
    variations: list[list["Step"]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game that was read: as far as it could be followed, with its tags and the first problem.

    Formats that have them give the moves with their comments and variations as `steps`, too.
    """

    history: "History"
    tags: dict[str, str] = field(default_factory=dict)
    problem: str = ""
    steps: list[Step] = field(default_factory=list)
    comment: str = ""  # on the position in which the game begins
    left_out: str = ""  # what of the variations could not be read, the first of it


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write games down; tags are names and values, as in PGN.

    `read` takes a whole collection and gives its games as they are asked for: who wants the first does
    not wait for the others. `annotate` writes a game with comments and variations: the position it began
    with, its steps, the comment on that position, and tags with the result.
    """

    name: str
    write: Callable[["History", Mapping[str, str]], str]
    read: Callable[[str], Iterable[RecordedGame]]
    annotate: Callable[[Any, list[Step], str, Mapping[str, str]], str] | None = None


def text_format(game: "Game") -> Format:
    """The form that every game has: `POSITION moves M M ...`, one game a line."""
    begins = cache(game.start)  # a collection may have a hundred thousand games

    def write(history: "History", tags: Mapping[str, str]) -> str:
        root = history
        while root.before is not None:
            root = root.before
        start = "start" if root.position == begins() else root.text
        return " ".join([start, *(["moves", *history.played] if history.before else [])]) + "\n"

    def read(text: str) -> Iterator[RecordedGame]:
        for line in text.splitlines():
            if line.strip() and not line.startswith(";"):
                try:
                    yield RecordedGame(game.history(line))
                except PlywiseError as error:
                    yield RecordedGame(game.history(), problem=str(error))

    return Format(TEXT_FORMAT, write, read)
