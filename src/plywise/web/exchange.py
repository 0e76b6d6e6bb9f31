"""Games in and out as text: each game's own formats, a position, or `POSITION moves M M ...`."""

import time
from typing import TYPE_CHECKING

from plywise.play import records

if TYPE_CHECKING:
    from plywise.web.table import Table

RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}
TAILS = {"text": "txt"}


def write(table: "Table", format: str) -> tuple[str, str]:
    """The game up to its tip in a format: a name for the file, and its text."""
    with table.lock:
        stage, outcome = table.tip.stage, table.outcome
    game, today = table.game, time.localtime()
    tags = {
        "Event": "A game on Plywise's page",
        "Site": "?",
        "Date": time.strftime("%Y.%m.%d", today),
        "Round": "-",
        **{game.sides[side].capitalize(): _name(table.seats[side]) for side in (0, 1)},
        "Result": "*" if outcome is None else RESULTS[outcome.winner],
    }
    words = records.write(stage, format, tags)
    return f"{game.name}-{time.strftime('%Y%m%d', today)}.{TAILS.get(format, format)}", words


def _name(seat: dict[str, object]) -> str:
    return "You" if seat["kind"] == "person" else f"Plywise, level {seat['level']}"
