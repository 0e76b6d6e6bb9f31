"""The record of a search: every visited node, in the order of the visits (preorder).

The number of a node is its place in that order. So the subtree of node i has the nodes i to
i + size[i] - 1, and its children follow each other at the distance of their sizes. Nothing else is
needed to walk a tree of millions of nodes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from plywise.core.errors import BadLimits, PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.plain import Plain
from plywise.core.rules import Position
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.recorder import (
    ALL_MOVES_SEARCH,
    NULL_SEARCH,
    RE_SEARCH,
    REDUCED,
    SAME_POSITION,
    SHALLOW_SEARCH,
    SINGULAR_SEARCH,
)
from plywise.search.result import Result
from plywise.search.thread_state import NODE

MAX_NODES = 1_000_000  # recorded by default
ROW = np.dtype(list(NODE.fields))
MAX_CACHED_POSITIONS = 512  # of the nodes visited last by a reader

# By the recorder's numbers: how a node ended (CAUSES), how it was searched (HOW), what its value is (BOUNDS).
# explain/wording.py puts them into words.
CAUSES = (
    "leaf",
    "table",
    "null move",
    "cut",
    "over",
    "draw",
    "all moves",
    "stopped",
    "database",
    "too deep",
    "standing",
    "probcut",
)
HOW = ("root", "full", "scout", "reduced", "again", "pass", "noisy", "without", "shallow", "all")
# Children of a node that are no moves: a null move; the search of the same position without its best move,
# which finds whether it is singular; the shallow search of the same position (ProbCut); and its search with
# all moves, after its candidates alone were found to lose.
NON_MOVES = {
    NULL_SEARCH: "pass",
    SINGULAR_SEARCH: "others",
    SHALLOW_SEARCH: "shallow",
    ALL_MOVES_SEARCH: "all moves",
}
BOUNDS = ("exact", "lower", "upper")


class BadNode(PlywiseError):
    """A node number that a record does not have."""


@dataclass(frozen=True, slots=True)
class Node:
    """One visit of one position. Scores are for the side to move there (`turn`)."""

    number: int
    parent: int | None
    move: str | None  # that led here; None at a root; a word of NON_MOVES if no move did
    turn: int
    depth: int  # turns left to search, on entry
    ply: int
    alpha: int
    beta: int
    value: int
    bound: str  # of BOUNDS: the value is exact, or at least, or at most this
    cause: str  # of CAUSES
    how: str  # of HOW
    iteration: int
    place: int  # of the move among those tried at the parent, from 1; 0 if no move led here
    nodes: int  # of its subtree, as far as they were recorded
    children: int
    again: bool  # reduced, and the same move was then searched again
    cut_short: bool  # the record ended while this node was being searched

    def as_dict(self) -> dict[str, Any]:
        """As data for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Iteration:
    """One search of the root moves: an iteration of deepening, or its re-search with another window."""

    root: int
    depth: int
    alpha: int
    beta: int
    value: int
    bound: str
    cause: str
    nodes: int

    def as_dict(self) -> dict[str, Any]:
        """As data for JSON."""
        return asdict(self)


