"""What the tab "Why" asks for: a recorded search, its tree, what was cut off, and lessons.

Everything that is asked of a record names it by its number, so that no answer is about another one.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plywise.core.history import History
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.switches import switches
from plywise.web.handlers import GAME, MOVE, NODE
from plywise.web.requests import (
    Later,
    Refused,
    flag,
    listed,
    nullable,
    number,
    optional,
    request,
    text,
    whole,
)
from plywise.web.slots import LOOKING, Cancelled
from plywise.web.table import Table
from plywise.web.views import played_from
from plywise.web.visit import Visit
from plywise.web.why_recording import LONGEST, Recording, Wish

if TYPE_CHECKING:
    from plywise.explain import Record

Answer = dict[str, Any]

MOST = 1_000_000  # nodes that are recorded
PAGE = 50  # children that are sent at once
LABELLED = 0.035  # bars narrower than this part of the picture have no room for their move
LABELS = 120  # moves that are written into a picture, at most
SLOW = 30_000  # nodes of a second search where it is not compiled
PATHS = 30_000  # paths that are counted one by one where that is not compiled
LESSON = 600  # nodes of a lesson that can still be drawn

RECORD = whole(1, 1 << 53)  # the number of a record
PLACE = whole(0, MOST)  # the number of one of its nodes

# What can be switched off, by the words of the page; explain.counting names the parts of the search.
SWITCHES = ("ordering", "table", "null moves", "reductions", "guesses")


def switch(name: str, value: Any) -> str:
    """A part of the search that can be switched off."""
    if value not in SWITCHES:
        raise Refused(f"{name} must be one of {', '.join(SWITCHES)}")
    return str(value)


# --- recording ------------------------------------------------------------------------------------
@request(
    "why-record",
    game=GAME,
    node=NODE,
    depth=optional(nullable(whole(1, 100))),
    nodes=optional(nullable(whole(1, MOST))),
    time=optional(nullable(number(0.01, LONGEST))),
    most=optional(whole(1, MOST), MOST),
    sound=optional(flag, False),
    evaluator=optional(nullable(text(100))),
)
def record(
    visit: Visit,
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
    table = visit.house.table(visit, game)
    chosen = evaluator or table.evaluator
    table.game.evaluation(chosen)
    history = _shown(table, node)
    if depth is None and nodes is None and time is None:
        nodes = most
    limits = Limits(depth=depth, nodes=nodes, time=min(time or LONGEST, LONGEST))
    # A log as long as the search can be: what is asked for is not paid for twice.
    wish = Wish(history, limits, chosen, ("unsound",) if sound else (), min(most, nodes or most))
    work = Recording(visit, table, node, wish)
    visit.begin("why", work)
    return {"record": work.number}


@request("why-stop")
def stop(visit: Visit) -> Answer:
    """End the search that is being recorded; what it has found is the record."""
    _recording(visit).finish()
    return {}


@request("why-forget")
def forget(visit: Visit) -> Answer:
    """Give the record back."""
    visit.end("why")
    return {}


def _shown(table: Table, n: int) -> History:
    """The position of a node, with the part of a choice that is made at the tip."""
    with table.lock:
        stage = table.node(n).stage
        here = n == table.standing.tip
        chosen = table.standing.chosen if here else {}
        side = table.side_choosing(stage, chosen)
        history = played_from(stage, side, chosen.get(side, ()))
        outcome = (table.outcome if here else stage.outcome) or history.outcome
    if outcome is not None:
        raise Refused(f"the game is over here: {outcome.reason}; there is nothing to search")
    if not table.game.moves(history.position):
        raise Refused("there is no move here, so there is nothing to search")
    return history


def _recording(visit: Visit, wanted: int | None = None) -> Recording:
    found = visit.going.get("why")
    if not isinstance(found, Recording):
        raise Refused("nothing is recorded yet; record a search of the position on the board first")
    if wanted is not None and found.number != wanted:
        raise Refused(f"record {wanted} was replaced by record {found.number}")
    return found


@contextmanager
def _walking(visit: Visit, wanted: int) -> Iterator["Record"]:
    """The record of that number, for as long as it is walked."""
    recording = _recording(visit, wanted)
    kept = recording.kept()
    with recording.lock:
        yield kept


# --- the tree -------------------------------------------------------------------------------------
@request(
    "why-picture",
    record=RECORD,
    node=PLACE,
    levels=optional(whole(1, 64), 16),
    share=optional(number(1e-7, 1.0), 0.001),
    begin=optional(nullable(PLACE)),
    end=optional(nullable(PLACE)),
)
def picture(
    visit: Visit, record: int, node: int, levels: int, share: float, begin: int | None, end: int | None
) -> Answer:
    """The bars of an icicle: of a node and what is below it, or of the part from `begin` to `end` of it.

    A bar's left edge is its node's number and its width the nodes below, so pictures fit each other.
    """
    from plywise.explain import icicle
    from plywise.web.why_words import said

    with _walking(visit, record) as kept:
        drawn = icicle(kept, node, levels, share)
        left, size = drawn.node, kept.size[drawn.node]
        low, high = (node if begin is None else begin), (node + drawn.nodes if end is None else end)
        seen = (left < high) & (left + size > low)
        left, size, level = left[seen], size[seen], drawn.level[seen]
        room = LABELLED * max(1, min(high, node + drawn.nodes) - max(low, node))
        labels = [int(one) for one, wide in zip(left, size, strict=True) if wide >= room][:LABELS]
        return {
            "node": node,
            "nodes": drawn.nodes,
            "ply": int(kept.level[node]),
            "bars": left.tolist(),
            "sizes": size.tolist(),
            "levels": level.tolist(),
            "causes": drawn.cause[seen].tolist(),
            "folded": drawn.folded[seen].astype(int).tolist(),
            "moves": {str(one): said(kept, one) for one in labels},
            "path": [{"node": step, "said": said(kept, step)} for step in kept.path(node)],
        }


@request("why-node", record=RECORD, node=PLACE)
def node(visit: Visit, record: int, node: int) -> Answer:
    """A node in words, and its position for the board."""
    from plywise.web.why_words import node_data

    with _walking(visit, record) as kept:
        return node_data(kept, node)


@request(
    "why-children",
    record=RECORD,
    node=PLACE,
    start=optional(whole(0, 100_000), 0),
    count=optional(whole(1, 200), PAGE),
)
def children(visit: Visit, record: int, node: int, start: int, count: int) -> Answer:
    """A page of a node's children, stubs after those that were searched."""
    from plywise.web.why_words import children_data

    with _walking(visit, record) as kept:
        return children_data(kept, node, start, count)


