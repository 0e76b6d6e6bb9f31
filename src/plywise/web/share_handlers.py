"""Sharing: a position as a picture, a game as a moving one, and a link that carries a whole game."""

from typing import Any

from plywise.play.game_svg import draw_game, draw_state
from plywise.web import study_text
from plywise.web.connection import Connection
from plywise.web.game_link import MAX_DATA, TooLong, read_link, write_link
from plywise.web.handlers import GAME_ID, GAME_NAME, NODE
from plywise.web.schema import flag, optional, request, text, token

Answer = dict[str, Any]


@request(
    "picture",
    slow=True,
    game=GAME_ID,
    node=NODE,
    moving=optional(flag, False),
    flipped=optional(flag, False),
    look=optional(text(20), "green"),
)
def picture(connection: Connection, game: str, node: int, moving: bool, flipped: bool, look: str) -> Answer:
    live_game = connection.hub.live_game(connection, game)
    with live_game.lock:
        state = live_game.node(node).state
    known = live_game.game
    if moving:
        return {"name": f"{known.name}-game.svg", "text": draw_game(state, flipped, look=look)}
    return {"name": f"{known.name}.svg", "text": draw_state(state, flipped, look)}


@request("game link", slow=True, game=GAME_ID)
def game_link(connection: Connection, game: str) -> Answer:
    """The fragment, or in words why there is none: the page shows that in its place."""
    live_game = connection.hub.live_game(connection, game)
    try:
        return {"fragment": write_link(live_game), "words": ""}
    except TooLong as too_long:
        return {"fragment": None, "words": str(too_long)}


@request("open link", slow=True, limit=MAX_DATA + 1000, game=GAME_NAME, data=token(1, MAX_DATA))
def open_link(connection: Connection, game: str, data: str) -> Answer:
    hub = connection.hub
    id, left_out = study_text.import_study(hub, connection.known_owner, game, read_link(data))
    hub.open(connection, id)
    return {"game": id, "left_out": left_out}
