"""Handlers of "Why is this bad?" and of "Learn from your mistakes".

A mistake is known by the node that it led to. A person tries a better move at the position before it; what
came of that is saved with the game.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from plywise.core.history import History
from plywise.core.wording import with_article
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.web.connection import Connection
from plywise.web.handlers import GAME_ID, MOVE, NODE, own_game
from plywise.web.jobs.cancellable import stop_all
from plywise.web.jobs.scheduler import PLAYING
from plywise.web.live import practice
from plywise.web.live.game import LiveGame
from plywise.web.live.tree import Node
from plywise.web.payloads import move_steps
from plywise.web.schema import LateAnswer, Refused, nullable, optional, request, text

if TYPE_CHECKING:  # the explanations are imported when the first move is explained
    from plywise.explain import Continuation, WhyBad

Answer = dict[str, Any]
# Of each of four to twelve searches, some have twice that: a second in all. By processor time: a busy machine
# answers later, but a good move is not called bad because nothing was searched.
LIMITS = Limits(cpu=0.06)
MAX_SECONDS = 8.0  # for all of it, whatever the processor is busy with


@request(
    "why-bad",
    late=True,
    game=GAME_ID,
    node=NODE,
    move=optional(nullable(MOVE)),
    evaluator=optional(nullable(text(100))),
)
def why_bad(
    connection: Connection, game: str, node: int, move: str | None, evaluator: str | None
) -> LateAnswer:
    """Why the move that led to a node is bad; with `move`, why that one would be, played at the node."""
    live_game = connection.hub.live_game(connection, game)
    if evaluator is not None:
        live_game.game.evaluation(evaluator)
    history, choice, start = (
        _before(live_game, live_game.node(node))
        if move is None
        else (live_game.context(node).history, (move,), node)
    )
    history.play(choice[0])  # refused at once if it is not legal
    marked = live_game.status.marks.get(node, (None, 0.0))[0] if move is None else None

    def work() -> Answer:
        answer = _explain(connection, live_game, history, choice, start, evaluator)
        answer["words"] += review_words(marked, answer["mark"])
        return answer

    return LateAnswer(work)


def review_words(marked: str | None, mark: str | None) -> list[str]:
    """A sentence where the review marked the move otherwise than the search that explains it.

    >>> review_words("mistake", "inaccuracy")
    ['The review marked it as a mistake; two searches may differ.']
    """
    if marked is None or marked == mark:
        return []
    return [f"The review marked it as {with_article(marked)}; two searches may differ."]


@request("try", late=True, game=GAME_ID, node=NODE, move=MOVE)
def try_move(connection: Connection, game: str, node: int, move: str) -> LateAnswer:
    """A move in place of the mistake that led to a node: whether it is good enough, and why not."""
    live_game = own_game(connection, game)
    history, _, start = _before(live_game, live_game.node(node))
    history.play(move)

    def work() -> Answer:
        answer = _explain(connection, live_game, history, (move,), start, None, reveal=False)
        practice.count_try(live_game, node, answer["good"])
        return answer

    return LateAnswer(work)


@request("solution", late=True, game=GAME_ID, node=NODE)
def solution(connection: Connection, game: str, node: int) -> LateAnswer:
    """The better move in place of the mistake that led to a node; it counts as shown, not as solved."""
    live_game = own_game(connection, game)
    history, choice, start = _before(live_game, live_game.node(node))

    def work() -> Answer:
        answer = _explain(connection, live_game, history, choice, start, None)
        practice.show_solution(live_game, node)
        return answer

    return LateAnswer(work)


def _before(live_game: LiveGame, node: Node) -> tuple[History, Sequence[str], int]:
    """The position before a node, what was chosen there, and the number of its node."""
    if node.parent is None:
        raise Refused("this is the start; choose a move first")
    # Where both sides choose, it is a person's choice that is asked about.
    sides = [side for side in node.choices if side in live_game.person_sides] or list(node.choices)
    side = sides[0] if node.side is None else node.side
    with live_game.lock:
        history = node.parent.state.view(side)
    return history, node.choices[side], node.parent.n


def _explain(
    connection: Connection,
    live_game: LiveGame,
    history: History,
    choice: Sequence[str],
    start: int,
    evaluator: str | None,
    reveal: bool = True,
) -> Answer:
    """Explain a choice; of several moves in a row, the first one that is bad, or all of them."""
    from plywise.explain import why_bad as explain

    hub = connection.hub
    with (
        hub.scheduler.hold(connection.known_owner, PLAYING, wanted=connection.is_connected),
        hub.engines(live_game, evaluator).borrow(large=True) as engine,
    ):
        assert engine is not None, "nobody stops it"
        with stop_all(engine, connection.closed, MAX_SECONDS):
            *before, found = _until_bad(engine, history, choice, explain)
    if not found.is_reliable:
        raise Refused(f"{live_game.game.title} is still getting ready; ask again in a few seconds")
    return payload(found, start, before, reveal or found.is_good)


def _until_bad(
    engine: Engine, history: History, choice: Sequence[str], explain: "Callable[..., WhyBad]"
) -> "list[WhyBad]":
    """The explanations of the moves of a choice, to the first one that is bad."""
    found = []
    for move in choice:
        found.append(explain(engine, history, move, LIMITS))
        if found[-1].is_bad:
            break
        history = history.play(move)
    return found


def payload(found: "WhyBad", start: int, before: "Sequence[WhyBad]" = (), reveal: bool = True) -> Answer:
    """A reason as the page shows it; `start` is the node from which the moves are played.

    `before` are those of the moves that were made in the same turn before this one; none of them is bad.
    Without `reveal` nothing tells the better move.
    """
    from plywise.explain import why_bad_sentences

    words = [] if found.is_bad else [sentence for one in before for sentence in why_bad_sentences(one)]
    history = before[0].history if before else found.history
    way = tuple(one.played.move for one in before)
    return {
        "from": start,
        "mark": found.mark,
        "good": all(one.is_good for one in (*before, found)),
        "bad": found.is_bad,
        "doubted": any(one.is_doubted for one in (*before, found)),
        "words": [*words, *why_bad_sentences(found, reveal)],
        "depth": found.played.depth,
        "played": _continuation_payload(history, way, found.played, found),
        "best": _continuation_payload(history, way, found.best, found) if reveal else None,
    }


def _continuation_payload(
    history: History, way: tuple[str, ...], one: "Continuation", found: "WhyBad"
) -> Answer:
    """A line as the page shows it; the moves of `way` lead to its first one."""
    from plywise.explain.wording import labels

    # To the position that stands for the score: what is said to be won is won by then.
    line = (*way, *(one.shown or one.line))
    reply, steps, now = one.reply(found.history), [], history
    for move in line:
        steps.append(move_steps(now, move))
        now = now.play(move)
    return {
        "move": one.move,
        "line": list(line),
        "said": labels(history, line),
        "steps": steps,
        "first": len(way),
        "reply": None if reply is None else len(way) + one.line.index(reply, 1),
    }
