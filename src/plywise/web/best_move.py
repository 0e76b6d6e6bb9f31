"""The best move for a position, for a page of one's own: one question over HTTP or a WebSocket, one answer.

It knows no visitor and keeps nothing. docs/own-page.md describes it; `security.py` decides who may ask.
"""

import asyncio
import json
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from plywise.core.scores import is_sure
from plywise.core.untrusted import read_json
from plywise.core.wording import side_score_text
from plywise.play.player import Player
from plywise.play.seat import Seat
from plywise.play.state import GameState, start_game
from plywise.web.connection import error_text
from plywise.web.hub import Hub, new_seed
from plywise.web.jobs.scheduler import PLAYING
from plywise.web.live.seats import seat_of
from plywise.web.payloads import kind_in_game
from plywise.web.schema import Refused, check_fields, optional, text, whole

USUAL_SEAT = "nodes=100000"
MAX_CHARACTERS = 16 << 10  # of a question
READY_SECONDS = 60.0  # how long a question waits for a game that is being compiled
IDLE_SECONDS = 600.0  # without a question until a WebSocket is closed
MAX_WAITING = 20  # questions that are read ahead of their answers
MAX_SOCKETS = 100  # WebSockets that ask at a time; pages of our own have the others
CANCEL_INTERVAL = 0.05  # seconds between two attempts to end a search that nobody wants
FIELDS = {
    "game": text(200, 1),
    "position": optional(text(8000), "start"),
    "seat": optional(text(1000, 1), USUAL_SEAT),
    "side": optional(whole(0, 1)),
}

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """A side's turn in a state of a game, and who is asked."""

    name: str
    state: GameState
    side: int
    seat: Seat


def read_question(hub: Hub, given: Answer) -> Question:
    """The question that fields ask; Refused, or another PlywiseError, if they ask none."""
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
    return Question(fields["game"], state, side, seat)


class PendingQuestion:
    """A question that is being thought about; whoever asked may go."""

    def __init__(self) -> None:
        self.is_wanted = True
        self.player: Player | None = None

    def cancel(self) -> None:
        """Nobody waits for the answer; again, if the search begins only afterwards."""
        self.is_wanted = False
        if self.player is not None:
            self.player.stop()


def find_best_move(hub: Hub, owner: str, given: Answer, pending: PendingQuestion) -> Answer:
    """What a player would play in a position; Refused, or another PlywiseError, if there is no answer."""
    question = read_question(hub, given)
    state, side, seat, game = question.state, question.side, question.seat, question.state.game
    source = hub.catalogue.source(question.name)
    pool = hub.pool.engines(game, source, seat.evaluator, seat.player, seat.without)
    if seat.depth is not None or seat.nodes is not None:
        pool.ready.wait(READY_SECONDS)  # else the first answer would be less than was asked for
    player = Player(game, seat.strength(game), seed=new_seed(), pool=pool)
    pending.player = player
    with hub.scheduler.hold(owner, PLAYING, player.stop, lambda: pending.is_wanted):
        decision = player.think(state, side)
    answer: Answer = {
        "game": question.name,
        "position": state.text,
        "turn": side,
        "move": decision.moves[0],
        "moves": list(decision.moves),
        "label": _label(state, side, decision.moves[0]),
    }
    if decision.result is not None and decision.line is not None:
        result, line = decision.result, decision.line
        points = None if is_sure(line.score) else line.score / result.unit
        kind = kind_in_game(game, line.kind)
        words = side_score_text(game, side, line.score, kind, result.unit)
        answer |= {"score": points, "kind": str(kind), "words": words, "line": list(line.moves)}
        answer |= {"depth": result.depth, "nodes": result.nodes}
    return answer


def _label(state: GameState, side: int, move: str) -> str:
    position = state.view(side).position
    return state.game.label(position, state.game.read_move(position, move))


