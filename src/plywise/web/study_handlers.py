"""Handlers of the requests by which a game is studied: variations, comments, glyphs, tags, and the bin."""

from typing import Any

from plywise.core.board import Phase
from plywise.core.untrusted import shorten
from plywise.web.connection import Connection
from plywise.web.handlers import GAME_ID, MOVE, NODE, own_game
from plywise.web.jobs.hints import find_threat
from plywise.web.live import study
from plywise.web.live.annotation import LAST_NAG, MAX_COMMENT, MAX_NAGS, MAX_TAGS, is_tag_name
from plywise.web.payloads import board_payload, last_move_payload
from plywise.web.schema import LateAnswer, Refused, flag, list_of, request, text, whole

Answer = dict[str, Any]
MAX_LINE = 200  # moves of a line that is looked at


def tags(name: str, value: Any) -> dict[str, str]:
    """Names and values as in PGN."""
    if not isinstance(value, dict) or len(value) > MAX_TAGS:
        raise Refused(f"{name} must be an object of at most {MAX_TAGS} names and texts")
    key, words = text(60, 1), text(400)
    for tag in value:
        if not is_tag_name(tag):
            raise Refused(f"a name of {name} may have no line end, quote or bracket: {shorten(tag, 60)!r}")
    checked = {key(f"a name of {name}", tag): words(f"{name}.{tag}", given) for tag, given in value.items()}
    return {tag: " ".join(given.split()) for tag, given in checked.items()}


def _edit(connection: Connection, game: str, edit: Any, *given: Any) -> Answer:
    live_game = own_game(connection, game)
    with live_game.lock:
        edit(live_game, *given)
    return {}


@request("comment", game=GAME_ID, node=NODE, text=text(MAX_COMMENT))
def comment(connection: Connection, game: str, node: int, text: str) -> Answer:
    return _edit(connection, game, study.comment, node, text)


@request("glyphs", game=GAME_ID, node=NODE, nags=list_of(whole(0, LAST_NAG), 0, MAX_NAGS))
def glyphs(connection: Connection, game: str, node: int, nags: list[int]) -> Answer:
    return _edit(connection, game, study.set_nags, node, nags)


@request("promote", game=GAME_ID, node=NODE)
def promote(connection: Connection, game: str, node: int) -> Answer:
    return _edit(connection, game, study.promote, node)


@request("main line", game=GAME_ID, node=NODE)
def main_line(connection: Connection, game: str, node: int) -> Answer:
    return _edit(connection, game, study.make_main_line, node)


@request("delete variation", game=GAME_ID, node=NODE)
def delete_variation(connection: Connection, game: str, node: int) -> Answer:
    return _edit(connection, game, study.delete, node)


@request("undo edit", game=GAME_ID)
def undo_edit(connection: Connection, game: str) -> Answer:
    return _edit(connection, game, study.undo)


@request("redo edit", game=GAME_ID)
def redo_edit(connection: Connection, game: str) -> Answer:
    return _edit(connection, game, study.redo)


@request("tags", game=GAME_ID, tags=tags)
def set_tags(connection: Connection, game: str, tags: dict[str, str]) -> Answer:
    own_game(connection, game).set_tags(tags)
    return {}


@request("bin", game=GAME_ID, binned=flag)
def put_into_bin(connection: Connection, game: str, binned: bool) -> Answer:
    connection.hub.put_into_bin(connection, game, binned)
    return {}


@request("threat", late=True, game=GAME_ID, node=NODE)
def threat(connection: Connection, game: str, node: int) -> LateAnswer:
    live_game = connection.hub.live_game(connection, game)
    live_game.node(node)
    return LateAnswer(lambda: find_threat(connection, live_game, node))


@request("follow", game=GAME_ID, node=NODE, moves=list_of(MOVE, 0, MAX_LINE))
def follow(connection: Connection, game: str, node: int, moves: list[str]) -> Answer:
    """The board after a line of moves, which are not played."""
    live_game = connection.hub.live_game(connection, game)
    history = live_game.context(node).history
    for move in moves:
        history = history.play(move)
    phases: tuple[Phase, ...] = ()
    if history.before is not None and history.move is not None and moves:
        phases = live_game.game.effects(history.before.position, history.move)
    board = live_game.game.board(history.position)
    return {"board": board_payload(board), "last": last_move_payload(phases)}
