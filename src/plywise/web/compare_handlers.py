"""The handler of "Side by side": two players, levels, evaluations or switches on one position."""

from typing import TYPE_CHECKING, Any

from plywise.core.history import History
from plywise.core.wording import line_labels
from plywise.play.seat import MAX_SEAT, Seat
from plywise.search.specialisation import is_cached
from plywise.web.connection import Connection
from plywise.web.handlers import GAME_ID, NODE
from plywise.web.jobs.cancellable import stop_all
from plywise.web.jobs.scheduler import ANALYSING
from plywise.web.live.seats import seat_of
from plywise.web.payloads import line_payload, score_words
from plywise.web.schema import LateAnswer, Refused, list_of, optional, request, text, whole
from plywise.web.why.recording import start_compiling

if TYPE_CHECKING:  # the explanations are imported when they are first asked for
    from plywise.explain import Icicle
    from plywise.explain.side_by_side import View
    from plywise.search.result import Line

Answer = dict[str, Any]
MAX_NODES = 50_000
MAX_NODES_UNCOMPILED = 1500  # where the search of one of the two is not compiled
MAX_SECONDS = 10.0  # of each of the two


@request(
    "side-by-side",
    late=True,
    game=GAME_ID,
    node=NODE,
    seats=list_of(text(MAX_SEAT, 1), 2, 2),
    nodes=optional(whole(100, MAX_NODES), 20_000),
)
def side_by_side(connection: Connection, game: str, node: int, seats: list[str], nodes: int) -> LateAnswer:
    """What two seats see in one position: the move, the lines, the terms, the nodes and the tree of each."""
    live_game = connection.hub.live_game(connection, game)
    at = live_game.context(node)
    at.require_running()
    history, known = at.history, live_game.game
    taken = [seat_of(known, {"kind": "player", "seat": one}) for one in seats]
    for seat in taken:
        if seat.is_person or seat.switch:
            raise Refused(f"{seat.text!r} cannot be compared: name a level, an evaluation or a player")
    compiled = [_is_ready(history, seat) for seat in taken]
    most = nodes if all(compiled) else min(nodes, MAX_NODES_UNCOMPILED)
    waiting = [
        seat for seat, ready in zip(taken, compiled, strict=True) if not ready and _can_compile(history, seat)
    ]
    for seat in waiting:
        start_compiling(connection.hub.catalogue.source(live_game.name), seat.evaluator)

    def work() -> Answer:
        from plywise.explain.side_by_side import view

        views = []
        for seat, ready in zip(taken, compiled, strict=True):
            with connection.hub.scheduler.hold(
                connection.known_owner, ANALYSING, wanted=connection.is_connected
            ):
                views.append(
                    view(
                        history,
                        seat,
                        most,
                        compiled=ready,
                        watch=lambda engine: stop_all(engine, connection.closed, MAX_SECONDS),
                    )
                )
        return {
            "nodes": most,
            "preparing": bool(waiting),
            "views": [view_payload(history, one) for one in views],
        }

    return LateAnswer(work)


def _is_ready(history: History, seat: Seat) -> bool:
    """Whether compiled code is there; nobody waits for the compiler here."""
    return _can_compile(history, seat) and is_cached(history.game, seat.evaluator, record=True)


def _can_compile(history: History, seat: Seat) -> bool:
    """Whether there can be compiled code; textbook players and plain games have none."""
    return history.game.compiled and seat.player == "default"


def view_payload(history: History, one: "View") -> Answer:
    """A view as the page shows it; scores and terms are for the first side."""
    game, turn = history.game, history.turn
    sign = 1 if turn == 0 else -1
    label = None
    if one.move is not None:
        label = game.label(history.position, game.read_move(history.position, one.move))
    return {
        "name": one.seat.describe(game),
        "move": one.move,
        "said": label,
        "words": "" if one.line is None else score_words(game, turn, one.line.score, one.line.kind, one.unit),
        "note": "" if one.higher is None else higher_words(history, one.higher),
        "lines": [line_payload(history, line, one.seat.evaluator) for line in one.lines],
        "unit": one.unit,
        "terms": [{"name": name, "value": sign * value} for name, value in one.terms.items()],
        "total": sign * sum(one.terms.values()),
        "depth": one.depth,
        "nodes": one.nodes,
        "tree": None if one.tree is None else _tree_payload(one.tree),
    }


def higher_words(history: History, line: "Line") -> str:
    """Why another line stands below the chosen one although it scores higher."""
    label = line_labels(history, line.numbers[:1])[0]
    return f"{label} scores higher when it is searched without the first move; two searches may differ."


def _tree_payload(tree: "Icicle") -> Answer:
    data = tree.as_dict()
    return {key: data[key] for key in ("nodes", "level", "left", "right", "cause")}
