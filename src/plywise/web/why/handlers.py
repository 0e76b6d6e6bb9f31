"""Handlers of the tab "Why": recorded searches, their trees, pruned moves, and lessons.

A request about a record names it by its number, so that no answer is about another one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plywise.core.history import History
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.switches import switches
from plywise.web.connection import Connection
from plywise.web.handlers import GAME_ID, GAME_NAME, MOVE, NODE
from plywise.web.jobs.cancellable import stop_all
from plywise.web.jobs.scheduler import ANALYSING, Cancelled
from plywise.web.live.game import LiveGame
from plywise.web.schema import (
    LateAnswer,
    Refused,
    flag,
    list_of,
    nullable,
    number,
    optional,
    request,
    text,
    whole,
)
from plywise.web.why.recording import HASH_MB, MAX_SECONDS, Recording, RecordingRequest

if TYPE_CHECKING:
    from plywise.explain import Icicle, Record

Answer = dict[str, Any]

MAX_NODES = 1_000_000  # nodes that are recorded
CHILDREN_OF_PAGE = 50  # children that are sent at once
MIN_LABEL_SHARE = 0.035  # bars narrower than this part of the picture have no room for their move
MAX_BARS = 40_000  # of a picture: more than a wide screen has room for
MAX_LABELS = 120  # moves that are written into a picture, at most
MAX_NODES_UNCOMPILED = 30_000  # nodes of a second search where it is not compiled
MAX_PATHS_UNCOMPILED = 30_000  # paths that are counted one by one where that is not compiled
MAX_LESSON_NODES = 600  # nodes of a lesson that can still be drawn

RECORD_NUMBER = whole(1, 1 << 53)  # the number of a record
NODE_NUMBER = whole(0, MAX_NODES)  # the number of one of its nodes

# What can be switched off, as the page names it; explain.counters has the switches of the search.
SWITCHES = ("ordering", "table", "null moves", "reductions", "guesses")


def switch(name: str, value: Any) -> str:
    """A part of the search that can be switched off."""
    if value not in SWITCHES:
        raise Refused(f"{name} must be one of {', '.join(SWITCHES)}")
    return str(value)


# --- examples -------------------------------------------------------------------------------------
@request("why-examples", game=GAME_NAME)
def list_examples(connection: Connection, game: str) -> Answer:
    """Positions of a game on which one technique can be seen."""
    from plywise.explain.examples import examples

    found = examples(connection.hub.game(game).name)
    return {
        "examples": [
            {"technique": one.technique, "position": one.position, "depth": one.depth, "about": one.about}
            for one in found
        ]
    }


# --- recording ------------------------------------------------------------------------------------
@request(
    "why-record",
    game=GAME_ID,
    node=NODE,
    depth=optional(nullable(whole(1, 100))),
    nodes=optional(nullable(whole(1, MAX_NODES))),
    time=optional(nullable(number(0.01, MAX_SECONDS))),
    most=optional(whole(1, MAX_NODES), MAX_NODES),
    sound=optional(flag, False),
    evaluator=optional(nullable(text(100))),
)
def record(
    connection: Connection,
    game: str,
    node: int,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    most: int,
    sound: bool,
    evaluator: str | None,
) -> Answer:
    """Record a search of a position of a game; `sound` leaves out all prunings that guess."""
    live_game = connection.hub.live_game(connection, game)
    chosen = evaluator or live_game.evaluator
    live_game.game.evaluation(chosen)
    history = _history_at(live_game, node)
    if depth is None and nodes is None and time is None:
        nodes = most
    limits = Limits(depth=depth, nodes=nodes, time=min(time or MAX_SECONDS, MAX_SECONDS))
    # A log as long as the search can be: what is asked for is not paid for twice.
    wanted = RecordingRequest(
        history, limits, chosen, ("unsound",) if sound else (), min(most, nodes or most)
    )
    recording = Recording(connection, live_game, node, wanted)
    connection.start_job("why", recording)
    return {"record": recording.number}


@request("why-stop")
def stop(connection: Connection) -> Answer:
    """End the search that is being recorded; what it has found is the record."""
    _recording(connection).finish()
    return {}


@request("why-forget")
def forget(connection: Connection) -> Answer:
    """Drop the record."""
    connection.stop_job("why")
    return {}


def _history_at(live_game: LiveGame, n: int) -> History:
    """The history at a node, with the part of a choice that is made at the tip; Refused where it is over."""
    at = live_game.context(n)
    history = at.history
    outcome = at.outcome or history.outcome
    if outcome is not None:
        raise Refused(f"the game is over here: {outcome.short_reason}; there is nothing to search")
    if not live_game.game.moves(history.position):
        raise Refused("there is no move here, so there is nothing to search")
    return history


def _recording(connection: Connection, wanted: int | None = None) -> Recording:
    found = connection.jobs.get("why")
    if not isinstance(found, Recording):
        raise Refused("nothing is recorded yet; record a search of the position on the board first")
    if wanted is not None and found.number != wanted:
        raise Refused(f"record {wanted} was replaced by record {found.number}")
    return found


@contextmanager
def _locked_record(connection: Connection, wanted: int) -> Iterator["Record"]:
    """The record of that number, locked while it is walked."""
    recording = _recording(connection, wanted)
    search_record = recording.require_record()
    with recording.lock:
        yield search_record


# --- the tree -------------------------------------------------------------------------------------
@request(
    "why-picture",
    record=RECORD_NUMBER,
    node=NODE_NUMBER,
    levels=optional(whole(1, 64), 16),
    share=optional(number(1e-7, 1.0), 0.001),
    begin=optional(nullable(NODE_NUMBER)),
    end=optional(nullable(NODE_NUMBER)),
)
def picture(
    connection: Connection,
    record: int,
    node: int,
    levels: int,
    share: float,
    begin: int | None,
    end: int | None,
) -> Answer:
    """The bars of an icicle: of a node and what is below it, or of the part from `begin` to `end` of it.

    A bar's left edge is its node's number and its width the nodes below, so pictures fit each other.
    """
    from plywise.explain import icicle

    with _locked_record(connection, record) as search_record:
        drawn = icicle(search_record, node, levels, share)
        low, high = (node if begin is None else begin), (node + drawn.nodes if end is None else end)
        seen = _bars_between(search_record, drawn, low, high)
        if len(seen) > MAX_BARS:  # only the widest: all who play would wait for a picture of all nodes
            widths = sorted(search_record.size[drawn.node[seen]].tolist())
            drawn = icicle(search_record, node, levels, (widths[-MAX_BARS] + 1) / drawn.nodes)
            seen = _bars_between(search_record, drawn, low, high)
        left, size = drawn.node, search_record.size[drawn.node]
        left, size, level = left[seen], size[seen], drawn.level[seen]
        room = MIN_LABEL_SHARE * max(1, min(high, node + drawn.nodes) - max(low, node))
        labels = [int(one) for one, wide in zip(left, size, strict=True) if wide >= room][:MAX_LABELS]
        return {
            "node": node,
            "nodes": drawn.nodes,
            "ply": int(search_record.level[node]),
            "bars": left.tolist(),
            "sizes": size.tolist(),
            "levels": level.tolist(),
            "causes": drawn.cause[seen].tolist(),
            "folded": drawn.folded[seen].astype(int).tolist(),
            "moves": {str(one): search_record.label(one) for one in labels},
            "path": [{"node": step, "said": search_record.label(step)} for step in search_record.path(node)],
        }


def _bars_between(record: "Record", drawn: "Icicle", low: int, high: int) -> Any:
    """The places of the bars that reach into a part of a picture."""
    return ((drawn.node < high) & (drawn.node + record.size[drawn.node] > low)).nonzero()[0]


@request("why-node", record=RECORD_NUMBER, node=NODE_NUMBER)
def node(connection: Connection, record: int, node: int) -> Answer:
    """A node in words, and its position for the board."""
    from plywise.web.why.wording import node_payload

    with _locked_record(connection, record) as search_record:
        return node_payload(search_record, node)


@request(
    "why-children",
    record=RECORD_NUMBER,
    node=NODE_NUMBER,
    start=optional(whole(0, 100_000), 0),
    count=optional(whole(1, 200), CHILDREN_OF_PAGE),
)
def children(connection: Connection, record: int, node: int, start: int, count: int) -> Answer:
    """A page of a node's children, stubs after those that were searched."""
    from plywise.web.why.wording import children_payload

    with _locked_record(connection, record) as search_record:
        return children_payload(search_record, node, start, count)


