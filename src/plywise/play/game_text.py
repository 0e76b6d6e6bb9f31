"""Read and write whole games as text: in the formats of a game, or as the exact record of a state."""

import json
from collections.abc import Mapping
from typing import Any

from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.formats import TEXT_FORMAT
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.untrusted import check_plies, check_size, read_json, shorten
from plywise.play.state import GameState, restore_game, start_game

JSON_FORMAT = "json"  # the format that keeps everything, a world's dice too


def formats(game: Game) -> list[str]:
    """The names of the formats in which a game can be written, the usual one first."""
    return [JSON_FORMAT] if game.world is not None else [*game.formats, JSON_FORMAT]


def write(state: GameState, format: str, tags: Mapping[str, str] | None = None) -> str:
    """The game up to this state as text. Tags are names and values as in PGN; not every format has them."""
    known = formats(state.game)
    if format not in known:
        raise UnknownName(f"format of {state.game.name}", format, known)
    if format == JSON_FORMAT:
        saved = {"game": state.game.name, "tags": dict(tags or {}), "record": state.serialise()}
        return json.dumps(saved, ensure_ascii=False) + "\n"
    return state.game.formats[format].write(state.view(state.turn), tags or {})


def read_position(game: Game, text: str) -> GameState | PlywiseError | None:
    """The state of a bare position, `POSITION moves M M ...` too, or why it is none.

    None if the text cannot be one: it is empty, has several lines, or begins as other formats do.
    """
    text = text.strip().removeprefix("\ufeff")
    if not text or "\n" in text or text.startswith(("[", "{")):
        return None
    try:
        return start_game(game, text)
    except PlywiseError as error:
        return error


def read(game: Game, text: str, problem: PlywiseError | None = None) -> tuple[GameState, dict[str, str]]:
    """The first game in a text of any of the game's formats, and its tags; a bare position is one too.

    `problem` says why the text is no bare position, if that has been found out: it is not read again as one.
    """
    try:
        check_size(text, "the text of a game")
    except ValueError as error:
        raise PlywiseError(str(error)) from None
    text = text.strip().removeprefix("\ufeff")
    if text.startswith("{"):
        return _read_json(game, text)
    if not text:
        raise PlywiseError(f"there is no game of {game.name} in an empty text")
    if game.world is not None:
        if problem is not None:
            raise problem
        return start_game(game, " ".join(text.split())), {}
    position = read_position(game, text) if problem is None else problem
    if isinstance(position, GameState):
        return position, {}
    problem = position
    for format in game.formats.values():
        if position is not None and format.name == TEXT_FORMAT:
            continue  # the text is one line, and no position: that is known
        found = next(iter(format.read(text)), None)
        if found is None:
            continue
        if not found.problem and (found.history.before or found.tags or not problem):
            return state_from_history(found.history), found.tags
        if found.problem and (problem is None or found.history.before):
            problem = PlywiseError(f"{format.name}: {found.problem}")
    raise problem or PlywiseError(f"there is no game of {game.name} in {text[:60]!r}")


def state_from_history(history: History) -> GameState:
    """The game that led to a history, as states."""
    root = history
    while root.before is not None:
        root = root.before
    state = start_game(history.game, "start" if root.position == history.game.start() else root.text)
    for move in history.played:
        state = state.follow({state.turn: (move,)})
    return state


def _read_json(game: Game, text: str) -> tuple[GameState, dict[str, str]]:
    try:
        saved = read_json(text)
    except ValueError as error:
        raise PlywiseError(f"the record is no JSON: {error}") from None
    if not isinstance(saved, dict) or saved.get("game") != game.name:
        what = shorten(str(saved.get("game"))) if isinstance(saved, dict) else "nothing known"
        raise PlywiseError(f"the record is of a game of {what}, not of {game.name}")
    tags = saved.get("tags", {})
    if not isinstance(tags, dict) or not all(isinstance(value, str) for value in tags.values()):
        raise PlywiseError("the tags of a record are names and texts")
    record = saved.get("record")
    if isinstance(record, list):
        try:
            check_plies(sum(map(_count_moves, record[1:])))
        except ValueError as error:
            raise PlywiseError(f"the record: {error}") from None
    return restore_game(game, record), tags


def _count_moves(entry: Any) -> int:
    """The moves of one entry of a record: in a world, one for each unit."""
    lists = [one for one in entry.values() if isinstance(one, list)] if isinstance(entry, dict) else []
    return max(1, sum(map(len, lists)))
