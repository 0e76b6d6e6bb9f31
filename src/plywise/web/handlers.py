"""What the page asks of its games: one small handler a request. They translate and do nothing else."""

from typing import Any
from urllib.parse import quote

import plywise
from plywise.play import records
from plywise.play.stage import begin
from plywise.web import exchange
from plywise.web.analysis import Analysis
from plywise.web.house import new_seed
from plywise.web.requests import (
    Later,
    Refused,
    flag,
    listed,
    nullable,
    number,
    optional,
    request,
    shaped,
    text,
    token,
    whole,
)
from plywise.web.review import Review
from plywise.web.second import advice, answer_to_offer
from plywise.web.table import Table
from plywise.web.tree import MOST_NODES, PERSON
from plywise.web.views import phases_data, played_from
from plywise.web.visit import Visit

Answer = dict[str, Any]

GAME = token(1, 40)  # the id of a game that is kept
NAME = text(200, 1)  # the name of a game that can be played
NODE = whole(0, MOST_NODES)
SIDE = whole(0, 1)
MOVE = text(200, 1)
POSITION = text(8000)


def seat(name: str, value: Any) -> dict[str, Any]:
    """Who plays a side: a person, or a level from 1 to 10."""
    kind = value.get("kind") if isinstance(value, dict) else None
    if kind == "person":
        return dict(shaped(kind=text())(name, value))
    if kind == "level":
        return dict(shaped(kind=text(), level=whole(1, 10))(name, value))
    raise Refused(f'{name} must be {{"kind": "person"}} or {{"kind": "level", "level": 1 to 10}}')


CLOCK = shaped(base=number(1, 86400), increment=number(0, 3600))


def _table(visit: Visit, game: str) -> Table:
    return visit.house.table(visit, game)


# --- coming in ------------------------------------------------------------------------------------
@request("hello", visitor=token(22, 100))
def hello(visit: Visit, visitor: str) -> Answer:
    house = visit.house
    house.greet(visit, visitor)
    kept = house.store.list(visit.who)
    return {
        "version": plywise.__version__,
        "games": house.catalogue.infos,
        "running": [one for one in kept if one.get("outcome") is None],
        "notes": house.store.notes,
    }


@request("rules", game=NAME)
def rules(visit: Visit, game: str) -> Answer:
    known = visit.house.game(game)
    return {"title": known.title, "text": known.rules()}


@request(
    "new",
    game=NAME,
    seats=listed(seat, 2, 2),
    position=optional(POSITION, "start"),
    moves=optional(listed(MOVE, 0, MOST_NODES), []),
    evaluator=optional(text(100), "default"),
    clock=optional(nullable(CLOCK)),
    orientation=optional(SIDE, 0),
)
def new(
    visit: Visit,
    game: str,
    seats: list[dict[str, Any]],
    position: str,
    moves: list[str],
    evaluator: str,
    clock: dict[str, float] | None,
    orientation: int,
) -> Answer:
    house = visit.house
    stage = begin(house.game(game), position, new_seed())
    for move in moves:
        if stage.game.world is not None:
            raise Refused(f"{stage.game.title} is not played move by move; begin from a position")
        stage = stage.play({stage.turn: (move,)})
    table = house.add(visit.who, game, seats, stage, evaluator, clock, orientation)
    house.open(visit, table.id)
    return {"game": table.id}


@request("open", game=GAME)
def open_game(visit: Visit, game: str) -> Answer:
    visit.house.open(visit, game)
    return {}


@request("close", game=GAME)
def close_game(visit: Visit, game: str) -> Answer:
    visit.house.close(visit, game)
    return {}


@request("list")
def list_games(visit: Visit) -> Answer:
    return {"games": visit.house.store.list(visit.who)}


@request("delete", game=GAME)
def delete(visit: Visit, game: str) -> Answer:
    visit.house.delete(visit, game)
    return {}


# --- playing --------------------------------------------------------------------------------------
@request("look", game=GAME, node=NODE)
def look(visit: Visit, game: str, node: int) -> Answer:
    return {"view": _table(visit, game).view(node)}


@request("play", game=GAME, node=NODE, move=MOVE)
def play(visit: Visit, game: str, node: int, move: str) -> Answer:
    _table(visit, game).play(node, move)
    return {}


@request("unchoose", game=GAME)
def unchoose(visit: Visit, game: str) -> Answer:
    _table(visit, game).unchoose()
    return {}


@request("back", game=GAME)
def back(visit: Visit, game: str) -> Answer:
    _table(visit, game).back()
    return {}


@request("forward", game=GAME)
def forward(visit: Visit, game: str) -> Answer:
    _table(visit, game).forward()
    return {}


@request("go", game=GAME, node=NODE)
def go(visit: Visit, game: str, node: int) -> Answer:
    _table(visit, game).go(node)
    return {}