async def _ask(hub: Hub, owner: str, given: Answer, gone: Coroutine[Any, Any, Any]) -> tuple[int, Answer]:
    """The status and the answer to a question, thought about in a thread of its own.

    When `gone` ends nobody waits any more, and the thinking ends too.
    """
    loop, pending = asyncio.get_running_loop(), PendingQuestion()
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
            answer = find_best_move(hub, owner, given, pending)
        except Exception as error:
            failure = error
        try:
            loop.call_soon_threadsafe(deliver, answer, failure)
        except RuntimeError:  # the server has ended meanwhile
            pass

    leaving = asyncio.create_task(gone)
    try:
        hub.search_threads.start(owner, work)
        await asyncio.wait({future, leaving}, return_when=asyncio.FIRST_COMPLETED)
        while not future.done():
            pending.cancel()
            await asyncio.wait({future}, timeout=CANCEL_INTERVAL)
        return 200, future.result()
    except Exception as error:
        return 400, {"error": error_text(error)}
    finally:
        pending.cancel()  # the server may have ended
        leaving.cancel()


def _owner(origin: str | None) -> str:
    """Whose question it is to the scheduler: pages of one origin share their turns."""
    return f"origin {origin or 'none'}"


async def answer_http(hub: Hub, request: Request) -> Response:
    """`GET /api/best-move?game=G&position=P&seat=S`: a JSON object, or one with `error` and status 400."""
    given: Answer = dict(request.query_params)
    if given.get("side") in ("0", "1"):
        given["side"] = int(given["side"])
    status, answer = await _ask(hub, _owner(request.headers.get("origin")), given, _wait_for_end(request))
    return JSONResponse(answer, status)


async def _wait_for_end(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def answer_websocket(hub: Hub, socket: WebSocket) -> None:
    """`/api/best-move` as a WebSocket: a message is a question with an `id`, which its answer has as `re`."""
    owner, questions, gone = _owner(socket.headers.get("origin")), asyncio.Queue[str](), asyncio.Event()
    await socket.accept()
    if hub.asking_sockets >= MAX_SOCKETS:
        words = f"{MAX_SOCKETS} WebSockets ask already; close one and try again"
        await socket.send_text(json.dumps({"re": None, "error": words}))
        await socket.close(1013)
        return
    hub.asking_sockets += 1
    listening = asyncio.create_task(_listen(socket, questions, gone))
    try:
        while not gone.is_set():
            async with asyncio.timeout(IDLE_SECONDS):
                words = await questions.get()
            id, answer = _read_question(words)
            if "error" not in answer:
                _, answer = await _ask(hub, owner, answer, gone.wait())
            if not gone.is_set():
                await socket.send_text(json.dumps({"re": id, **answer}))
    except TimeoutError:  # nothing was asked for long
        await socket.close(1008)
    except (WebSocketDisconnect, RuntimeError):  # it has gone while it was answered
        pass
    finally:
        hub.asking_sockets -= 1
        listening.cancel()


async def _listen(socket: WebSocket, questions: asyncio.Queue[str], gone: asyncio.Event) -> None:
    """Read questions ahead of their answers, so that the end of the connection is noticed meanwhile."""
    try:
        while True:
            # Of a question that is too long as much is kept as says so.
            await questions.put((await socket.receive_text())[: MAX_CHARACTERS + 1])
            while questions.qsize() >= MAX_WAITING:
                await asyncio.sleep(CANCEL_INTERVAL)
    except WebSocketDisconnect:
        pass
    except KeyError:  # bytes, not text
        await socket.close(1008)
    finally:
        gone.set()
        questions.put_nowait("")


def _read_question(words: str) -> tuple[Any, Answer]:
    if len(words) > MAX_CHARACTERS:
        return None, {"error": f"a question may have {MAX_CHARACTERS} characters"}
    try:
        given = read_json(words)
    except ValueError as error:
        return None, {"error": f"a question must be one JSON object: {error}"}
    if not isinstance(given, dict):
        return None, {"error": "a question must be one JSON object"}
    id = given.pop("id", None)
    if not isinstance(id, int | None):
        return None, {"error": "the id of a question must be a whole number"}
    given.pop("error", None)
    return id, given
