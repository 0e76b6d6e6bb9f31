"""Games in and out as text: each game's own formats, a position, or `POSITION moves M M ...`."""

import time
from typing import TYPE_CHECKING

from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.web.requests import Refused

if TYPE_CHECKING:
    from plywise.web.table import Table

RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}


def split(position: str) -> tuple[str, list[str]]:
    """The position to begin with, and the moves that follow it."""
    words = position.split()
    at = words.index("moves") if "moves" in words else len(words)
    return " ".join(words[:at]) or "start", words[at + 1 :]


def read(game: Game, text: str) -> tuple[str, list[str]]:
    """The start and the moves of the first game in a text, in whatever format it is.

    What can be read in several ways is taken as a position first.
    """
    problem = ""
    if "\n" not in text.strip():
        try:
            game.history(text)
        except PlywiseError as error:
            problem = str(error)
        else:
            return split(text)
    for name, format in game.formats.items():
        if name == "text":
            continue
        try:
            found = format.read(text)
        except PlywiseError as error:
            problem = problem or str(error)
            continue
        if not found:
            continue
        first = found[0]
        if first.problem:
            problem = f"{name.upper()}: {first.problem}"
            continue
        root = first.history
        while root.before is not None:
            root = root.before
        if first.history.length or first.tags:
            return root.text, first.history.played
    raise Refused(problem or f"this is no game or position of {game.title}")


def write(table: "Table", wanted: str) -> tuple[str, str]:
    """The game so far in a format: a name for the file, and its text."""
    game = table.game
    if wanted not in game.formats:
        raise UnknownName(f"format of {game.name}", wanted, game.formats)
    with table.lock:
        tip, outcome = table.tip, table.outcome
        names = [_name(seat) for seat in table.seats]
        stage = tip.stage
    day = time.localtime()
    tags = {
        "Event": "A game on Plywise's page",
        "Site": "?",
        "Date": time.strftime("%Y.%m.%d", day),
        "Round": "-",
        game.sides[0].capitalize(): names[0],
        game.sides[1].capitalize(): names[1],
        "Result": "*" if outcome is None else RESULTS[outcome.winner],
    }
    if game.world is not None:
        return f"{game.name}.txt", stage.text + "\n"
    words = game.formats[wanted].write(stage.view(stage.turn), tags)
    tail = "txt" if wanted == "text" else wanted
    return f"{game.name}-{time.strftime('%Y%m%d', day)}.{tail}", words


def _name(seat: dict[str, object]) -> str:
    return "You" if seat["kind"] == "person" else f"Plywise, level {seat['level']}"
