"""Handlers of the page's requests, one small function each. They translate and do nothing else."""

from typing import Any
from urllib.parse import quote

import plywise
from plywise.core.wording import side_first
from plywise.play.engine_pool import SERVER_TABLE
from plywise.play.seat import MAX_SEAT, position_with_switches
from plywise.play.state import start_game
from plywise.web import export, study_text
from plywise.web.connection import Connection
from plywise.web.hub import MAX_SAVED_GAMES, new_seed
from plywise.web.jobs.analysis import Analysis
from plywise.web.jobs.hints import answer_draw_offer, find_hint
from plywise.web.jobs.review import Review
from plywise.web.live.game import LiveGame
from plywise.web.live.seats import seat_of, seat_payloads
from plywise.web.live.tree import MAX_NODES
from plywise.web.payloads import phases_payload
from plywise.web.schema import (
    LateAnswer,
    Refused,
    flag,
    list_of,
    nullable,
    number,
    object_with,
    optional,
    request,
    text,
    token,
    whole,
)

Answer = dict[str, Any]

GAME_ID = token(1, 40)  # the id of a saved game
KEY = token(1, 40)  # of a play link
GAME_NAME = text(200, 1)  # the name of a game that can be played
NODE = whole(0, MAX_NODES)
SIDE = whole(0, 1)
MOVE = text(200, 1)
POSITION = text(8000)
SEAT = text(MAX_SEAT, 1)
MAX_THREADS, MAX_HASH = 1024, 1 << 20  # of an analysis; what the machine does not have is not given


def seat(name: str, value: Any) -> dict[str, Any]:
    """Who plays a side: a person, a level from 1 to 10, or a player as text (play/seat.py)."""
    kind = value.get("kind") if isinstance(value, dict) else None
    if kind == "person":
        return dict(object_with(kind=text())(name, value))
    if kind == "level":
        return dict(object_with(kind=text(), level=whole(1, 10))(name, value))
    if kind == "player":
        return dict(object_with(kind=text(), seat=SEAT)(name, value))
    raise Refused(
        f'{name} must be {{"kind": "person"}}, {{"kind": "level", "level": 1 to 10}} or'
        ' {"kind": "player", "seat": TEXT}'
    )


CLOCK = object_with(base=number(1, 86400), increment=number(0, 3600))


def _live_game(connection: Connection, game: str) -> LiveGame:
    """A game that the page has open: whoever has its link may watch."""
    return connection.hub.live_game(connection, game)


def own_game(connection: Connection, game: str) -> LiveGame:
    """A game that the page has open; Refused unless it is the owner's page."""
    live_game = _live_game(connection, game)
    connection.hub.access(connection, live_game).require_owner()
    return live_game


def _played_game(connection: Connection, game: str, side: int) -> LiveGame:
    """A game that the page has open; Refused unless the page may play this side, and a person does."""
    live_game = _live_game(connection, game)
    connection.hub.access(connection, live_game).require_side(side)
    live_game.require_person(side)
    return live_game


# --- games ----------------------------------------------------------------------------------------
@request("hello", visitor=token(22, 100))
def hello(connection: Connection, visitor: str) -> Answer:
    hub = connection.hub
    hub.identify(connection, visitor)
    saved = hub.saved_games(connection.known_owner)
    return {
        "version": plywise.__version__,
        "games": hub.catalogue.game_infos,
        "running": [game for game in saved if not (game.get("outcome") or game.get("binned"))],
        "notes": hub.store.notes,
        "analysis": {"threads": hub.scheduler.count, "hash": hub.large_tables.sizes},
    }


@request("rules", game=GAME_NAME)
def rules(connection: Connection, game: str) -> Answer:
    known = connection.hub.game(game)
    return {"title": known.title, "text": known.rules()}


@request(
    "new",
    game=GAME_NAME,
    seats=list_of(seat, 2, 2),
    position=optional(POSITION, "start"),
    moves=optional(list_of(MOVE, 0, MAX_NODES), []),
    evaluator=optional(nullable(text(100))),
    clock=optional(nullable(CLOCK)),
    orientation=optional(SIDE, 0),
)
def new(
    connection: Connection,
    game: str,
    seats: list[dict[str, Any]],
    position: str,
    moves: list[str],
    evaluator: str | None,
    clock: dict[str, float] | None,
    orientation: int,
) -> Answer:
    hub, known = connection.hub, connection.hub.game(game)
    evaluator = evaluator or known.usual_evaluator
    taken = [seat_of(known, seats[side], side, evaluator) for side in (0, 1)]
    state = start_game(known, position_with_switches(known, position, taken), new_seed())
    for move in moves:
        if state.game.world is not None:
            raise Refused(f"{state.game.title} is not played move by move; begin from a position")
        state = state.follow({state.turn: (move,)})
    seats = seat_payloads(known, taken, state.led_sides)
    live_game = hub.new_game(connection.known_owner, game, seats, state, evaluator, clock, orientation)
    hub.open(connection, live_game.id)
    return {"game": live_game.id}