@dataclass(eq=False)
class Record:
    """The recorded nodes of one search.

    `rows` has a row for each node (see search/thread_state.py). `nodes` is the number of visited nodes:
    more than rows if the record is cut short. Columns are attributes: `record.value[17]`.
    """

    history: History
    evaluator: str
    rows: Any
    nodes: int
    result: Mapping[str, Any]  # move, score, kind, depth and line of the search
    without: tuple[str, ...] = ()
    weights: str | None = None
    names: tuple[str, ...] | None = None  # moves of a plain game by number, from another process
    _positions: dict[int, Position] = field(default_factory=dict, repr=False)
    _numbers: dict[int, int] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"<Record {self.game.name} {self.history.text!r}: {len(self)} of {self.nodes} nodes>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the position, what was found, and the tree as an icicle."""
        from plywise.explain.icicle_svg import record_html

        return record_html(self)

    def __len__(self) -> int:
        return len(self.rows)

    def __getattr__(self, name: str) -> Any:
        if name in ROW.names:  # type: ignore[operator]
            return self.rows[name]
        raise AttributeError(name)

    @property
    def game(self) -> Game:
        return self.history.game

    @property
    def complete(self) -> bool:
        """Whether every visited node was recorded."""
        return len(self) == self.nodes

    @property
    def missing_text(self) -> str:
        """A sentence about the missing nodes; empty if none are missing."""
        if self.complete:
            return ""
        return f"only the first {len(self):,} of {self.nodes:,} nodes were recorded; the rest is not here"

    # --- the shape of the tree ------------------------------------------------------------------
    @cached_property
    def level(self) -> Any:
        """The nodes above each node: its ply, plus the searches of the same position on its path."""
        if not np.isin(self.rows["why"], SAME_POSITION).any():
            return self.rows["ply"]
        # Pointer doubling: each round looks twice as far up. A root is its own parent, at distance 0.
        up = self.rows["parent"].astype(np.int32)
        level = (up >= 0).astype(np.int16)
        up[up < 0] = np.flatnonzero(up < 0)
        while level[up].any():
            level += level[up]
            up = up[up]
        return level

    @cached_property
    def size(self) -> Any:
        """The number of nodes in the subtree of each node, with itself."""
        size = np.ones(len(self), np.int32)
        level, parent = self.level, self.rows["parent"]
        order = np.argsort(level, kind="stable").astype(np.int32)
        ends = np.cumsum(np.bincount(level, minlength=1))
        for level in range(len(ends) - 1, 0, -1):
            here = order[ends[level - 1] : ends[level]]
            np.add.at(size, parent[here], size[here])
        return size

    @cached_property
    def fanout(self) -> Any:
        """The number of children of each node."""
        below = self.rows["parent"]
        return np.bincount(below[below >= 0], minlength=len(self)).astype(np.int32)

    @cached_property
    def roots(self) -> Any:
        """The root nodes: one for each iteration or re-search."""
        return np.flatnonzero(self.rows["ply"] == 0)

    def iterations(self) -> list[Iteration]:
        """The iterations of the search, in order."""
        return [
            Iteration(
                int(root),
                int(self.iteration[root]),
                int(self.alpha[root]),
                int(self.beta[root]),
                int(self.value[root]),
                BOUNDS[self.bound[root]],
                CAUSES[self.cause[root]],
                int(self.size[root]),
            )
            for root in self.roots
        ]

    def check(self, node: int) -> int:
        """The node's number; raise BadNode if there is no such node."""
        if not 0 <= node < len(self):
            there = f"nodes 0 to {len(self) - 1}" if len(self) else "no nodes"
            more = f"; {self.missing_text}" if not self.complete else ""
            raise BadNode(f"there is no node {node} in this record: it has {there}{more}")
        return int(node)

    def below(self, node: int) -> Iterator[int]:
        """The numbers of the children of a node, in the order in which they were searched."""
        child, end = self.check(node) + 1, node + int(self.size[node])
        while child < end:
            yield child
            child += int(self.size[child])

    def by_move(self, node: int) -> bool:
        """Whether the node is a root or a move led to it; else it is one of NON_MOVES."""
        return int(self.why[node]) not in NON_MOVES

    def path(self, node: int) -> list[int]:
        """The numbers of the nodes from the root to this one."""
        result = [self.check(node)]
        while self.parent[result[-1]] >= 0:
            result.append(int(self.parent[result[-1]]))
        return result[::-1]

    # --- positions and moves ----------------------------------------------------------------------
    def number(self, position: Any, move: int) -> int:
        """The number of a recorded move in this process."""
        if self.names is None or move < 0:
            return move
        if move not in self._numbers:
            for legal in self.game.moves(position):
                if repr(position.move(legal)) == self.names[move]:
                    self._numbers[move] = legal
                    break
            else:
                raise BadNode(f"the move {self.names[move]} of the record is not legal in {position!r}")
        return self._numbers[move]

    def position(self, node: int) -> Position:
        """The position at a node."""
        known = self._positions.get(self.check(node))
        if known is not None:
            return known
        parent = int(self.parent[node])
        if parent < 0:
            found = self.history.position
        else:
            trail = []
            while parent >= 0 and node not in self._positions:
                trail.append(node)
                node, parent = parent, int(self.parent[parent])
            found = self._positions.get(node, self.history.position)
            for step in reversed(trail):
                if self.why[step] == NULL_SEARCH:
                    found = found.skip()
                elif self.why[step] not in SAME_POSITION:
                    found = found.play(self.number(found, int(self.move[step])))
                node = step
        if len(self._positions) >= MAX_CACHED_POSITIONS:
            self._positions.clear()
        self._positions[node] = found
        return found

    def past(self, node: int) -> History:
        """The history up to a node, for its text, board and repetitions. A null move starts a new history."""
        history = self.history
        for step in self.path(node)[1:]:
            if self.why[step] == NULL_SEARCH:
                history = History(self.game, history.position.skip())
                history.clock = 0
            elif self.why[step] not in SAME_POSITION:
                move = self.number(history.position, int(self.move[step]))
                history = History(self.game, history.position.play(move), history, move)
        return history

    def move_text(self, node: int) -> str | None:
        """The move that led to a node; None at a root, a word of NON_MOVES if no move did."""
        return self._write_move(node, self.game.move_text)

    def label(self, node: int) -> str | None:
        """The same as a list of moves shows it."""
        return self._write_move(node, self.game.label)

    def _write_move(self, node: int, write: Callable[[Any, int], str]) -> str | None:
        if self.parent[self.check(node)] < 0:
            return None
        if not self.by_move(node):
            return NON_MOVES[int(self.why[node])]
        before = self.position(int(self.parent[node]))
        return write(before, self.number(before, int(self.move[node])))

    def line(self, node: int) -> list[str]:
        """The moves from the root to a node."""
        return [self.move_text(step) or "" for step in self.path(node)[1:]]

    # --- nodes as objects ---------------------------------------------------------------------------
    def node(self, node: int) -> Node:
        """A node with all its fields."""
        parent = int(self.parent[self.check(node)])
        if parent < 0:
            return self._node(node, 0, False)
        return next(child for child in self._children(parent) if child.number == node)

    def by_mate_distance(self, node: int) -> bool:
        """Whether a node was cut off before any move: no win from there is fast enough to matter."""
        return CAUSES[self.cause[self.check(node)]] == "cut" and int(self.size[node]) == 1

    def children(self, node: int) -> list[Node]:
        """The children of a node, in the order in which they were searched."""
        return list(self._children(node))

    def _children(self, node: int) -> Iterator[Node]:
        below = list(self.below(node))
        places: dict[int, int] = {}
        for i, child in enumerate(below):
            move, place = int(self.move[child]), 0
            if self.by_move(child):
                place = places.setdefault(move, len(places) + 1)
            next_child = below[i + 1] if i + 1 < len(below) else -1
            again = (
                next_child >= 0
                and int(self.why[child]) == REDUCED
                and int(self.why[next_child]) == RE_SEARCH
                and int(self.move[next_child]) == move
            )
            yield self._node(child, place, again)

    def _node(self, node: int, place: int, again: bool) -> Node:
        row = self.rows[node]
        parent, nodes = int(row["parent"]), int(self.size[node])
        return Node(
            node,
            None if parent < 0 else parent,
            self.move_text(node),
            self.turn(node),
            int(row["depth"]),
            int(row["ply"]),
            int(row["alpha"]),
            int(row["beta"]),
            int(row["value"]),
            BOUNDS[row["bound"]],
            CAUSES[row["cause"]],
            HOW[row["why"]],
            int(row["iteration"]),
            place,
            nodes,
            int(self.fanout[node]),
            again,
            not self.complete and node + nodes == len(self),
        )

    def turn(self, node: int) -> int:
        """The side to move at a node; from the position, since a side may move twice in a row."""
        return int(self.position(node).turn)


