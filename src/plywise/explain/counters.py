"""Counters of a search: cutoffs by the first move, growth of the tree, and nodes saved by pruning."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

from plywise.core.compiled import compiled
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import LOST, WON
from plywise.explain.record import CAUSES, Record
from plywise.search.engine import Engine
from plywise.search.recorder import CUT, NULL_SEARCH, RE_SEARCH, REDUCED, SAME_POSITION
from plywise.search.specialisation import Specialisation
from plywise.search.switches import switches
from plywise.search.thread_state import MAX_PLY

MAX_PATHS = 3_000_000  # nodes that are counted one by one; larger trees are extrapolated
MAX_COMPARED_NODES = 1_000_000  # of each compared search

# The compared searches, and the switches that each turns off.
COMPARED_SWITCHES: Mapping[str, tuple[str, ...]] = {
    "the whole search": (),
    "without ordering": ("capture_order", "killers", "history"),
    "without the table": ("table",),
    "without null moves": ("null_move",),
    "without reductions": ("reductions",),
    "without all risky pruning": ("unsound",),
}


@dataclass(frozen=True, slots=True)
class Counters:
    """Counts over the nodes of a record, or of one iteration."""

    nodes: int
    quiescence: int  # of them in quiescence
    causes: dict[str, int]
    cuts: int  # nodes with a beta cutoff, without quiescence
    first_cuts: int  # of them by the first move tried
    passes: int  # null moves tried
    reduced: int  # moves searched with reduced depth
    again: int  # re-searches, with more depth or a wider window
    branching: float | None  # the effective branching factor

    @property
    def ordering(self) -> float | None:
        """The share of cutoffs by the first move: near 1 if moves are well ordered."""
        return self.first_cuts / self.cuts if self.cuts else None

    def as_dict(self) -> dict[str, Any]:
        """As data for JSON."""
        return {**asdict(self), "ordering": self.ordering}


def counters(record: Record, root: int | None = None) -> Counters:
    """Counters of the whole record, or of the nodes at and below one node."""
    begin, end = (0, len(record)) if root is None else (record.check(root), root + int(record.size[root]))
    rows = record.rows[begin:end]
    cause, why, parent = rows["cause"], rows["why"], rows["parent"].astype(np.int64) - begin
    moves = np.flatnonzero((parent >= 0) & (why != NULL_SEARCH) & ~np.isin(why, SAME_POSITION))
    # NumPy keeps the last of several assignments: so we find the first and the last move of each node.
    first, last = np.full(len(rows), -1, np.int64), np.full(len(rows), -1, np.int64)
    last[parent[moves]] = moves
    first[parent[moves[::-1]]] = moves[::-1]
    cut = np.flatnonzero((cause == CUT) & (rows["depth"] > 0) & (last >= 0))
    counts = np.bincount(cause, minlength=len(CAUSES))
    return Counters(
        len(rows),
        int((rows["depth"] <= 0).sum()),
        {name: int(counts[i]) for i, name in enumerate(CAUSES) if counts[i]},
        len(cut),
        int((rows["move"][first[cut]] == rows["move"][last[cut]]).sum()),
        int((why == NULL_SEARCH).sum()),
        int((why == REDUCED).sum()),
        int((why == RE_SEARCH).sum()),
        branching(record),
    )


def branching(record: Record) -> float | None:
    """The effective branching factor: how much each finished iteration is larger than the one before.

    Odd and even depths differ, so it is the mean of the last two steps if there are three iterations.
    """
    nodes: dict[int, int] = {}
    for iteration in record.iterations():
        depth, end = iteration.depth, iteration.root + iteration.nodes
        nodes[depth] = nodes.get(depth, 0) + iteration.nodes
        unfinished = iteration.cause == "stopped" or (not record.complete and end == len(record))
        if unfinished:
            del nodes[depth]
    depths = sorted(nodes)
    steps = min(2, len(depths) - 1)
    if steps < 1:
        return None
    growth = nodes[depths[-1]] / nodes[depths[-1 - steps]]
    return float(growth ** (1 / (depths[-1] - depths[-1 - steps])))


# --- nodes saved ----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class TreeSizes:
    """The sizes of the trees of plain minimax and of perfectly ordered alpha-beta."""

    depth: int
    minimax: int  # nodes
    counted: bool  # one by one; else extrapolated from the counted depths
    moves: float  # of a position, on average
    minimal: int  # nodes of the minimal tree (Knuth and Moore 1975) with that many moves

    def as_dict(self) -> dict[str, Any]:
        """As data for JSON."""
        return asdict(self)


def minimal_nodes(moves: float, depth: int) -> int:
    """Nodes of the minimal tree: on each level m^ceil(l/2) + m^floor(l/2) - 1 of them must be visited.

    >>> minimal_nodes(2, 2)  # the root, its two moves, and three of the four leaves
    6
    >>> minimal_nodes(30, 1)
    31
    """
    return round(sum(moves ** ((level + 1) // 2) + moves ** (level // 2) - 1 for level in range(depth + 1)))


def tree_sizes(history: History, depth: int, most: int = MAX_PATHS, compiled: bool = True) -> TreeSizes:
    """The sizes of the trees with which a search to this depth is compared.

    Positions are counted as by perft. But a level ends where the turn changes, as depth does, since a
    side may move several times in a row.
    """
    levels = _level_sizes(history, depth, most, compiled)
    counted = len(levels) == depth + 1
    if not counted:
        growth = (levels[-1] / levels[-3]) ** 0.5 if len(levels) > 2 and levels[-3] else max(1, levels[-1])
        while len(levels) <= depth:
            levels.append(levels[-1] * growth)
    moves = levels[depth] ** (1 / depth) if depth and levels[depth] > 0 else 0.0
    return TreeSizes(depth, round(sum(levels)), counted, moves, minimal_nodes(moves, depth))


def _level_sizes(history: History, depth: int, most: int, compiled: bool) -> list[float]:
    """The nodes on each level of the full tree, down to where they can be counted."""
    count = _tree_counter(history.game, compiled)
    memory = count.new_thread()
    levels: list[float] = [1]
    while len(levels) <= depth:
        growth = levels[-1] / levels[-2] if len(levels) > 1 and levels[-2] else 40
        if levels[-1] * growth > most:
            break
        nodes = count(history.position, memory, len(levels), history.game.most_moves, most)
        if nodes < 0:
            break
        levels.append(nodes - sum(levels))
    return levels


@cache
def _tree_counter(game: Game, compiled: bool) -> Specialisation:
    return Specialisation(tree_root, game, compiled=compiled)


@compiled
def tree(position: Any, memory: Any, depth: int, ply: int, n: int) -> int:
    """The nodes of the full tree of `depth` turns; sets `memory.stopped` if there are too many."""
    memory.nodes += 1
    if memory.nodes > memory.most_nodes or ply >= MAX_PLY:
        memory.stopped = 1
        return 0
    if depth <= 0:
        return 1
    outcome = position.outcome()
    if outcome in (WON, LOST):
        return 1
    end = position.moves(memory.moves, n)
    if end - n > memory.most_moves:
        memory.stopped = 1
        return 0
    total = 1
    for i in range(n, end):
        after = position.play(memory.moves[i])
        total += tree(after, memory, depth if after.turn == position.turn else depth - 1, ply + 1, end)
        if memory.stopped != 0:
            return 0
    return total


def tree_root(position: Any, memory: Any, depth: int, most_moves: int, most: int) -> int:
    """The nodes of the full tree of `depth` turns; -1 if they are more than `most`, or too deep."""
    memory.nodes = memory.stopped = 0
    memory.most_moves, memory.most_nodes = most_moves, most
    total = tree(position, memory, depth, 0, 0)
    return total if memory.stopped == 0 else -1


@dataclass(frozen=True, slots=True)
class Comparison:
    """One of the compared searches."""

    name: str
    without: tuple[str, ...]
    move: str | None
    score: int
    depth: int
    nodes: int
    limited: bool  # it reached its nodes before the depth

    def as_dict(self) -> dict[str, Any]:
        """As data for JSON."""
        return asdict(self)


def compare(
    history: History,
    depth: int,
    rows: Mapping[str, Iterable[str]] = COMPARED_SWITCHES,
    *,
    evaluator: str = "default",
    most: int = MAX_COMPARED_NODES,
    compiled: bool = True,
    engine: Engine | None = None,
) -> list[Comparison]:
    """Search a position to the same depth with parts of the search switched off, to compare the nodes.

    Each search starts with an empty table and ends at `most` nodes. Pass an engine to be able to stop
    it; it keeps its evaluation, and its switches are restored.
    """
    engine = engine or Engine(history.game, evaluator, hash=16, compiled=compiled)
    usual, result = engine.switches, []
    for name, off in rows.items():
        engine.switches = switches(tuple(off))
        engine.clear()
        found = engine.search(history, depth=depth, nodes=most)
        limited = found.nodes >= most and found.depth < depth and str(found.kind) != "proven"
        result.append(
            Comparison(name, tuple(off), found.move, found.score, found.depth, found.nodes, limited)
        )
    engine.switches = usual
    return result