@request("why-counters", record=RECORD_NUMBER, node=optional(nullable(NODE_NUMBER)))
def counters(connection: Connection, record: int, node: int | None) -> Answer:
    """Counters of the whole record, or of a node and what is below it."""
    from plywise.explain import counters as count

    with _locked_record(connection, record) as search_record:
        return count(search_record, node).as_dict()


# --- searching further ----------------------------------------------------------------------------
@request("why-open", late=True, record=RECORD_NUMBER, node=NODE_NUMBER, move=MOVE)
def open_stub(connection: Connection, record: int, node: int, move: str) -> LateAnswer:
    """Search a move that was not searched, and see whether it would have mattered."""
    recording = _recording(connection, record)
    search_record = recording.require_record()
    search_record.check(node)

    def work() -> Answer:
        from plywise.explain import search_pruned_move
        from plywise.explain.pruned import MAX_NODES
        from plywise.web.why.wording import number_text, opened_text

        game = search_record.game
        with _engine(connection, recording) as engine:
            most = MAX_NODES if engine.specialisation.compiled else MAX_NODES_UNCOMPILED
            found = search_pruned_move(search_record, node, move, engine, most)
        history = search_record.past(node)
        turn = history.turn
        unit = game.evaluation(search_record.evaluator).unit
        line = []
        for one in found.line:
            line.append(game.label(history.position, game.read_move(history.position, one)))
            history = history.play(one)
        return {
            "move": found.move,
            "value": number_text(found.score if turn == 0 else -found.score, unit),
            "line": line,
            "depth": found.depth,
            "nodes": found.nodes,
            "matters": found.matters,
            "words": opened_text(game, turn, found.value, found, unit),
        }

    return LateAnswer(work)


