"""A second opinion: hints for a person, and what an engine thinks of a draw."""

import threading
from typing import TYPE_CHECKING, Any

from plywise.core.history import History
from plywise.search.limits import Limits
from plywise.search.result import Result
from plywise.web.requests import Refused
from plywise.web.searching import searched
from plywise.web.slots import PLAYING
from plywise.web.views import played_from, result_words, steps_of

if TYPE_CHECKING:
    from plywise.web.table import Table
    from plywise.web.visit import Visit

HINT = Limits(time=0.8)


def _look(visit: "Visit", table: "Table", history: History, limits: Limits) -> Result:
    house = table.house
    with (
        house.slots.hold(visit.who, PLAYING, wanted=visit.is_there),
        house.engines(table).lent(large=True) as engine,
    ):
        assert engine is not None, "nobody stops it"
        return searched(engine, history, limits, threading.Event())


def advice(visit: "Visit", table: "Table", n: int) -> dict[str, Any]:
    """What Plywise would play, and why."""
    with table.lock:
        stage = table.node(n).stage
        here = n == table.standing.tip
        outcome = table.outcome if here else stage.outcome
        if outcome is not None:
            raise Refused(f"the game is over: {outcome.reason}")
        chosen = table.standing.chosen if here else {}
        side = table.side_choosing(stage, chosen)
        history = played_from(stage, side, chosen.get(side, ()))
    result = _look(visit, table, history, HINT)
    if result.move is None:
        raise Refused("there is no move to play here")
    game = table.game
    said = game.said(history.position, result.number)
    score = result_words(history, result)
    table.hinted()
    return {
        "move": result.move,
        "said": said,
        "steps": steps_of(history, result.move),
        "words": f"Plywise would play {said}: {score}",
    }


def answer_to_offer(visit: "Visit", table: "Table", side: int) -> dict[str, Any]:
    """Whether the engine takes the draw that a person offers."""
    with table.lock:
        stage = table.tip.stage
    player = table.player(1 - side)
    with table.house.slots.hold(visit.who, PLAYING, wanted=visit.is_there):
        content = player.accepts_draw(stage, 1 - side)
    engine = table.game.sides[1 - side]
    if not content:
        return {"accepted": False, "words": f"{engine} would rather play on"}
    with table.lock:
        if table.tip.stage is not stage:
            raise Refused("the game has gone on meanwhile")
        table.end(None, "agreed")
    return {"accepted": True, "words": f"{engine} accepts the draw"}
