"""Counters of a search: how often the first move cut, how fast the tree grew, and what was saved."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

from plywise.core.bits import compiled
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import LOST, WON
from plywise.explain.record import CAUSES, Record
from plywise.search.engine import Engine
from plywise.search.recorder import CUT, NULL_SEARCH, RE_SEARCH, REDUCED, SINGULAR_SEARCH
from plywise.search.specialisation import Specialisation
from plywise.search.switches import switches
from plywise.search.thread_state import MAX_PLY

MAX_PATHS = 3_000_000  # nodes that are counted one by one; beyond, growth is carried on
MAX_COMPARED_NODES = 1_000_000  # nodes of each search that is compared, at most

# What is switched off, row by row, when searches are compared.
COMPARED_SWITCHES: Mapping[str, tuple[str, ...]] = {
    "the whole search": (),
    "without ordering": ("capture_order", "killers", "history"),
    "without the table": ("table",),
    "without null moves": ("null_move",),
    "without reductions": ("reductions",),
    "without all that guesses": ("unsound",),
}


@dataclass(frozen=True, slots=True)
class Counters:
    """What the nodes of a record, or of one pass, amount to."""

    nodes: int
    quiescence: int  # of them beyond the depth
    causes: dict[str, int]
    cuts: int  # nodes within the depth at which a move cut the others off
    first_cuts: int  # of them by the first move
    passes: int  # null moves tried
    reduced: int  # moves searched less deep
    again: int  # searches done again with more depth or a wider window
    branching: float | None  # how many times larger each iteration is than the one before

    @property
    def ordering(self) -> float | None:
        """The share of cuts that came with the first move: near 1 if moves are well ordered."""
        return self.first_cuts / self.cuts if self.cuts else None

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data, for JSON."""
        return {**asdict(self), "ordering": self.ordering}


def counters(record: Record, root: int | None = None) -> Counters:
    """Counters of the whole record, or of the nodes at and below one node."""
    begin, end = (0, len(record)) if root is None else (record.check(root), root + int(record.size[root]))
    rows = record.rows[begin:end]
    cause, why, parent = rows["cause"], rows["why"], rows["parent"].astype(np.int64) - begin
    moves = np.flatnonzero((parent >= 0) & (why != NULL_SEARCH) & (why != SINGULAR_SEARCH))
    # The last assignment to a place counts: the first move that was tried at each node, and the last.
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
    """The effective branching factor: the growth of the finished iterations, over the last two steps.

    Odd and even depths differ, so two steps are taken where there are three iterations.
    """
    nodes: dict[int, int] = {}
    for one in record.iterations():
        nodes[one.depth] = nodes.get(one.depth, 0) + one.nodes
        unfinished = one.cause == "stopped" or (not record.complete and one.root + one.nodes == len(record))
        if unfinished:
            del nodes[one.depth]
    depths = sorted(nodes)
    steps = min(2, len(depths) - 1)
    if steps < 1:
        return None
    growth = nodes[depths[-1]] / nodes[depths[-1 - steps]]
    return float(growth ** (1 / (depths[-1] - depths[-1 - steps])))


# --- what was saved -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class TreeSizes:
    """How large the trees of plain minimax and of a perfectly ordered alpha-beta are at a depth."""

    depth: int
    minimax: int  # nodes
    counted: bool  # one by one; else the growth of the counted depths is carried on
    moves: float  # in a position, on the average
    minimal: int  # nodes of the minimal tree (Knuth and Moore 1975) for so many moves

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data, for JSON."""
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
    """The trees that a search to this depth is measured by.

    Positions are counted as perft does, by the moves alone; but a level ends where the turn changes, as
    depth does, since a side may act several times in a row.
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
    """The nodes on each level of the full tree, as deep as they can be counted."""
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
    """The nodes of the full tree of `depth` turns; `memory.stopped` is set where they cannot be counted."""
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
    if end - n > memory.most:
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
    memory.most, memory.most_nodes = most_moves, most
    total = tree(position, memory, depth, 0, 0)
    return total if memory.stopped == 0 else -1


@dataclass(frozen=True, slots=True)
class Comparison:
    """One search of several, side by side."""

    name: str
    without: tuple[str, ...]
    move: str | None
    score: int
    depth: int
    nodes: int
    limited: bool  # it had not reached the depth when its nodes ran out

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data, for JSON."""
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
    """The same position to the same depth with parts of the search switched off: how many nodes each takes.

    Each search begins with an empty table and ends at `most` nodes. An engine may be lent, to be
    stopped from elsewhere; it has its own evaluation, and gets its switches back.
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