@request("why-counters", record=RECORD, node=optional(nullable(PLACE)))
def counters(visit: Visit, record: int, node: int | None) -> Answer:
    """Counters of the whole record, or of a node and what is below it."""
    from plywise.explain import counters as count

    with _walking(visit, record) as kept:
        return count(kept, node).as_dict()


# --- searching further ----------------------------------------------------------------------------
@request("why-open", late=True, record=RECORD, node=PLACE, move=MOVE)
def open_stub(visit: Visit, record: int, node: int, move: str) -> Later:
    """Search a move that was not searched, and see whether it would have mattered."""
    recording = _recording(visit, record)
    kept = recording.kept()
    kept.check(node)

    def work() -> Answer:
        from plywise.explain import opened
        from plywise.explain.stubs import NODES
        from plywise.web.why_words import number_words, opened_words

        game = kept.game
        with _engine(visit, recording) as engine, recording.lock:
            most = NODES if engine.runner.compiled else SLOW
            found = opened(kept, node, move, engine, most)
            history, turn = kept.past(node), kept.turn(node)
        unit = game.evaluation(kept.evaluator).unit
        line = []
        for one in found.line:
            line.append(game.said(history.position, game.read_move(history.position, one)))
            history = history.play(one)
        return {
            "move": found.move,
            "value": number_words(found.score if turn == 0 else -found.score, unit),
            "line": line,
            "depth": found.depth,
            "nodes": found.nodes,
            "matters": found.matters,
            "words": opened_words(game, turn, found.value, found, unit),
        }

    return Later(work)


@request("why-not", late=True, record=RECORD, move=MOVE)
def why_not(visit: Visit, record: int, move: str) -> Later:
    """Why not this move: searched on its own as deep as the chosen one, and told in words."""
    recording = _recording(visit, record)
    kept = recording.kept()
    kept.game.read_move(kept.history.position, move)

    def work() -> Answer:
        from plywise.explain import Explanation, sentences, with_why_not
        from plywise.explain.reasons import changed

        history, result = kept.history, recording.result
        assert result is not None, "there is a record"
        with _engine(visit, recording) as engine:
            patience = threading.Timer(LONGEST, engine.stop)
            patience.daemon = True
            patience.start()
            try:
                told = Explanation(history, result, kept, changed(history, result.line, engine), ())
                told = with_why_not(engine, told, move)
            finally:
                patience.cancel()
        return {"move": move, "words": sentences(told)}

    return Later(work)


