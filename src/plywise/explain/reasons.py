"""The reasons of a search: why this move, and why not another, from its record and a second search.

Everything here is data; `wording.py` makes sentences of it. Scores are for the side to move at the root.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from plywise.core.board import Board
from plywise.core.errors import BadMove
from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.scores import WIN, Kind, add_plies, is_sure
from plywise.explain.record import BOUNDS, CAUSES, MAX_NODES, Record, record_of
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.recorder import ALL_MOVES_SEARCH, CUT, STOPPED
from plywise.search.result import Result

MIN_SECOND_NODES = 200  # of the second search of a rejected move

MIN_LOSS = 0.1  # of the unit: a smaller loss has no turning point
DECISIVE_UNITS = 10  # units that a win or a loss counts when we look for a turning point

# A bound of a score: the true score may be less, or more.
AT_MOST, AT_LEAST = "at most", "at least"


@dataclass(frozen=True, slots=True)
class Change:
    """What a line changes: the evaluation term by term, and the pieces. For the side at the root.

    `terms` is None if the line ends the game; then there is an `outcome`.
    """

    terms: dict[str, float] | None
    taken: dict[str, int]  # the other side's pieces that are gone, by name
    lost: dict[str, int]  # own pieces that are gone
    gained: dict[str, int]  # own pieces that have come: promotions
    outcome: Outcome | None = None

    @property
    def total(self) -> float:
        return sum((self.terms or {}).values())


@dataclass(frozen=True, slots=True)
class Alternative:
    """A rejected move: its score, and the reply that decided it."""

    move: str
    score: int
    kind: Kind
    bound: str | None  # AT_MOST or AT_LEAST; None if the score is the value
    line: tuple[str, ...]
    reply: str | None  # the other side's first move in the line
    cause: str  # how the search of the move ended (see record.CAUSES)
    depth: int  # of the iteration that looked at it last
    cost: int | None  # score lost against the chosen move, at least; None if one of them wins or loses
    change: Change
    seen: tuple[int, int] | None = None  # score and depth of a second search that was not as deep


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The first point of a line from which on the evaluation stays bad."""

    ply: int  # moves of the line played, from 1
    move: str
    position: str
    change: Change  # from before the line to here


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer to "why not this move?": the move searched alone, as deep as the chosen one."""

    move: str
    score: int
    kind: Kind
    depth: int
    nodes: int
    line: tuple[str, ...]
    reply: str | None
    chosen: bool  # it is the move that was chosen
    cost: int | None
    change: Change
    turning: TurningPoint | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The result of a search, with the reasons for its move and against the others."""

    history: History
    result: Result
    record: Record
    change: Change
    alternatives: tuple[Alternative, ...]
    asked: WhyNot | None = None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, if it is over already."""
        return self.history.outcome


def explain(
    history: History,
    limits: Limits | None = None,
    *,
    evaluator: str = "default",
    move: str | None = None,
    most: int = MAX_NODES,
    hash: int = 64,
    weights: str | None = None,
    without: Iterable[str] = (),
    compiled: bool = True,
    **limit: Any,
) -> Explanation:
    """Search a position and find the reasons; with `move`, also why not that one.

    >>> import plywise
    >>> game = plywise.load("connect_four")
    >>> explanation = explain(game.history("121212"), depth=4, compiled=False)
    >>> explanation.result.move, explanation.change.outcome.reason
    ('1', 'x has four in a row')
    """
    engine = Engine(
        history.game, evaluator, hash=hash, weights=weights, without=without, compiled=compiled, record=most
    )
    if history.outcome is not None:
        return explain_finished_game(engine, history, move)
    if move is not None:
        history.game.read_move(history.position, move)
    result = engine.search(history, limits, **limit)
    explanation = explain_result(engine, history, result)
    return explanation if move is None else add_why_not(engine, explanation, move)


def explain_finished_game(engine: Engine, history: History, move: str | None = None) -> Explanation:
    """The explanation of a position in which the game is over."""
    if move is not None:
        reason = history.outcome.reason if history.outcome else "there is no move"
        raise BadMove(move, f"the game is over: {reason}", history.text)
    winner = None if history.outcome is None else history.outcome.winner
    score = 0 if winner is None else WIN if winner == history.turn else -WIN
    result = Result(history.game, None, score, Kind.PROVEN, 0, 0, 0.0, (), unit=engine.evaluation.unit)
    return Explanation(history, result, record_of(engine, history, result), Change({}, {}, {}, {}), ())


def explain_result(engine: Engine, history: History, result: Result, again: bool = True) -> Explanation:
    """The reasons of the search that the engine, which must have a recorder, has just done.

    That search proves only that the other moves are not better. With `again` they are searched a second
    time for their own scores, with as many nodes in all as the search had.
    """
    record = record_of(engine, history, result)
    change = line_change(history, result.line, engine)
    return Explanation(history, result, record, change, tuple(_alternatives(engine, record, result, again)))


def add_why_not(engine: Engine, explanation: Explanation, move: str) -> Explanation:
    """The same explanation with an answer to `why not this move?`."""
    asked = why_not(engine, explanation.history, explanation.result, move)
    return Explanation(
        explanation.history,
        explanation.result,
        explanation.record,
        explanation.change,
        explanation.alternatives,
        asked,
    )


# --- what a line changes ----------------------------------------------------------------------------
def line_change(
    history: History, line: Sequence[str], engine: Engine, now: dict[str, float] | None = None
) -> Change:
    """What the moves of a line change for the side that begins it; `now` are the terms before it."""
    end = history
    for move in line:
        end = end.play(move)
    return _change_between(history, end, engine, now)


def _change_between(
    start: History, end: History, engine: Engine, now: dict[str, float] | None = None
) -> Change:
    taken, lost, gained = piece_changes(start, end, start.turn)
    if end.outcome is not None and end is not start:
        return Change(None, taken, lost, gained, end.outcome)
    before = side_terms(start, start.turn, engine) if now is None else now
    after = side_terms(end, start.turn, engine)
    names = list(dict.fromkeys([*before, *after]))
    terms = {name: after.get(name, 0.0) - before.get(name, 0.0) for name in names}
    return Change({name: value for name, value in terms.items() if value}, taken, lost, gained)


def side_terms(history: History, side: int, engine: Engine) -> dict[str, float]:
    """The evaluation of a position for a side."""
    terms = history.game.terms(history.position, engine.evaluation.name, engine.weights)
    return terms if history.turn == side else {name: -value for name, value in terms.items()}


def piece_changes(
    start: History, end: History, own: int
) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Pieces that a side has taken, lost and gained, by the names on the board; empty without a board."""
    boards = [history.game.board(history.position) for history in (start, end)]
    if not all(isinstance(board, Board) for board in boards):
        return {}, {}, {}
    counts = [
        Counter((piece.side, piece.name) for row in board.rows for piece in row if piece is not None)
        for board in boards
        if isinstance(board, Board)
    ]
    gone, new = counts[0] - counts[1], counts[1] - counts[0]
    taken = {name: number for (side, name), number in gone.items() if side == 1 - own}
    lost = {name: number for (side, name), number in gone.items() if side == own}
    gained = {name: number for (side, name), number in new.items() if side == own}
    if sum(gained.values()) > sum(lost.values()):
        gained = {}  # in this game every move puts a piece on the board
    for name in list(lost):
        # A promoted piece is not lost. If several kinds are gone, we cannot know which one promoted.
        if gained and len(lost) == 1:
            lost[name] -= sum(gained.values())
            if not lost[name]:
                del lost[name]
    return taken, lost, gained


