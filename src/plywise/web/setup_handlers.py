"""The position editor: the pieces of a game, and the text of the position that was set up."""

from typing import Any, cast

from plywise.core.board import Detail, Piece
from plywise.core.position_setup import palette, set_up
from plywise.web.connection import Connection
from plywise.web.handlers import GAME_NAME, POSITION, SIDE
from plywise.web.payloads import board_payload, piece_payload
from plywise.web.schema import Refused, list_of, nullable, object_with, optional, request, text, whole

Answer = dict[str, Any]
MAX_CELLS = 2048
MAX_DETAILS = 64


def detail_value(name: str, value: Any) -> bool | int | str:
    """True or false, a whole number, or a short text; the game says which one it wants."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return cast(int, whole(-(10**9), 10**9)(name, value))
    return cast(str, text(100)(name, value))


CELLS = list_of(object_with(cell=whole(0, MAX_CELLS), piece=nullable(whole(0, 100))), 0, MAX_CELLS)
DETAILS = list_of(object_with(name=text(100), value=detail_value), 0, MAX_DETAILS)

_palettes: dict[str, list[Piece]] = {}  # by game; a game's pieces do not change while a server runs


def _palette(connection: Connection, name: str) -> list[Piece]:
    if name not in _palettes:
        _palettes[name] = palette(connection.hub.game(name))
    return _palettes[name]


@request("pieces", game=GAME_NAME)
def pieces(connection: Connection, game: str) -> Answer:
    return {"pieces": [piece_payload(piece) for piece in _palette(connection, game)]}


@request(
    "set up",
    game=GAME_NAME,
    position=POSITION,
    cells=optional(CELLS, []),
    turn=optional(nullable(SIDE)),
    details=optional(DETAILS, []),
)
def set_up_position(
    connection: Connection,
    game: str,
    position: str,
    cells: list[dict[str, Any]],
    turn: int | None,
    details: list[dict[str, Any]],
) -> Answer:
    known, kinds = connection.hub.game(game), _palette(connection, game)
    if any(one["piece"] is not None and one["piece"] >= len(kinds) for one in cells):
        raise Refused(f"{known.title} has {len(kinds)} kinds of pieces")
    before = known.history(position).position
    changes = {one["cell"]: None if one["piece"] is None else kinds[one["piece"]] for one in cells}
    values = {one["name"]: one["value"] for one in details}
    words = known.text(before)
    if changes or values or turn not in (None, before.turn):
        words = set_up(known, words, changes, int(before.turn) if turn is None else turn, values)
    after = known.parse(words)
    return {
        "position": words,
        "turn": int(after.turn),
        "board": board_payload(known.board(after)),
        "details": [_detail_payload(detail) for detail in known.details(after)],
    }


def _detail_payload(detail: Detail) -> Answer:
    """A control of the editor."""
    return {
        "name": detail.name,
        "value": detail.value,
        "least": detail.least,
        "most": detail.most,
        "choices": list(detail.choices),
    }
