"""Openings: where the games of a match begin, each as `POSITION` or `POSITION moves M M ...`.

They come from the books that we ship for each game, from the game's named starts (ballots, shuffled
men), from files in the game's formats, from text or EPD with one a line, or from random moves.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from plywise.core.broken_files import refuse_broken, unpack_gzip, unpack_zip
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.formats import Format, text_format
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.registry import is_shipped
from plywise.core.untrusted import shorten, whole_number

FOLDER = Path(__file__).with_name("books")
RANDOM = "random"
SOURCES = ("start", "starts", RANDOM, f"{RANDOM}:PLIES", "a file")
RANDOM_PLIES = 4  # where nobody says how many; fewer in a short game
OPENING_SHARE = 4  # such an opening is at most one part in so many of a random game
LENGTH_SAMPLES = 10  # random games by which that length is known
MAX_LENGTH = 32  # plies of such a game; a longer one is not played to its end
RANDOM_COUNT = 500
MAX_WORDS = 100  # of a position before its EPD operations
TRIES = 200  # random games in a row without a new opening, then we stop


class BadOpenings(PlywiseError):
    """Openings that cannot be read or played; the message names the file and the line."""


def read(game: Game, source: str | None = None, plies: int | None = None, seed: int = 0) -> list[str]:
    """The openings of a source; by default the book shipped for the game, else random plies.

    A source is `start`, `starts` (all named starts of the game), `random`, `random:PLIES`, or a file.
    With `plies`, an opening has no more moves than that.
    """
    shipped = FOLDER / f"{game.name}.txt"
    if source is None:
        source = str(shipped) if is_shipped(game) and shipped.is_file() else RANDOM
    if source == "start":
        return ["start"]
    if source == "starts":
        return _limit_plies(
            [text for name, text in game.starts.items() if name != "start"] or ["start"], plies
        )
    if source.partition(":")[0] == RANDOM:
        return _random(game, source, seed)
    return _limit_plies(_from_file(game, Path(source)), plies)


def _limit_plies(texts: list[str], plies: int | None) -> list[str]:
    if plies is None:
        return texts
    result = []
    for text in texts:
        words = text.split()
        at = words.index("moves") if "moves" in words else len(words)
        result.append(" ".join(words[: at + 1 + plies] if plies else words[:at]))
    return list(dict.fromkeys(result))


# --- from files ---------------------------------------------------------------------------------------
def _from_file(game: Game, path: Path) -> list[str]:
    if not path.suffix and "/" not in str(path) and not path.exists():
        raise UnknownName("openings", str(path), SOURCES)
    with refuse_broken(f"openings {path}", BadOpenings):
        name, text = _read_text(path)
    form = game.formats.get(Path(name).suffix.lower().removeprefix("."))
    if form is not None:
        found = list(dict.fromkeys(_openings_from_games(game, form, text, path)))
    else:
        lines = (line.partition("#")[0].strip() for line in text.splitlines())
        found = [line for line in lines if line]
    if not found:
        raise BadOpenings(f"openings {path}: there is none in it")
    return found


def _read_text(path: Path) -> tuple[str, str]:
    """The text of a file, or of the first one in an archive, and its name without that of the archive."""
    data, name = path.read_bytes(), path.name
    if name.endswith(".gz"):
        data, name = unpack_gzip(data), name[:-3]
    elif name.endswith(".zip"):
        name, data = unpack_zip(data)
    try:
        return name, data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadOpenings(f"openings {path}: the file is not text (UTF-8)") from None


def _openings_from_games(game: Game, form: Format, text: str, path: Path) -> Iterator[str]:
    """The games of a collection as openings; one with an illegal move is an error."""
    plain = text_format(game)
    for number, recorded in enumerate(form.read(text), 1):
        if recorded.problem:
            raise BadOpenings(f"openings {path}, game {number}: {recorded.problem}")
        yield plain.write(recorded.history, {}).strip()


def history(game: Game, text: str) -> History:
    """The history of an opening; EPD operations after the position are ignored."""
    try:
        return game.history(text)
    except PlywiseError:
        words = text.partition(";")[0].split()
        if "moves" in words:
            raise
        for count in range(min(len(words) - 1, MAX_WORDS), 0, -1):
            try:
                return game.history(" ".join(words[:count]))
            except PlywiseError:
                pass
        raise


# --- random ---------------------------------------------------------------------------------------------
def _random(game: Game, source: str, seed: int) -> list[str]:
    """Openings of random plies. Each is played from both sides, so an unequal one is fair, too."""
    if ":" not in source:
        plies = _usual_plies(game)
    else:
        word = source.partition(":")[2]
        try:
            plies = whole_number(word, 0, 200)
        except ValueError:
            word, source = shorten(word, 40), shorten(source, 60)
            raise BadOpenings(
                f"openings {source}: random:PLIES wants a whole number up to 200, not {word!r}"
            ) from None
    dice, plain = random.Random(f"openings {seed}"), text_format(game)
    found: dict[str, None] = {}
    failures = 0
    while len(found) < RANDOM_COUNT and failures < TRIES:
        history, before = random_game(game, plies, dice), len(found)
        if history.outcome is None:
            found[plain.write(history, {}).strip()] = None
        failures = failures + 1 if len(found) == before else 0
    if not found:
        raise BadOpenings(f"openings {source}: every random game of {game.name} is over by then; say fewer")
    return list(found)


def _usual_plies(game: Game) -> int:
    """RANDOM_PLIES, or fewer if that would be most of a game: then the opening alone would decide it."""
    dice, together, enough = random.Random("lengths"), 0, OPENING_SHARE * LENGTH_SAMPLES * RANDOM_PLIES
    for _ in range(LENGTH_SAMPLES):
        together += random_game(game, MAX_LENGTH, dice).length
        if together >= enough:
            return RANDOM_PLIES
    return max(1, together // (OPENING_SHARE * LENGTH_SAMPLES))


def random_game(game: Game, plies: int, dice: random.Random) -> History:
    """A game of random moves, `plies` or fewer."""
    history = game.history()
    while history.length < plies and history.outcome is None:
        history = history.play(dice.choice(game.moves(history.position)))
    return history


def check(game: Game, texts: Sequence[str], source: str) -> None:
    """Raise BadOpenings if one cannot be read, or if the game is over in it."""
    for number, text in enumerate(texts, 1):
        try:
            outcome = history(game, text).outcome
        except PlywiseError as error:
            raise BadOpenings(f"openings {source}, opening {number}: {error}") from None
        if outcome is not None:
            raise BadOpenings(
                f"openings {source}, opening {number}: the game is over: {outcome.reason} [{text}]"
            )