@request("why-yardstick", late=True, record=RECORD, depth=whole(1, 100))
def yardstick(visit: Visit, record: int, depth: int) -> Later:
    """How large the minimal tree and that of plain minimax are."""
    recording = _recording(visit, record)
    kept = recording.kept()

    def work() -> Answer:
        from plywise.explain import yardstick as measure
        from plywise.explain.counting import PATHS as MANY

        with _slot(visit, recording):
            compiled = visit.house.engines(recording.table).ready.is_set() and kept.game.compiled
            return measure(kept.history, depth, MANY if compiled else PATHS, compiled).as_dict()

    return Later(work)


@request(
    "why-compare", late=True, record=RECORD, depth=whole(1, 100), without=listed(switch, 0, len(SWITCHES))
)
def compare(visit: Visit, record: int, depth: int, without: list[str]) -> Later:
    """The same search with parts switched off: how many nodes it takes."""
    recording = _recording(visit, record)
    kept = recording.kept()

    def work() -> Answer:
        from plywise.explain import compare as search
        from plywise.explain.counting import COMPARED, SWITCHED
        from plywise.web.why_words import number_words

        known = {"guesses": SWITCHED["without all that guesses"]}
        known |= {name: SWITCHED[f"without {_the(name)}"] for name in SWITCHES[:-1]}
        off = [part for name in without for part in known[name]]
        game = kept.game
        with _slot(visit, recording):
            compiled = visit.house.engines(recording.table, kept.evaluator).ready.is_set() and game.compiled
            most = COMPARED if compiled else SLOW
            label = {"": off}
            (row,) = search(
                kept.history, depth, label, evaluator=kept.evaluator, most=most, compiled=compiled
            )
        turn, unit = kept.history.turn, game.evaluation(kept.evaluator).unit
        move = row.move
        if move is not None:
            position = kept.history.position
            move = game.said(position, game.read_move(position, move))
        return {
            **row.as_dict(),
            "move": move,
            "value": number_words(row.score if turn == 0 else -row.score, unit),
            "without": without,
        }

    return Later(work)


def _the(name: str) -> str:
    return f"the {name}" if name == "table" else name


# --- lessons --------------------------------------------------------------------------------------
@request(
    "why-lesson",
    late=True,
    game=GAME,
    node=NODE,
    depth=whole(1, 20),
    player=text(20),
    evaluator=optional(nullable(text(100))),
)
def lesson(visit: Visit, game: str, node: int, depth: int, player: str, evaluator: str | None) -> Later:
    """The textbook search of a position, step by step; values are for the side to move, MAX."""
    table = visit.house.table(visit, game)
    chosen = evaluator or table.evaluator
    unit = table.game.evaluation(chosen).unit
    history = _shown(table, node)

    def work() -> Answer:
        from plywise.explain import lesson as teach
        from plywise.web.why_words import lesson_data

        with visit.house.slots.hold(visit.who, LOOKING, wanted=visit.is_there):
            taught = teach(history, depth, player=player, evaluator=chosen, most=LESSON)
        return {**lesson_data(taught, unit), "side": table.game.sides[history.turn]}

    return Later(work)


@request("why-look", game=GAME, node=NODE, moves=listed(MOVE, 0, 200))
def look(visit: Visit, game: str, node: int, moves: list[str]) -> Answer:
    """The position after some moves from a node of the game, for the board."""
    from plywise.web.why_words import board_view

    history = _shown(visit.house.table(visit, game), node)
    for move in moves:
        history = history.play(move)
    return {"view": board_view(history, bool(moves))}


# --- second searches ------------------------------------------------------------------------------
@contextmanager
def _slot(visit: Visit, recording: Recording) -> Iterator[None]:
    """A slot, as long as the record is wanted."""
    try:
        with visit.house.slots.hold(visit.who, LOOKING, wanted=lambda: not recording.ended.is_set()):
            yield
    except Cancelled:
        raise Refused("the record that this is about is gone") from None


@contextmanager
def _engine(visit: Visit, recording: Recording) -> Iterator[Engine]:
    """A slot, and an engine with an empty table that searches as the record was searched."""
    engines = visit.house.engines(recording.table, recording.wish.evaluator)
    with _slot(visit, recording), engines.lent() as engine:
        assert engine is not None, "nobody stops it"
        before, engine.switches = engine.switches, switches(recording.wish.without)
        try:
            yield engine
        finally:
            engine.switches = before
