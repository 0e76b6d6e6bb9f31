"""Openings: where the games of a match begin, each as `POSITION` or `POSITION moves M M ...`.

They come from sets of our own that are shipped for every game, from the game's books by name, from
files in the game's formats, from text with one a line, or from the dice.
"""

import gzip
import io
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

from plywise.arena import beside
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.core.history import History

FOLDER = Path(__file__).with_name("openings")
RANDOM = "random"
RANDOM_PLIES = 4
RANDOM_COUNT = 500
TRIES = 20  # random games for each opening wanted


class BadOpenings(PlywiseError):
    """Openings that cannot be read or played; the message names the file and the line."""


def read(game: Game, source: str | None = None, plies: int | None = None, seed: int = 0) -> list[str]:
    """The openings of a source; by default the set shipped for the game, else some random plies.

    `plies` cuts them: no more than so many moves are played. A source is `start`, `random` or
    `random:PLIES`, a name of the game's own books, or a file.
    """
    shipped = FOLDER / f"{game.name}.txt"
    if source is None:
        own = beside.records(game) is not None or game.author.__module__.startswith(beside.SHELF)
        source = str(shipped) if own and shipped.is_file() else _usual(game)
    if source == "start":
        return ["start"]
    if source.partition(":")[0] == RANDOM:
        return _random(game, source, seed)
    books = getattr(beside.records(game), "BOOKS", {})
    if source in books:
        return _cut(list(books[source]()), plies)
    return _cut(_from_file(game, Path(source), books), plies)


def _usual(game: Game) -> str:
    books = getattr(beside.records(game), "BOOKS", {})
    return next(iter(books), RANDOM)


def _cut(texts: list[str], plies: int | None) -> list[str]:
    if plies is None:
        return texts
    result = []
    for text in texts:
        words = text.split()
        at = words.index("moves") if "moves" in words else len(words)
        result.append(" ".join(words[: at + 1 + plies] if plies else words[:at]))
    return list(dict.fromkeys(result))


# --- from files ---------------------------------------------------------------------------------------
def _from_file(game: Game, path: Path, books: dict[str, object]) -> list[str]:
    try:
        data = path.read_bytes()
    except OSError as error:
        if not path.suffix and "/" not in str(path):
            raise UnknownName(f"openings of {game.name}", str(path), [*books, "start", RANDOM]) from None
        raise BadOpenings(f"openings {path}: {error.strerror}") from None
    name = path.name
    try:
        if name.endswith(".gz"):
            data, name = gzip.decompress(data), name[:-3]
        elif name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                inside = archive.namelist()[0]
                data, name = archive.read(inside), inside
        text = data.decode("utf-8", "strict")
    except UnicodeDecodeError:
        raise BadOpenings(f"openings {path}: the file is not text (UTF-8)") from None
    except (OSError, EOFError, zipfile.BadZipFile, IndexError) as error:
        raise BadOpenings(f"openings {path}: {error}") from None
    readers = getattr(beside.records(game), "READERS", {})
    suffix = Path(name).suffix.lower()
    try:
        if suffix in readers:
            found = list(dict.fromkeys(readers[suffix](text)))
        else:
            lines = (line.partition("#")[0].strip() for line in text.splitlines())
            found = [line for line in lines if line]
    except ValueError as error:
        raise BadOpenings(f"openings {path}: {error}") from None
    if not found:
        raise BadOpenings(f"openings {path}: there is none in it")
    return found


# --- by the dice ----------------------------------------------------------------------------------------
def _random(game: Game, source: str, seed: int) -> list[str]:
    """Random plies from the start; each opening is played from both sides, so none is unfair."""
    plies = RANDOM_PLIES
    if ":" in source:
        word = source.partition(":")[2]
        if not word.isdecimal() or int(word) > 200:
            raise BadOpenings(f"openings {source}: random:PLIES wants a whole number up to 200, not {word!r}")
        plies = int(word)
    dice = random.Random(f"openings {seed}")
    found: dict[str, None] = {}
    for _ in range(RANDOM_COUNT * TRIES):
        history = walk(game, plies, dice)
        if history.outcome is None:
            found[" ".join(["start", "moves", *history.played]) if history.length else "start"] = None
        if len(found) >= RANDOM_COUNT:
            break
    if not found:
        raise BadOpenings(f"openings {source}: every random game of {game.name} is over by then; say fewer")
    return list(found)


def walk(game: Game, plies: int, dice: random.Random) -> History:
    """A game of random moves, up to so many."""
    history = game.history()
    while history.length < plies and history.outcome is None:
        history = history.play(dice.choice(game.moves(history.position)))
    return history


def check(game: Game, texts: Sequence[str], source: str) -> None:
    """Refuse openings that cannot be read or in which the game is over."""
    for place, text in enumerate(texts, 1):
        try:
            outcome = game.history(text).outcome
        except PlywiseError as error:
            raise BadOpenings(f"openings {source}, opening {place}: {error}") from None
        if outcome is not None:
            raise BadOpenings(
                f"openings {source}, opening {place}: the game is over: {outcome.reason} [{text}]"
            )