@request("pause", game=GAME, paused=flag)
def pause(visit: Visit, game: str, paused: bool) -> Answer:
    _table(visit, game).pause(paused)
    return {}


@request("resign", game=GAME, side=SIDE)
def resign(visit: Visit, game: str, side: int) -> Answer:
    table = _table(visit, game)
    table.must_be_person(side)
    table.end(1 - side, f"{table.game.sides[side]} resigned", resigned=side)
    return {}


@request("offer", late=True, game=GAME, side=SIDE)
def offer(visit: Visit, game: str, side: int) -> Answer | Later:
    table = _table(visit, game)
    table.must_be_open()
    table.must_be_person(side)
    if 1 - side in table.people:
        accepted = table.offer(side)
        other = table.game.sides[1 - side]
        return {
            "accepted": accepted,
            "words": "a draw" if accepted else f"{other} may accept by offering, too",
        }
    return Later(lambda: answer_to_offer(visit, table, side))


@request("rematch", game=GAME)
def rematch(visit: Visit, game: str) -> Answer:
    table, house = _table(visit, game), visit.house
    settings = table.settings
    again = house.add(
        visit.who,
        table.name,
        table.seats[::-1],
        begin(table.game, settings["root"]["start"], new_seed()),
        table.evaluator,
        settings["clock"],
        1 - table.standing.orientation,
    )
    house.open(visit, again.id)
    return {"game": again.id}


# --- asking ---------------------------------------------------------------------------------------
@request("hint", late=True, game=GAME, node=NODE)
def hint(visit: Visit, game: str, node: int) -> Later:
    table = _table(visit, game)
    table.node(node)
    return Later(lambda: advice(visit, table, node))


@request(
    "analyse",
    game=GAME,
    node=NODE,
    lines=optional(whole(1, 5), 1),
    evaluator=optional(nullable(text(100))),
)
def analyse(visit: Visit, game: str, node: int, lines: int, evaluator: str | None) -> Answer:
    table = _table(visit, game)
    chosen = evaluator or table.evaluator
    table.game.evaluation(chosen)
    with table.lock:
        work = Analysis(visit, table, node, lines, chosen)
    visit.begin("analysis", work)
    return {}


@request("quiet", game=GAME, stop=optional(flag))
def quiet(visit: Visit, game: str, stop: bool | None) -> Answer:
    visit.end("analysis")
    return {}


@request("preview", game=GAME, node=NODE, move=MOVE)
def preview(visit: Visit, game: str, node: int, move: str) -> Answer:
    table = _table(visit, game)
    with table.lock:
        stage = table.node(node).stage
        chosen = table.standing.chosen if node == table.standing.tip else {}
        side = table.side_choosing(stage, chosen)
        history = played_from(stage, side, chosen.get(side, ()))
    return {
        "phases": phases_data(
            table.game.effects(history.position, table.game.read_move(history.position, move))
        )
    }


@request("terms", game=GAME, node=NODE, evaluator=optional(nullable(text(100))))
def terms(visit: Visit, game: str, node: int, evaluator: str | None) -> Answer:
    table = _table(visit, game)
    chosen = evaluator or table.evaluator
    with table.lock:
        stage = table.node(node).stage
    history = stage.view(stage.turn)
    sign = 1 if history.turn == 0 else -1
    parts = table.game.terms(history.position, chosen)
    return {
        "total": sign * sum(parts.values()),
        "unit": table.game.evaluation(chosen).unit,
        "terms": [{"name": name, "value": sign * value} for name, value in parts.items()],
    }


@request("review", game=GAME, seconds=optional(number(0.05, 5.0), 0.3))
def review(visit: Visit, game: str, seconds: float) -> Answer:
    table = _table(visit, game)
    work = Review(visit, table, seconds)
    visit.begin("review", work)
    return {}


# --- in and out -----------------------------------------------------------------------------------
@request("export", game=GAME, format=text(40))
def export(visit: Visit, game: str, format: str) -> Answer:
    name, words = exchange.write(_table(visit, game), format)
    return {"name": name, "text": words}


@request("import", limit=256 << 10, game=NAME, text=text(256 << 10, 1))
def import_game(visit: Visit, game: str, text: str) -> Answer:
    house = visit.house
    stage, _ = records.read(house.game(game), text)
    table = house.add(visit.who, game, [PERSON, PERSON], stage)
    house.open(visit, table.id)
    return {"game": table.id}


@request("link", game=GAME, node=NODE)
def link(visit: Visit, game: str, node: int) -> Answer:
    table = _table(visit, game)
    with table.lock:
        words = table.node(node).stage.text
    return {"fragment": f"#new/{quote(table.name, safe='')}/{quote(words, safe='')}"}
