"""Pruned moves: the moves that a search did not search at a node, and what they are worth."""

from dataclasses import asdict, dataclass
from typing import Any

from plywise.core.rules import Position
from plywise.core.scores import add_plies
from plywise.explain.record import CAUSES, Record
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.recorder import CUT, DONE, NOISY, STOPPED
from plywise.search.switches import QUIESCENCE, QUIESCENCE_CHECKS, switches

MAX_NODES = 1_000_000  # of the search of a pruned move


@dataclass(frozen=True, slots=True)
class PrunedMove:
    """A legal move that was not searched at a node, and why not (wording.PRUNED_TEXT says it in words)."""

    move: str
    reason: str

    def as_dict(self) -> dict[str, Any]:
        """As data for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PrunedMoveResult:
    """A pruned move, searched alone. Scores are for the side to move at the node."""

    move: str
    score: int
    kind: str
    line: tuple[str, ...]
    depth: int
    nodes: int
    value: int  # of the node, as recorded
    with_it: int  # the node's value with this move
    matters: bool  # whether the value changes within the node's window, and so for its parent

    def as_dict(self) -> dict[str, Any]:
        """As data for JSON."""
        return asdict(self)


def pruned_moves(record: Record, node: int) -> list[PrunedMove]:
    """The legal moves of a node that have no node in the record, in the game's order."""
    position, game = record.position(node), record.game
    tried = {
        record.number(position, int(record.move[child]))
        for child in record.below(node)
        if record.by_move(child)
    }
    left = [move for move in game.moves(position) if move not in tried]
    if not left:
        return []
    noisy = _noisy_moves(record, node, position)
    return [PrunedMove(game.move_text(position, move), _reason(record, node, move, noisy)) for move in left]


def _noisy_moves(record: Record, node: int, position: Position) -> set[int] | None:
    """The moves that quiescence looks at in this position; None if the node is not in quiescence."""
    on = switches(record.without)
    searched = on & QUIESCENCE != 0 and int(record.depth[node]) <= 0
    if not searched or position.midway() or position.urgent():
        return None
    buffer: dict[int, int] = {}
    # The first node of quiescence looks at checks and threats, too.
    first = on & QUIESCENCE_CHECKS != 0 and record.why[node] != NOISY
    listed = position.sharp if first else position.noisy
    return {buffer[i] for i in range(listed(buffer, 0))}


def _reason(record: Record, node: int, move: int, noisy: set[int] | None) -> str:
    cause = int(record.cause[node])
    if not record.complete and node + int(record.size[node]) == len(record):
        return "not recorded"
    if cause not in (CUT, DONE, STOPPED):
        return CAUSES[cause]
    if noisy is not None and move not in noisy:
        return "quiet"
    if record.by_mate_distance(node):
        return "mate distance"
    return {CUT: "cut", DONE: "left out", STOPPED: "stopped"}[cause]


def search_pruned_move(
    record: Record, node: int, move: str, engine: Engine | None = None, nodes: int = MAX_NODES
) -> PrunedMoveResult:
    """Search a pruned move as deep as its node was searched; does it change the node's value?

    By default with an engine that searches as the recorded one did. Pass your own to search many moves,
    or one with `without=["unsound"]` to search without any unsound pruning.
    """
    history, ply = record.past(node), int(record.ply[node])
    engine = engine or Engine(
        record.game, record.evaluator, hash=16, without=record.without, weights=record.weights
    )
    depth = max(1, int(record.depth[node]))
    result = engine.search(history, Limits(depth=depth, nodes=nodes), moves=[move])
    score = add_plies(result.score, ply)  # as seen from the root
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