@request("why-not", late=True, record=RECORD_NUMBER, move=MOVE)
def why_not(connection: Connection, record: int, move: str) -> LateAnswer:
    """Why not this move: it is searched on its own as deep as the chosen one, and explained in words."""
    recording = _recording(connection, record)
    search_record = recording.require_record()
    search_record.game.read_move(search_record.history.position, move)

    def work() -> Answer:
        from plywise.explain import Explanation, add_why_not, explanation_sentences
        from plywise.explain.reasons import line_change

        history, result = search_record.history, recording.result
        assert result is not None, "there is a record"
        with _engine(connection, recording) as engine:
            explanation = Explanation(
                history, result, search_record, line_change(history, result.line, engine), ()
            )
            explanation = add_why_not(engine, explanation, move)
        return {"move": move, "words": explanation_sentences(explanation)}

    return LateAnswer(work)


@request("why-yardstick", late=True, record=RECORD_NUMBER, depth=whole(1, 100))
def yardstick(connection: Connection, record: int, depth: int) -> LateAnswer:
    """How large the minimal tree and that of plain minimax are."""
    recording = _recording(connection, record)
    search_record = recording.require_record()

    def work() -> Answer:
        from plywise.explain import tree_sizes as measure
        from plywise.explain.counters import MAX_PATHS as MANY

        with _slot(connection, recording):
            compiled = (
                connection.hub.engines(recording.live_game).ready.is_set() and search_record.game.compiled
            )
            return measure(
                search_record.history, depth, MANY if compiled else MAX_PATHS_UNCOMPILED, compiled
            ).as_dict()

    return LateAnswer(work)