@request("seat", game=GAME_NAME, side=SIDE, seat=SEAT)
def describe_seat(connection: Connection, game: str, side: int, seat: str) -> Answer:
    """Whether somebody can take this seat, before a game begins; what it is in words."""
    known = connection.hub.game(game)
    taken = seat_of(known, {"kind": "player", "seat": seat}, side)
    return {"words": taken.preset.about if taken.preset is not None else taken.describe(known)}


@request("open", game=GAME_ID, key=optional(nullable(KEY)))
def open_game(connection: Connection, game: str, key: str | None) -> Answer:
    live_game = connection.hub.open(connection, game, key)
    access = connection.hub.access(connection, live_game)
    return {"owner": access.is_owner, "sides": list(access.sides)}


@request("close", game=GAME_ID)
def close_game(connection: Connection, game: str) -> Answer:
    connection.hub.close(connection, game)
    return {}


@request("list")
def list_games(connection: Connection) -> Answer:
    return {"games": connection.hub.saved_games(connection.known_owner, MAX_SAVED_GAMES)}


@request("delete", game=GAME_ID)
def delete(connection: Connection, game: str) -> Answer:
    connection.hub.delete(connection, game)
    return {}


# --- playing --------------------------------------------------------------------------------------
@request("look", game=GAME_ID, node=NODE)
def look(connection: Connection, game: str, node: int) -> Answer:
    return {"view": _live_game(connection, game).view_payload(node)}


@request("play", game=GAME_ID, node=NODE, move=MOVE)
def play(connection: Connection, game: str, node: int, move: str) -> Answer:
    live_game = _live_game(connection, game)
    return {"node": live_game.play(node, move, connection.hub.access(connection, live_game))}


@request("unchoose", game=GAME_ID)
def unchoose(connection: Connection, game: str) -> Answer:
    live_game = _live_game(connection, game)
    live_game.clear_choice(connection.hub.access(connection, live_game))
    return {}


@request("back", game=GAME_ID)
def back(connection: Connection, game: str) -> Answer:
    own_game(connection, game).undo()
    return {}


@request("forward", game=GAME_ID)
def forward(connection: Connection, game: str) -> Answer:
    own_game(connection, game).redo()
    return {}


@request("go", game=GAME_ID, node=NODE)
def go(connection: Connection, game: str, node: int) -> Answer:
    own_game(connection, game).go_to(node)
    return {}


@request("pause", game=GAME_ID, paused=flag)
def pause(connection: Connection, game: str, paused: bool) -> Answer:
    own_game(connection, game).set_paused(paused)
    return {}


@request("resign", game=GAME_ID, side=SIDE)
def resign(connection: Connection, game: str, side: int) -> Answer:
    live_game = _played_game(connection, game, side)
    live_game.end(1 - side, f"{live_game.game.sides[side]} resigned", resigned=side)
    return {}


@request("offer", late=True, game=GAME_ID, side=SIDE)
def offer(connection: Connection, game: str, side: int) -> Answer | LateAnswer:
    live_game = _played_game(connection, game, side)
    live_game.require_running()
    if 1 - side in live_game.person_sides:
        accepted = live_game.offer_draw(side)
        other = side_first(live_game.game.sides[1 - side])
        return {
            "accepted": accepted,
            "words": "Draw agreed." if accepted else f"Draw offered. {other} can accept it.",
        }
    return LateAnswer(lambda: answer_draw_offer(connection, live_game, side))


@request("rematch", game=GAME_ID)
def rematch(connection: Connection, game: str) -> Answer:
    live_game, hub = _live_game(connection, game), connection.hub
    settings = live_game.settings
    state = start_game(live_game.game, settings["root"]["start"], new_seed())
    again = hub.new_game(
        connection.known_owner,
        live_game.name,
        live_game.seats if state.led_sides else live_game.seats[::-1],
        state,
        live_game.evaluator,
        settings["clock"],
        live_game.status.orientation if state.led_sides else 1 - live_game.status.orientation,
    )
    hub.open(connection, again.id)
    return {"game": again.id}


