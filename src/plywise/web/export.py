"""Games as text: each game's own formats, a position, or `POSITION moves M M ...`."""

import time

from plywise.core.wording import result_text
from plywise.play import game_text
from plywise.web.live.game import LiveGame

FILE_ENDINGS = {"text": "txt"}


def write_game(live_game: LiveGame, format: str) -> tuple[str, str]:
    """The game up to its tip in a format: a name for the file, and its text."""
    with live_game.lock:
        state, outcome = live_game.tip.state, live_game.outcome
    game, today = live_game.game, time.localtime()
    tags = {
        "Event": "A game on Plywise's page",
        "Site": "?",
        "Date": time.strftime("%Y.%m.%d", today),
        "Round": "-",
        **{game.sides[side].capitalize(): _seat_name(live_game.seats[side]) for side in (0, 1)},
        "Result": result_text(outcome),
    }
    words = game_text.write(state, format, tags)
    return f"{game.name}-{time.strftime('%Y%m%d', today)}.{FILE_ENDINGS.get(format, format)}", words


def _seat_name(seat: dict[str, object]) -> str:
    if seat["kind"] == "person":
        return "You"
    return f"Plywise, level {seat['level']}" if seat["kind"] == "level" else f"Plywise, {seat['seat']}"