@request(
    "why-compare",
    late=True,
    record=RECORD_NUMBER,
    depth=whole(1, 100),
    without=list_of(switch, 0, len(SWITCHES)),
)
def compare(connection: Connection, record: int, depth: int, without: list[str]) -> LateAnswer:
    """The same search with parts switched off: how many nodes it takes."""
    recording = _recording(connection, record)
    search_record = recording.require_record()

    def work() -> Answer:
        from plywise.explain import compare as search
        from plywise.explain.counters import COMPARED_SWITCHES, MAX_COMPARED_NODES
        from plywise.web.why.wording import number_text

        known = {"guesses": COMPARED_SWITCHES["without all risky pruning"]}
        known |= {name: COMPARED_SWITCHES[f"without {_with_article(name)}"] for name in SWITCHES[:-1]}
        off = [part for name in without for part in known[name]]
        game = search_record.game
        with _slot(connection, recording):
            compiled = (
                connection.hub.engines(recording.live_game, search_record.evaluator).ready.is_set()
                and game.compiled
            )
            most = MAX_COMPARED_NODES if compiled else MAX_NODES_UNCOMPILED
            engine = Engine(game, search_record.evaluator, hash=HASH_MB, compiled=compiled)
            with _stop_with(recording, engine):
                (row,) = search(search_record.history, depth, {"": off}, most=most, engine=engine)
        turn, unit = search_record.history.turn, game.evaluation(search_record.evaluator).unit
        move = row.move
        if move is not None:
            position = search_record.history.position
            move = game.label(position, game.read_move(position, move))
        return {
            **row.as_dict(),
            "move": move,
            "value": number_text(row.score if turn == 0 else -row.score, unit),
            "without": without,
        }

    return LateAnswer(work)


def _with_article(name: str) -> str:
    return f"the {name}" if name == "table" else name


# --- lessons --------------------------------------------------------------------------------------
@request(
    "why-lesson",
    late=True,
    game=GAME_ID,
    node=NODE,
    depth=whole(1, 20),
    player=text(20),
    evaluator=optional(nullable(text(100))),
)
def lesson(
    connection: Connection, game: str, node: int, depth: int, player: str, evaluator: str | None
) -> LateAnswer:
    """The textbook search of a position, step by step; values are for the side to move, MAX."""
    live_game = connection.hub.live_game(connection, game)
    chosen = evaluator or live_game.evaluator
    unit = live_game.game.evaluation(chosen).unit
    history = _history_at(live_game, node)

    def work() -> Answer:
        from plywise.explain import lesson as teach
        from plywise.web.why.wording import lesson_payload

        with connection.hub.scheduler.hold(connection.known_owner, ANALYSING, wanted=connection.is_connected):
            finished = teach(history, depth, player=player, evaluator=chosen, most=MAX_LESSON_NODES)
        return {**lesson_payload(finished, unit), "side": live_game.game.sides[history.turn]}

    return LateAnswer(work)


@request("why-look", game=GAME_ID, node=NODE, moves=list_of(MOVE, 0, 200))
def look(connection: Connection, game: str, node: int, moves: list[str]) -> Answer:
    """The position after some moves from a node of the game, for the board."""
    from plywise.web.why.wording import position_payload

    history = _history_at(connection.hub.live_game(connection, game), node)
    for move in moves:
        history = history.play(move)
    return {"view": position_payload(history, bool(moves))}


# --- second searches ------------------------------------------------------------------------------
GONE = "the record that this is about is gone"


@contextmanager
def _slot(connection: Connection, recording: Recording) -> Iterator[None]:
    """A slot, as long as the record is wanted."""
    try:
        with connection.hub.scheduler.hold(
            connection.known_owner, ANALYSING, wanted=lambda: not recording.cancelled.is_set()
        ):
            yield
    except Cancelled:
        raise Refused(GONE) from None


@contextmanager
def _engine(connection: Connection, recording: Recording) -> Iterator[Engine]:
    """A slot, and an engine with an empty table that searches as the record was searched."""
    engines = connection.hub.engines(recording.live_game, recording.request.evaluator)
    with _slot(connection, recording), engines.borrow(stopped=recording.cancelled) as engine:
        if engine is None:
            raise Refused(GONE)
        before, engine.switches = engine.switches, switches(recording.request.without)
        try:
            with _stop_with(recording, engine):
                yield engine
        finally:
            engine.switches = before


@contextmanager
def _stop_with(recording: Recording, engine: Engine) -> Iterator[None]:
    """The engine's searches end with the record that they are about, whoever ends it; Refused then."""
    with stop_all(engine, recording.cancelled, MAX_SECONDS):
        yield
    if recording.cancelled.is_set():
        raise Refused(GONE)
