"""The best move for a position, for a page of one's own: one question over HTTP or a WebSocket, one answer.

It knows no visitor and keeps nothing. docs/own-page.md describes it; `security.py` decides who may ask.
"""

import asyncio
import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from plywise.core.scores import is_sure
from plywise.core.wording import side_score_text
from plywise.play.player import Player
from plywise.play.state import GameState, start_game
from plywise.web.connection import error_text
from plywise.web.hub import Hub, new_seed
from plywise.web.jobs.scheduler import PLAYING
from plywise.web.live.seats import seat_of
from plywise.web.schema import Refused, check_fields, optional, text, whole

USUAL_SEAT = "nodes=100000"
MAX_CHARACTERS = 16 << 10  # of a question
IDLE_SECONDS = 600.0  # without a question until a WebSocket is closed
FIELDS = {
    "game": text(200, 1),
    "position": optional(text(8000), "start"),
    "seat": optional(text(1000, 1), USUAL_SEAT),
    "side": optional(whole(0, 1)),
}

Answer = dict[str, Any]


def find_best_move(hub: Hub, owner: str, given: Answer) -> Answer:
    """What a player would play in a position; Refused, or another PlywiseError, if there is no answer."""
    fields = check_fields("the question", FIELDS, given)
    game = hub.game(fields["game"])
    state = start_game(game, fields["position"], new_seed())
    side = state.turn if fields["side"] is None else fields["side"]
    if state.outcome is not None:
        raise Refused(f"the game is over: {state.outcome.reason}")
    if side not in state.sides_to_move:
        raise Refused(f"{game.sides[side]} do not choose here")
    seat = seat_of(game, {"kind": "player", "seat": fields["seat"]}, side)
    if seat.is_person or seat.switch:
        raise Refused(f"seat must be a level, an elo or a player, not {seat.text!r}")
    source = hub.catalogue.source(fields["game"])
    pool = hub.pool.engines(game, source, seat.evaluator, seat.player, seat.without)
    player = Player(game, seat.strength(game), seed=new_seed(), pool=pool)
    with hub.scheduler.hold(owner, PLAYING, player.stop):
        decision = player.think(state, side)
    answer: Answer = {
        "game": fields["game"],
        "position": state.text,
        "turn": side,
        "move": decision.moves[0],
        "moves": list(decision.moves),
        "label": _label(state, side, decision.moves[0]),
    }
    if decision.result is not None and decision.line is not None:
        result, line = decision.result, decision.line
        points = None if is_sure(line.score) else line.score / result.unit
        words = side_score_text(game, side, line.score, line.kind, result.unit)
        answer |= {"score": points, "kind": str(line.kind), "words": words, "line": list(line.moves)}
        answer |= {"depth": result.depth, "nodes": result.nodes}
    return answer


def _label(state: GameState, side: int, move: str) -> str:
    position = state.view(side).position
    return state.game.label(position, state.game.read_move(position, move))


async def _ask(hub: Hub, owner: str, given: Answer) -> tuple[int, Answer]:
    """The status and the answer to a question, thought about in a thread of its own."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Answer] = loop.create_future()

    def deliver(answer: Answer | None, error: Exception | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        elif answer is not None:
            future.set_result(answer)

    def work() -> None:
        answer, failure = None, None
        try:
            answer = find_best_move(hub, owner, given)
        except Exception as error:
            failure = error
        try:
            loop.call_soon_threadsafe(deliver, answer, failure)
        except RuntimeError:  # the server has ended meanwhile
            pass

    try:
        hub.search_threads.start(owner, work)
        return 200, await future
    except Exception as error:
        return 400, {"error": error_text(error)}


def _owner(origin: str | None) -> str:
    """Whose question it is to the scheduler: pages of one origin share their turns."""
    return f"origin {origin or 'none'}"


async def answer_http(hub: Hub, request: Request) -> Response:
    """`GET /api/best-move?game=G&position=P&seat=S`: a JSON object, or one with `error` and status 400."""
    given: Answer = dict(request.query_params)
    if given.get("side") in ("0", "1"):
        given["side"] = int(given["side"])
    status, answer = await _ask(hub, _owner(request.headers.get("origin")), given)
    return JSONResponse(answer, status)


async def answer_websocket(hub: Hub, socket: WebSocket) -> None:
    """`/api/best-move` as a WebSocket: a message is a question with an `id`, which its answer has as `re`."""
    owner = _owner(socket.headers.get("origin"))
    await socket.accept()
    try:
        while True:
            async with asyncio.timeout(IDLE_SECONDS):
                words = await socket.receive_text()
            id, answer = _read_question(words)
            if "error" not in answer:
                _, answer = await _ask(hub, owner, answer)
            await socket.send_text(json.dumps({"re": id, **answer}))
    except WebSocketDisconnect:
        return
    except (TimeoutError, KeyError):  # nothing was asked for long; or bytes, not text
        await socket.close(1008)


def _read_question(words: str) -> tuple[Any, Answer]:
    if len(words) > MAX_CHARACTERS:
        return None, {"error": f"a question may have {MAX_CHARACTERS} characters, not {len(words)}"}
    try:
        given = json.loads(words)
    except (ValueError, RecursionError) as error:
        return None, {"error": f"a question must be one JSON object: {error}"}
    if not isinstance(given, dict):
        return None, {"error": "a question must be one JSON object"}
    id = given.pop("id", None)
    if not isinstance(id, int | None):
        return None, {"error": "the id of a question must be a whole number"}
    given.pop("error", None)
    return id, given