# --- recording ------------------------------------------------------------------------------------
def record_of(engine: Engine, history: History, result: Result) -> Record:
    """A copy of the record of the last search of an engine with `record=N`."""
    if engine.log is None:
        raise BadLimits("this engine keeps no record; make it with record=N, the nodes to keep")
    rows = np.array(np.asarray(engine.log)[: min(result.nodes, len(engine.log))].view(ROW))
    return _make_record(engine, history, result, rows)


def record(
    history: History,
    limits: Limits | None = None,
    *,
    evaluator: str = "default",
    most: int = MAX_NODES,
    moves: Iterable[str] = (),
    without: Iterable[str] = (),
    weights: str | None = None,
    hash: int = 64,
    compiled: bool = True,
    **limit: Any,
) -> Record:
    """Search a position and record every node, up to `most` of them.

    Limits are those of a search: depth, nodes, time. One thread searches.
    """
    if most < 1:
        raise BadLimits(f"the nodes to record must be a whole number from 1 up, not {most}")
    engine = Engine(
        history.game, evaluator, hash=hash, compiled=compiled, without=without, weights=weights, record=most
    )
    result = engine.search(history, limits, moves=tuple(moves), **limit)
    log = np.asarray(engine.log)
    count = min(result.nodes, most)
    # A log that is mostly empty is copied, so that it can be freed.
    rows = log[:count].view(ROW) if count > most // 2 else np.array(log[:count].view(ROW))
    return _make_record(engine, history, result, rows)


def _make_record(engine: Engine, history: History, result: Result, rows: Any) -> Record:
    if engine.threads != 1:
        raise BadLimits("a search is recorded with one thread; several write over each other")
    summary = {
        "move": result.move,
        "score": result.score,
        "kind": str(result.kind),
        "depth": result.depth,
        "line": list(result.line),
    }
    return Record(
        history, engine.evaluation.name, rows, result.nodes, summary, engine.without, engine.weights
    )


def names_of(record: Record) -> list[str] | None:
    """The moves of a plain game by number, as text for other processes; None if compiled."""
    if record.names is not None:
        return list(record.names)
    position = record.history.position
    return [repr(value) for value in position.names.values_by_number] if isinstance(position, Plain) else None
