"""Read the arguments of a command: positions, whole numbers, seconds."""

from collections.abc import Sequence

from plywise.cli.errors import print_error
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.registry import installed_games, shipped
from plywise.core.untrusted import seconds_number, shorten, whole_number

MAX_MINUTES = 60 * 24 * 30
MAX_WORKERS = 256  # processes: each has an interpreter and its engines


class BadOption(PlywiseError):
    """An option or argument that cannot be used."""


def known_games() -> dict[str, str]:
    """The shipped games and the installed ones, each with a sentence; a broken one is named and left out."""
    return {**shipped(), **installed_games(lambda words: print_error(f"warning: {words}"))}


def whole_option(option: str, text: str | None, least: int = 1) -> int | None:
    """The option as a whole number, `least` or more; None if it was not given."""
    if text is None:
        return None
    try:
        return whole_number(text, least)
    except ValueError:
        shown = shorten(text, 40)
        raise BadOption(f"{option} wants a whole number from {least} up, not {shown!r}") from None


def worker_count(text: str | None) -> int | None:
    """The option --workers; None if it was not given."""
    count = whole_option("--workers", text)
    if count is not None and count > MAX_WORKERS:
        raise BadOption(f"--workers goes up to {MAX_WORKERS}, not {count}")
    return count


def seconds(option: str, text: str | None) -> float | None:
    """The option as seconds above 0; None if it was not given."""
    if text is None:
        return None
    try:
        return seconds_number(text)
    except ValueError:
        raise BadOption(f"{option} wants seconds above 0, not {shorten(text, 40)!r}") from None


def minutes_option(option: str, text: str | None) -> float | None:
    """The option as minutes above 0, at most a month; None if it was not given."""
    if text is None:
        return None
    try:
        value = seconds_number(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= MAX_MINUTES:
        raise BadOption(f"{option} wants minutes above 0, as in 30 or 0.5, not {shorten(text, 40)!r}")
    return value


def is_batch(words: Sequence[str]) -> bool:
    """Whether positions come from standard input, one a line."""
    return list(words) == ["-"]


def read_history(game: Game, words: Sequence[str]) -> History:
    """The position that the words describe, with the moves that led to it."""
    return game.history(" ".join(words) or "start")
