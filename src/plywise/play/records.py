"""Whole games in and out, as text: the formats that a game has, and the exact record of any stage."""

import json
from collections.abc import Mapping

from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.untrusted import check_size, read_json, shortened
from plywise.play.stage import Stage, begin, rebuild

EXACT = "json"  # the format that keeps everything, a world's dice too


def formats(game: Game) -> list[str]:
    """The names of the formats in which a game can be written, the usual one first."""
    return [EXACT] if game.world is not None else [*game.formats, EXACT]


def write(stage: Stage, format: str, tags: Mapping[str, str] | None = None) -> str:
    """The game up to this stage as text. Tags are names and values as in PGN; not every format has them."""
    known = formats(stage.game)
    if format not in known:
        raise UnknownName(f"format of {stage.game.name}", format, known)
    if format == EXACT:
        kept = {"game": stage.game.name, "tags": dict(tags or {}), "record": stage.record()}
        return json.dumps(kept, ensure_ascii=False) + "\n"
    return stage.game.formats[format].write(stage.view(stage.turn), tags or {})


def read(game: Game, text: str) -> tuple[Stage, dict[str, str]]:
    """The first game in a text of any of the game's formats, and its tags; a bare position is one too."""
    try:
        check_size(text, "the text of a game")
    except ValueError as error:
        raise PlywiseError(str(error)) from None
    text = text.strip().removeprefix("\ufeff")
    if text.startswith("{"):
        return _exact(game, text)
    if not text:
        raise PlywiseError(f"there is no game of {game.name} in an empty text")
    if game.world is not None:
        return begin(game, " ".join(text.split())), {}
    if "\n" not in text and not text.startswith("["):
        try:
            return begin(game, text), {}
        except PlywiseError as error:
            if len(game.formats) == 1:
                raise
            complaint: PlywiseError | None = error
    else:
        complaint = None
    for format in game.formats.values():
        found = next(iter(format.read(text)), None)
        if found is None:
            continue
        if not found.problem and (found.history.before or found.tags or not complaint):
            return staged(found.history), found.tags
        if found.problem and (complaint is None or found.history.before):
            complaint = PlywiseError(f"{format.name}: {found.problem}")
    raise complaint or PlywiseError(f"there is no game of {game.name} in {text[:60]!r}")


def staged(history: History) -> Stage:
    """The game that led to a history, as stages."""
    root = history
    while root.before is not None:
        root = root.before
    stage = begin(history.game, "start" if root.position == history.game.start() else root.text)
    for move in history.played:
        stage = stage.play({stage.turn: (move,)})
    return stage


def _exact(game: Game, text: str) -> tuple[Stage, dict[str, str]]:
    try:
        kept = read_json(text)
    except ValueError as error:
        raise PlywiseError(f"the record is no JSON: {error}") from None
    if not isinstance(kept, dict) or kept.get("game") != game.name:
        what = shortened(str(kept.get("game"))) if isinstance(kept, dict) else "nothing known"
        raise PlywiseError(f"the record is of a game of {what}, not of {game.name}")
    tags = kept.get("tags", {})
    if not isinstance(tags, dict) or not all(isinstance(value, str) for value in tags.values()):
        raise PlywiseError("the tags of a record are names and texts")
    return rebuild(game, kept.get("record")), tags
