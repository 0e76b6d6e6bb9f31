"""What a search did not look at: the moves that it left out at a node, and what opening one shows."""

from dataclasses import asdict, dataclass
from typing import Any

from plywise.core.scores import is_decisive
from plywise.explain.record import CAUSES, Record
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.recorder import CUT, DONE, NOISY, STOPPED
from plywise.search.switches import QUIESCENCE, QUIESCENCE_CHECKS, switches

MAX_NODES = 1_000_000  # visited when a stub is opened, at most

# Why a move was not searched; beside these, a cause of the node itself (see record.CAUSES).
REASONS = {
    "cut": "a move before it is already good enough to refute the way here",
    "left out": "it looked hopeless at this depth",
    "quiet": "beyond the depth only noisy moves are looked at",
    "stopped": "the search was stopped here",
    "not recorded": "the record ends here",
    "leaf": "the position was evaluated",
    "table": "the position was known from the table",
    "null move": "even a pass is good enough here",
    "over": "the game is over",
    "draw": "a draw by the past: repetition, or no progress",
    "database": "the position is solved",
    "too deep": "the line is as long as lines can be",
    "standing": "the position stands too far above the window",
}


@dataclass(frozen=True, slots=True)
class PrunedMove:
    """A legal move that was not searched at a node, and why not (of REASONS)."""

    move: str
    reason: str

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data, for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PrunedMoveResult:
    """A skipped move, searched on its own. Scores are for the side to move at the node."""

    move: str
    score: int
    kind: str
    line: tuple[str, ...]
    depth: int
    nodes: int
    value: int  # of the node, as recorded
    with_it: int  # the node's value with this move
    matters: bool  # whether that changes anything within the node's window, and so at its parent

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data, for JSON."""
        return asdict(self)


def pruned_moves(record: Record, node: int) -> list[PrunedMove]:
    """The legal moves at a node that the record has no visit for, in the game's order."""
    position, game = record.position(node), record.game
    tried = {
        record.number(position, int(record.move[child]))
        for child in record.below(node)
        if record.by_move(child)
    }
    left = [move for move in game.moves(position) if move not in tried]
    if not left:
        return []
    calm = _noisy_moves(record, node, position)
    return [PrunedMove(game.move_text(position, move), _reason(record, node, move, calm)) for move in left]


def _noisy_moves(record: Record, node: int, position: Any) -> set[int] | None:
    """The noisy moves, where quiescence looked at no others; None elsewhere."""
    on = switches(record.without)
    searched = on & QUIESCENCE != 0 and int(record.depth[node]) <= 0
    if not searched or position.midway() or position.urgent():
        return None
    buffer: dict[int, int] = {}
    # Where it begins, threats are looked at too.
    fresh = on & QUIESCENCE_CHECKS != 0 and record.why[node] != NOISY
    listed = position.sharp if fresh else position.noisy
    return {buffer[i] for i in range(listed(buffer, 0))}


def _reason(record: Record, node: int, move: int, noisy: set[int] | None) -> str:
    cause = int(record.cause[node])
    if not record.complete and node + int(record.size[node]) == len(record):
        return "not recorded"
    if cause not in (CUT, DONE, STOPPED):
        return CAUSES[cause]
    if noisy is not None and move not in noisy:
        return "quiet"
    return {CUT: "cut", DONE: "left out", STOPPED: "stopped"}[cause]


def search_pruned_move(
    record: Record, node: int, move: str, engine: Engine | None = None, nodes: int = MAX_NODES
) -> PrunedMoveResult:
    """Search a skipped move as deep as the node was searched, and see whether it would have mattered.

    Without an engine one is made that searches as the record did. Pass your own to open many, or
    one `without=["unsound"]` to look at a stub without any pruning that guesses.
    """
    history, ply = record.past(node), int(record.ply[node])
    engine = engine or Engine(
        record.game, record.evaluator, hash=16, without=record.without, weights=record.weights
    )
    depth = max(1, int(record.depth[node]))
    result = engine.search(history, Limits(depth=depth, nodes=nodes), moves=[move])
    score = _from_root(result.score, ply)
    value, alpha, beta = (int(record.rows[name][node]) for name in ("value", "alpha", "beta"))
    better = max(value, score)
    return PrunedMoveResult(
        result.move or move,
        score,
        str(result.kind),
        result.line,
        result.depth,
        result.nodes,
        value,
        better,
        max(alpha, min(beta, better)) != max(alpha, min(beta, value)),
    )


def _from_root(score: int, ply: int) -> int:
    """A score found at a node as the root counts it: distances grow by the plies in between."""
    if not is_decisive(score):
        return score
    return score - ply if score > 0 else score + ply
