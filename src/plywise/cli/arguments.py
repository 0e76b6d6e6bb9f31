"""Reading what a person typed: games, positions, numbers; and positions by the line."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from plywise.cli.errors import describe_error
from plywise.core.errors import BadLimits, PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.resources import BadWeights
from plywise.core.untrusted import shorten, whole_number


class BadOption(PlywiseError):
    """An option or argument that cannot be used."""


def whole_option(option: str, text: str | None, least: int = 1) -> int | None:
    """A whole number of at least so much."""
    if text is None:
        return None
    try:
        return whole_number(text, least)
    except ValueError:
        shown = shorten(text, 40)
        raise BadOption(f"{option} wants a whole number from {least} up, not {shown!r}") from None


def seconds(option: str, text: str | None) -> float | None:
    """A time above 0."""
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise BadOption(f"{option} wants seconds above 0, not {text!r}")
    return value


def is_batch(words: Sequence[str]) -> bool:
    """Positions come from standard input, one a line."""
    return list(words) == ["-"]


def read_history(game: Game, words: Sequence[str]) -> History:
    """The position that the words on the command line mean, with the moves that led to it."""
    return game.history(" ".join(words) or "start")


def input_lines() -> Iterator[bytes]:
    """The lines of standard input, as they come."""
    while line := sys.stdin.buffer.readline():
        yield line


def answer_lines(game: Game, source: Iterable[bytes], answer: Callable[[History], dict[str, Any]]) -> None:
    """Answer each line with one JSON line, in order; what cannot be answered says why."""
    for line in source:
        try:
            result = answer(game.history(line.decode("utf-8").strip() or "start"))
        except UnicodeDecodeError as error:
            result = {"error": f"the line is not UTF-8: {error.reason} at byte {error.start}"}
        except (BadLimits, BadWeights):
            raise
        except Exception as error:
            text, theirs = describe_error(error)
            if not theirs:
                raise
            result = {"error": text}
        print_json(result)


def print_json(answer: dict[str, Any]) -> None:
    """One object on one line, at once: a reader may be waiting for it."""
    print(json.dumps(answer), flush=True)
