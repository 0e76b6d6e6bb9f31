"""Why a move is bad: what the other side answers, what that wins, and what the best move would have kept.

The move and the best one are searched to the same depth, each from the position that it leads to, so their
scores compare. A score is told by the pieces on the board only where a line was found whose end stands for
it. Everything here is data; `why_bad_wording.py` makes sentences of it. Scores are for the side that moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.scores import WIN, Kind, is_sure
from plywise.explain.marks import move_mark
from plywise.explain.reasons import first_reply, one_ply_later, piece_changes, side_terms
from plywise.play.win_chance import win_chance
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Result

SETTLED = 0.5  # of the unit: an evaluation this near to a score stands for it
MIN_DEPTH = 2  # turns that each search looks ahead at least, whatever its limits
MAX_MORE_PLIES = 8  # that a line is played on to come to such a position
MORE_NODES = 2000  # of each of these searches


@dataclass(frozen=True, slots=True)
class Pieces:
    """What a line does to the pieces of the side that moves, and of the other side, by name."""

    taken: dict[str, int]
    lost: dict[str, int]
    gained: dict[str, int]  # own promotions
    given: dict[str, int]  # promotions of the other side


@dataclass(frozen=True, slots=True)
class Continuation:
    """A move with its score and the line that follows."""

    move: str
    score: int
    kind: Kind
    depth: int
    line: tuple[str, ...]  # the move comes first
    outcome: Outcome | None  # how the game ends, if the line is played to its end
    shown: tuple[str, ...]  # the line, perhaps played on, to a position that stands for the score; or empty
    pieces: Pieces | None  # what it does to the pieces by then
    terms: dict[str, float] | None  # the evaluation there, for the side that moves

    def reply(self, history: History) -> str | None:
        """The other side's first move."""
        return first_reply(history, self.line)


@dataclass(frozen=True, slots=True)
class WhyBad:
    """The answer to "why is this move bad?"; `best` is `played` itself if there is no better one."""

    history: History
    played: Continuation
    best: Continuation
    unit: int
    drop: float  # the chance that is lost, from 0 to 1
    nodes: int

    @property
    def cost(self) -> int | None:
        """The score that is lost; None if one of the moves wins or loses by force."""
        if is_sure(self.played.score) or is_sure(self.best.score):
            return None
        return max(0, self.best.score - self.played.score)

    @property
    def is_bad(self) -> bool:
        """Whether the move is worse, by more than searches differ: by a mark, or in a win or a loss."""
        if self.played.move == self.best.move or self.played.score >= self.best.score:
            return False
        if is_sure(self.played.score) and is_sure(self.best.score) and not self.drop:
            return self.played.kind is self.best.kind is Kind.PROVEN  # only then the distances are sure
        return self.cost is None or self.mark is not None

    @property
    def mark(self) -> str | None:
        """`blunder`, `mistake` or `inaccuracy`, by the chance that is lost."""
        return move_mark(self.drop, 0.0)

    @property
    def is_good(self) -> bool:
        """Whether it gives away too little of its side's chance to be marked."""
        return self.mark is None

    @property
    def is_reliable(self) -> bool:
        """Whether both moves were searched at all; a stop may have come before the first iteration ended."""
        return all(one.depth > 0 or one.kind is Kind.PROVEN for one in (self.played, self.best))

    @property
    def piece_loss(self) -> Pieces | None:
        """What the move does to the pieces, if the best move does not do the same."""
        if self.played.pieces is None or self.played.pieces == self.best.pieces:
            return None
        return self.played.pieces


