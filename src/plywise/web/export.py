"""Games as text: each game's own formats, a position, or `POSITION moves M M ...`."""

import time

from plywise.core.opening import opening_tags
from plywise.core.wording import result_text
from plywise.play import game_text
from plywise.web import study_text
from plywise.web.live.game import LiveGame

FILE_ENDINGS = {"text": "txt"}


def write_game(live_game: LiveGame, format: str) -> tuple[str, str]:
    """The game in a format, with its variations where the format has them: a file name, and the text."""
    today = time.localtime()
    name = f"{live_game.game.name}-{time.strftime('%Y%m%d', today)}.{FILE_ENDINGS.get(format, format)}"
    with live_game.lock:
        tags = _tags(live_game, time.strftime("%Y.%m.%d", today))
        known = live_game.game.formats.get(format)
        if format == game_text.JSON_FORMAT:
            return name, study_text.write_json(live_game, tags)
        if known is not None and known.annotate is not None:
            return name, study_text.write_study(live_game, known, tags)
        state = live_game.tip.state
    return name, game_text.write(state, format, tags)


def _tags(live_game: LiveGame, date: str) -> dict[str, str]:
    """The tags that the game was given, and the usual ones that it was not."""
    game, status = live_game.game, live_game.status
    tags = {
        "Event": "A game on Plywise's page",
        "Site": "?",
        "Date": date,
        "Round": "-",
        **{game.sides[side].capitalize(): _seat_name(live_game.seats[side]) for side in (0, 1)},
        "Result": result_text(live_game.outcome),
    }
    if not status.imported:
        tags |= opening_tags(live_game.tip.state.view(live_game.tip.state.turn))
    if status.ended is not None and status.ended[1].endswith("ran out of time"):
        tags["Termination"] = study_text.TIME_FORFEIT
    return {**tags, **status.tags, "Result": tags["Result"]}


def _seat_name(seat: dict[str, object]) -> str:
    if seat["kind"] == "person":
        return "You"
    return f"Plywise, level {seat['level']}" if seat["kind"] == "level" else f"Plywise, {seat['seat']}"