# --- the moves that were not chosen -----------------------------------------------------------------
def _alternatives(engine: Engine, record: Record, result: Result, again: bool) -> list[Alternative]:
    """All other moves of the record, the best first."""
    position = record.history.position
    visits = {
        record.game.move_text(position, record.number(position, move)): node
        for move, node in _last_visits(record).items()
    }
    visits.pop(result.move or "", None)
    # The moves share as many nodes as the search had: enough for most to find their own line.
    nodes = max(MIN_SECOND_NODES, result.nodes // max(1, len(visits))) if again else 0
    now = side_terms(record.history, record.history.turn, engine)
    found = [_alternative(engine, record, result, node, move, nodes, now) for move, node in visits.items()]
    return sorted(found, key=lambda move: (-move.score, -move.seen[0] if move.seen else -move.score))


def _last_visits(record: Record) -> dict[int, int]:
    """For each root move, the node of its last finished search, in the deepest iteration."""
    visits: dict[int, int] = {}
    for root in record.roots[::-1]:
        for node in reversed(list(record.below(int(root)))):
            whole = record.complete or node + int(record.size[node]) < len(record)
            if record.cause[node] != STOPPED and whole:
                visits.setdefault(int(record.move[node]), node)
    return visits


def _alternative(
    engine: Engine, record: Record, result: Result, node: int, move: str, nodes: int, now: dict[str, float]
) -> Alternative:
    """A move with its recorded score; with its own line and score if a second search agrees."""
    history = record.history
    sign = 1 if record.turn(node) == history.turn else -1
    score, bound, depth = (
        sign * int(record.value[node]),
        _bound(record, node, sign),
        int(record.iteration[node]),
    )
    kind = Kind.BOUND if bound else Kind.EXACT if "unsound" in record.without else Kind.ESTIMATE
    line, seen = (move, *_line_below(record, node)), None
    after, left = history.play(move), result.depth if sign == 1 else result.depth - 1
    if nodes and after.outcome is None and left > 0:
        second = engine.search(after, Limits(depth=left, nodes=nodes))
        found = sign * add_plies(second.score, 1)
        if bound == AT_MOST and found <= score:
            line = (move, *second.line)
            if second.depth >= left or second.kind is Kind.PROVEN:
                score, bound, kind, depth = found, None, second.kind, result.depth
            else:
                seen = found, second.depth + result.depth - left
        elif len(line) == 1:
            line = (move, *second.line)
    return Alternative(
        move,
        score,
        kind,
        bound,
        line,
        first_reply(history, line),
        CAUSES[int(record.cause[node])],
        depth,
        _cost(result.score, score),
        line_change(history, line, engine, now),
        seen,
    )


def _bound(record: Record, node: int, sign: int) -> str | None:
    """The bound that the value of a child of the root gives its move, for the side at the root."""
    bound = BOUNDS[int(record.bound[node])]
    if bound == "exact":
        return None
    return AT_LEAST if (bound == "lower") == (sign == 1) else AT_MOST


def _cost(best: int, score: int) -> int | None:
    """The score that is lost; None if one of the scores is a win or a loss."""
    return None if is_sure(best) or is_sure(score) else best - score


def first_reply(history: History, line: Sequence[str]) -> str | None:
    """The first move of the other side in a line."""
    turn = history.turn
    for move in line:
        if history.turn != turn:
            return move
        history = history.play(move)
    return None


def _line_below(record: Record, node: int) -> list[str]:
    """The line that decided the value of a node, as far as it was recorded."""
    line: list[str] = []
    while True:
        children = list(record.below(node))
        whole = [child for child in children if record.why[child] == ALL_MOVES_SEARCH]
        if whole and record.cause[node] != STOPPED:  # it has the value of the search with all moves
            node = whole[-1]
            continue
        below = [child for child in children if record.by_move(child)]
        if not below or record.cause[node] == STOPPED:
            return line
        if record.cause[node] == CUT:
            node = below[-1]
        else:
            turn = record.turn(node)
            last = {int(record.move[child]): child for child in below}
            worth = {
                child: int(record.value[child]) * (1 if record.turn(child) == turn else -1)
                for child in last.values()
            }
            node = max(worth, key=lambda child: worth[child])
        line.append(record.move_text(node) or "")


# --- why not? -----------------------------------------------------------------------------------------
def why_not(engine: Engine, history: History, best: Result, move: str) -> WhyNot:
    """Search a move alone, from an empty table, as deep as the chosen one was searched."""
    number = history.game.read_move(history.position, move)
    text = history.game.move_text(history.position, number)
    engine.clear()
    alone = engine.search(history, depth=max(1, best.depth), moves=[text])
    cost = _cost(best.score, alone.score)
    return WhyNot(
        text,
        alone.score,
        alone.kind,
        alone.depth,
        alone.nodes,
        alone.line,
        first_reply(history, alone.line),
        text == best.move,
        cost,
        line_change(history, alone.line, engine),
        _turning_point(engine, history, alone, best.score),
    )


def _turning_point(engine: Engine, history: History, alone: Result, best: int) -> TurningPoint | None:
    """The first point of the line from which on the evaluation is nearer to its score than to the best.

    None if the line is not worse, hardly worse, or if the evaluations do not show why.
    """
    unit = engine.evaluation.unit
    if alone.score >= best or best - alone.score < MIN_LOSS * unit:
        return None
    terms = side_terms(history, history.turn, engine)
    now = sum(terms.values())
    most = DECISIVE_UNITS * unit  # of a win or a loss: no evaluation would come near a larger one
    high, low = (max(now - most, min(now + most, score)) for score in (best, alone.score))
    points = [history]
    for move in alone.line:
        points.append(points[-1].play(move))
    changes = [_change_between(history, point, engine, terms) for point in points]
    worth = [now + _change_value(change, history.turn) for change in changes]
    for ply in range(1, len(points)):
        if max(worth[ply:]) <= (high + low) / 2:
            return TurningPoint(ply, alone.line[ply - 1], points[ply].text, changes[ply])
    return None


def _change_value(change: Change, side: int) -> float:
    """A change as one number, for the side."""
    if change.outcome is None:
        return change.total
    return 0 if change.outcome.winner is None else WIN if change.outcome.winner == side else -WIN
