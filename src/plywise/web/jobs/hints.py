"""Hints for a person, and an engine's answer to the offer of a draw."""

import threading
from typing import Any

from plywise.core.history import History
from plywise.core.wording import side_first
from plywise.search.limits import Limits
from plywise.search.result import Result
from plywise.web.connection import Connection
from plywise.web.jobs.cancellable import search_with_stop
from plywise.web.jobs.scheduler import PLAYING
from plywise.web.live import practice
from plywise.web.live.game import LiveGame
from plywise.web.payloads import move_steps, result_words
from plywise.web.schema import Refused

HINT_LIMITS = Limits(time=0.8)


def _search(connection: Connection, live_game: LiveGame, history: History, limits: Limits) -> Result:
    hub = connection.hub
    with (
        hub.scheduler.hold(connection.known_owner, PLAYING, wanted=connection.is_connected),
        hub.engines(live_game).borrow(large=True) as engine,
    ):
        assert engine is not None, "nobody stops it"
        return search_with_stop(engine, history, limits, threading.Event())


def find_hint(connection: Connection, live_game: LiveGame, n: int) -> dict[str, Any]:
    """The move that Plywise would play, and its score."""
    at = live_game.context(n)
    at.require_running()
    history = at.history
    result = _search(connection, live_game, history, HINT_LIMITS)
    if result.move is None:
        raise Refused("there is no move to play here")
    game = live_game.game
    label = game.label(history.position, result.number)
    score = result_words(history, result)
    practice.count_hint(live_game)
    return {
        "move": result.move,
        "said": label,
        "steps": move_steps(history, result.move),
        "words": f"Plywise would play {label}: {score}",
    }


def find_threat(connection: Connection, live_game: LiveGame, n: int) -> dict[str, Any]:
    """What the other side would play if this one passed; refused where the game does not let it."""
    at = live_game.context(n)
    at.require_running()
    game, position = live_game.game, at.history.position
    if not position.can_skip():
        raise Refused(f"no threat can be shown here: in {game.title} nobody may pass")
    passed = History(game, position.skip())
    result = _search(connection, live_game, passed, HINT_LIMITS)
    if result.move is None:
        raise Refused("there is no threat here")
    label = game.label(passed.position, result.number)
    words = f"Threat: {label} ({result_words(passed, result)})"
    return {"move": result.move, "said": label, "steps": move_steps(passed, result.move), "words": words}


def answer_draw_offer(connection: Connection, live_game: LiveGame, side: int) -> dict[str, Any]:
    """Whether the engine accepts the draw that a person offers."""
    with live_game.lock:
        state = live_game.tip.state
    player = live_game.player(1 - side)
    with connection.hub.scheduler.hold(connection.known_owner, PLAYING, wanted=connection.is_connected):
        accepted = player.accepts_draw(state, 1 - side)
    engine = side_first(live_game.game.sides[1 - side])
    if not accepted:
        return {"accepted": False, "words": f"{engine} declines the draw."}
    with live_game.lock:
        if live_game.tip.state is not state:
            raise Refused("the game has gone on meanwhile")
        live_game.end(None, "agreed")
    return {"accepted": True, "words": f"{engine} accepts the draw."}