# --- asking ---------------------------------------------------------------------------------------
@request("hint", late=True, game=GAME_ID, node=NODE)
def hint(connection: Connection, game: str, node: int) -> LateAnswer:
    live_game = _live_game(connection, game)
    connection.hub.access(connection, live_game).require_side(live_game.context(node).side)
    return LateAnswer(lambda: find_hint(connection, live_game, node))


@request(
    "analyse",
    game=GAME_ID,
    node=NODE,
    lines=optional(whole(1, 5), 1),
    evaluator=optional(nullable(text(100))),
    threads=optional(whole(1, MAX_THREADS), 1),
    hash=optional(whole(1, MAX_HASH), SERVER_TABLE),
)
def analyse(
    connection: Connection,
    game: str,
    node: int,
    lines: int,
    evaluator: str | None,
    threads: int,
    hash: int,
) -> Answer:
    live_game, hub = _live_game(connection, game), connection.hub
    chosen = evaluator or live_game.evaluator
    live_game.game.evaluation(chosen)
    size = max((one for one in hub.large_tables.sizes if one <= hash), default=SERVER_TABLE)
    with live_game.lock:
        analysis = Analysis(
            connection, live_game, node, lines, chosen, min(threads, hub.scheduler.count), size
        )
    connection.start_job("analysis", analysis)
    return {}


@request("quiet", game=GAME_ID)
def quiet(connection: Connection, game: str) -> Answer:
    connection.stop_job("analysis")
    return {}


@request("preview", game=GAME_ID, node=NODE, move=MOVE)
def preview(connection: Connection, game: str, node: int, move: str) -> Answer:
    live_game = _live_game(connection, game)
    position = live_game.context(node).history.position
    effects = live_game.game.effects(position, live_game.game.read_move(position, move))
    return {"phases": phases_payload(effects)}


@request("terms", game=GAME_ID, node=NODE, evaluator=optional(nullable(text(100))))
def terms(connection: Connection, game: str, node: int, evaluator: str | None) -> Answer:
    live_game = _live_game(connection, game)
    chosen = evaluator or live_game.evaluator
    with live_game.lock:
        state = live_game.node(node).state
    history = state.view(state.turn)
    sign = 1 if history.turn == 0 else -1
    parts = live_game.game.terms(history.position, chosen)
    return {
        "total": sign * sum(parts.values()),
        "unit": live_game.game.evaluation(chosen).unit,
        "terms": [{"name": name, "value": sign * value} for name, value in parts.items()],
    }


@request("review", game=GAME_ID, seconds=optional(number(0.05, 5.0), 0.3))
def review(connection: Connection, game: str, seconds: float) -> Answer:
    live_game = _live_game(connection, game)
    saved = connection.hub.access(connection, live_game).is_owner
    connection.start_job("review", Review(connection, live_game, seconds, saved))
    return {}


@request("stop review", game=GAME_ID)
def stop_review(connection: Connection, game: str) -> Answer:
    connection.stop_job("review")
    return {}


# --- files and links --------------------------------------------------------------------------------
@request("export", slow=True, game=GAME_ID, format=text(40))
def export_game(connection: Connection, game: str, format: str) -> Answer:
    name, words = export.write_game(_live_game(connection, game), format)
    return {"name": name, "text": words}


@request("import", slow=True, limit=256 << 10, game=GAME_NAME, text=text(256 << 10, 1))
def import_game(connection: Connection, game: str, text: str) -> Answer:
    hub = connection.hub
    id, left_out = study_text.import_study(hub, connection.known_owner, game, text)
    hub.open(connection, id)
    return {"game": id, "left_out": left_out}


@request("link", game=GAME_ID, node=NODE)
def link(connection: Connection, game: str, node: int) -> Answer:
    live_game = _live_game(connection, game)
    with live_game.lock:
        words = live_game.node(node).state.text
    return {"fragment": f"#new/{quote(live_game.name, safe='')}/{quote(words, safe='')}"}


@request("invite", game=GAME_ID, side=SIDE)
def invite(connection: Connection, game: str, side: int) -> Answer:
    key = own_game(connection, game).play_key(side)
    return {"watch": f"#game/{game}", "play": f"#game/{game}/{key}"}