def why_bad(engine: Engine, history: History, move: str, limits: Limits) -> WhyBad:
    """Search a position, and then the best move and `move` to one depth; BadMove if it is not legal here.

    `limits` are those of each of the three searches. None ends before it has looked MIN_DEPTH turns ahead,
    unless the engine is stopped; `is_reliable` says whether it was.

    >>> import plywise
    >>> game = plywise.load("tic_tac_toe")
    >>> found = why_bad(Engine(game, compiled=False), game.history("x...o.... x"), "b3", Limits(depth=9))
    >>> found.is_bad, found.best.kind
    (False, <Kind.PROVEN: 'proven'>)
    """
    game = history.game
    text = game.move_text(history.position, game.read_move(history.position, move))
    first = _search(engine, history, limits)
    assert first.move is not None, "there is a legal move"
    nodes = first.nodes
    if first.kind is Kind.PROVEN:
        # Nothing can be better, and the move gets all that the limits allow.
        best = _make_continuation(engine, history, first.line, first.score, first.kind, first.depth)
        deep = limits
    else:
        # One turn deeper than the first search looked: the choice is checked as well as the move.
        deep = replace(limits, depth=max(1, first.depth))
        best, some = _continuation(engine, history, first.move, deep)
        nodes += some
    played = best
    if text != first.move:
        played, some = _continuation(engine, history, text, deep)
        nodes += some
        if best.score <= played.score:
            best = played
    unit = engine.evaluation.unit
    before, after = (win_chance(one.score, game, unit) for one in (best, played))
    return WhyBad(history, played, best, unit, max(0.0, before - after), nodes)


def _search(engine: Engine, history: History, limits: Limits) -> Result:
    """Search within the limits; to MIN_DEPTH if they end before that, as on a slow or busy machine."""
    result = engine.search(history, limits)
    asked = MIN_DEPTH if limits.depth is None else min(MIN_DEPTH, limits.depth)
    if result.depth >= asked or result.kind is Kind.PROVEN:
        return result
    return engine.search(history, depth=asked)


def _continuation(engine: Engine, history: History, move: str, limits: Limits) -> tuple[Continuation, int]:
    """Search the position after a move; with it, the nodes that this took."""
    after = history.play(move)
    if after.outcome is not None:
        return _at_end(history, after, move, limits.depth or 1), 0
    result = _search(engine, after, limits)
    score = one_ply_later(result.score if after.turn == history.turn else -result.score)
    line = (move, *result.line)
    return _make_continuation(engine, history, line, score, result.kind, result.depth), result.nodes


def _make_continuation(
    engine: Engine, history: History, line: tuple[str, ...], score: int, kind: Kind, depth: int
) -> Continuation:
    """A line with what its end shows."""
    if is_sure(score):
        shown = line if _play(history, line).outcome is not None else ()
    else:
        shown = _settled_line(engine, history, line, score)
    end = _play(history, shown)
    return Continuation(
        line[0],
        score,
        kind,
        depth,
        line,
        end.outcome if shown else None,
        shown,
        _pieces(history, end) if shown else None,
        side_terms(end, history.turn, engine) if shown and end.outcome is None else None,
    )


def _at_end(history: History, after: History, move: str, depth: int) -> Continuation:
    """A move that ends the game."""
    outcome = after.outcome
    assert outcome is not None, "the game is over"
    score = 0 if outcome.winner is None else WIN - 1 if outcome.winner == history.turn else 1 - WIN
    return Continuation(
        move, score, Kind.PROVEN, depth, (move,), outcome, (move,), _pieces(history, after), None
    )


def _play(history: History, line: Sequence[str]) -> History:
    for move in line:
        history = history.play(move)
    return history


def _pieces(start: History, end: History) -> Pieces:
    taken, lost, gained = piece_changes(start, end, start.turn)
    given = piece_changes(start, end, 1 - start.turn)[2]
    return Pieces(taken, lost, gained, given)


def _settled_line(engine: Engine, history: History, line: tuple[str, ...], score: int) -> tuple[str, ...]:
    """The line to a position whose evaluation is near the score: on it the score can be seen.

    The line of a search ends at its depth, perhaps between two captures: it is played on by short searches.
    Empty if there is no such position.
    """
    near = SETTLED * engine.evaluation.unit
    end, moves = _play(history, line), list(line)
    for _ in range(MAX_MORE_PLIES):
        if end.outcome is not None:
            return tuple(moves) if (end.outcome.winner is None and abs(score) <= near) else ()
        if abs(sum(side_terms(end, history.turn, engine).values()) - score) <= near:
            return tuple(moves)
        more = engine.search(end, Limits(depth=2, nodes=MORE_NODES))
        if more.move is None:
            return ()
        moves.append(more.move)
        end = end.play(more.move)
    return ()
