"""The tree of a game: every position that was reached, and the status of the game beside it.

The first child of a node continues its line, the others are variations. What is played is the main line; what
is tried beside the game comes behind it. A deleted variation is hidden, so that it can come back.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from plywise.play.state import GameState
from plywise.web.live.annotation import Annotation, Edit
from plywise.web.schema import Refused

MAX_NODES = 8000  # of one game, with all variations
PERSON = {"kind": "person"}
PLAIN = Annotation()  # of a move of which nothing is said

Choices = dict[int, tuple[str, ...]]  # the moves of each side that chooses
NodeRow = tuple[int, int, dict[str, Any]]  # a node in the store: its number, its parent's, the rest


@dataclass(eq=False)
class Node:
    """One position in the tree of a game, and the choices that led to it."""

    n: int
    parent: "Node | None"
    choices: Choices
    label: str
    number: int
    turn: int
    side: int | None  # who moved; None where both did, and at the root
    clocks: list[float] | None = None  # seconds left of each side
    last_child: "Node | None" = None  # the child that was played or visited last
    cached_state: GameState | None = None
    note: Annotation = PLAIN
    move: int = 1  # the number of the move in a list; at the root, of the one to come
    all_children: list["Node"] = field(default_factory=list)  # the deleted ones, too

    def __post_init__(self) -> None:
        if self.parent is not None:
            follows = self.parent.parent is None or (self.side == 1 and self.parent.side == 0)
            self.move = self.parent.move + (0 if follows else 1)

    @property
    def children(self) -> list["Node"]:
        """The moves that were played or tried here; the first one continues the line."""
        shown = [child for child in self.all_children if not child.note.deleted]
        return sorted(shown, key=lambda child: (child.note.rank, child.n))

    @property
    def path(self) -> list["Node"]:
        """The nodes from the root to this one."""
        found, node = [self], self
        while node.parent is not None:
            node = node.parent
            found.append(node)
        return found[::-1]

    @property
    def state(self) -> GameState:
        """The state of the game here; a branch that was only loaded is played through now."""
        missing: list[Node] = []
        node = self
        while node.cached_state is None:
            missing.append(node)
            assert node.parent is not None, "the root has its state"
            node = node.parent
        for node in reversed(missing):
            assert node.parent is not None and node.parent.cached_state is not None
            node.cached_state = node.parent.cached_state.follow(node.choices)
        assert self.cached_state is not None
        return self.cached_state

    def row(self, note: Annotation | None = None) -> NodeRow:
        """The node as the store keeps it, with another annotation if one is given; the root has no row."""
        assert self.parent is not None, "the root has no row"
        body = {
            "choices": {str(side): list(moves) for side, moves in self.choices.items()},
            "said": self.label,
            "number": self.number,
            "turn": self.turn,
            "side": self.side,
            "clocks": self.clocks,
            **(self.note if note is None else note).to_json(),
        }
        return self.n, self.parent.n, body

    def payload(self, mark: tuple[str | None, float] | None = None) -> dict[str, Any]:
        """What the page's list of moves shows; `mark` is what a review has found."""
        payload: dict[str, Any] = {
            "n": self.n,
            "parent": None if self.parent is None else self.parent.n,
            "said": self.label,
            "number": self.number,
            "turn": self.turn,
            "side": self.side,
            "move": self.move,
            **self.note.to_json(),
        }
        if mark is not None:
            payload["mark"], payload["chance"] = mark
        if self.clocks is not None:
            payload["clocks"] = self.clocks
        return payload


class GameTree:
    """The nodes of one game, from the root; the game goes on at the tip. The caller holds the lock."""

    def __init__(self, root: GameState) -> None:
        self.nodes = [Node(0, None, {}, "", 0, root.turn, None, cached_state=root)]
        self.nodes[0].move = root.game.move_number(root.view(root.turn).position)
        self.tip = self.nodes[0]
        self._both_choose = root.game.world is not None

    @classmethod
    def from_rows(cls, root: GameState, rows: Iterable[NodeRow], tip: int) -> "GameTree":
        """The tree that the store has; its branches are played through when somebody looks at them."""
        tree = cls(root)
        for n, parent, body in rows:
            choices = {int(side): tuple(moves) for side, moves in body["choices"].items()}
            tree.add(
                Node(
                    n,
                    tree.nodes[parent],
                    choices,
                    body["said"],
                    body["number"],
                    body["turn"],
                    body["side"],
                    body["clocks"],
                    note=Annotation.from_json(body),
                )
            )
        for node in tree.nodes:
            node.last_child = next(iter(node.children), None)
        tree.tip = tree.nodes[tip]
        tree.prefer_path_to(tree.tip)
        return tree

    def rows(self) -> tuple[NodeRow, ...]:
        """All nodes but the root, as the store keeps them."""
        return tuple(node.row() for node in self.nodes[1:])

    # --- nodes ------------------------------------------------------------------------------------
    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, node: Node) -> bool:
        return node.n < len(self.nodes) and self.nodes[node.n] is node

    def node(self, n: int) -> Node:
        """The node of that number."""
        if n >= len(self.nodes):
            raise Refused(f"this game has no node {n}; its last is {len(self.nodes) - 1}")
        return self.nodes[n]

    def missing_states(self, n: int, most: int) -> int:
        """How many moves must be played before the state of a node is known; counted up to `most`."""
        node, count = self.nodes[n] if 0 <= n < len(self.nodes) else None, 0
        while node is not None and node.cached_state is None and count < most:
            node, count = node.parent, count + 1
        return count

    @property
    def visible(self) -> list[Node]:
        """All nodes that are not deleted, nor below one that is."""
        hidden: set[int] = set()
        for node in self.nodes:
            if node.note.deleted or (node.parent is not None and node.parent.n in hidden):
                hidden.add(node.n)
        return [node for node in self.nodes if node.n not in hidden]

    def new_node(
        self, parent: Node, state: GameState, clocks: list[float] | None, *, first: bool = True
    ) -> Node:
        """A node for a state below another one; it is in the tree after `add`.

        It continues the line of its parent, or is a variation behind all others if it is not to be `first`.
        """
        side = next(iter(state.moves)) if len(state.moves) == 1 else None
        ranks = [child.note.rank for child in parent.all_children if not child.note.deleted]
        rank = 0 if not ranks else ranks_first(ranks) if first else max(ranks) + 1
        return Node(
            len(self.nodes),
            parent,
            state.moves,
            state.label,
            state.number,
            state.turn,
            side,
            clocks,
            cached_state=state,
            note=Annotation(rank=rank),
        )

    def add(self, node: Node, *, played: bool = True) -> None:
        """Take a new node into the tree; `redo` leads to it if it was `played`."""
        assert node.n == len(self.nodes) and node.parent is not None
        self.nodes.append(node)
        node.parent.all_children.append(node)
        if played:
            node.parent.last_child = node

    def child(self, node: Node, choices: Choices) -> Node | None:
        """The node to which these choices have led before; in a world the dice would be the same."""
        return next((one for one in node.children if one.choices == choices), None)

    def main_line(self) -> list[Node]:
        """The nodes from the root along the first children."""
        return self._to_end(self.nodes[0])

    def _to_end(self, node: Node) -> list[Node]:
        """The path to a node, and on along the first children."""
        line = node.path
        while children := line[-1].children:
            line.append(children[0])
        return line

    # --- the tip ----------------------------------------------------------------------------------
    def prefer_path_to(self, node: Node) -> None:
        """Let `redo` lead along the path to this node from now on."""
        while node.parent is not None:
            node.parent.last_child, node = node, node.parent

    def undo_target(self, persons: Collection[int]) -> Node | None:
        """The last node before the tip at which a person had to choose; without persons, the one before."""
        node = self.tip.parent
        while node is not None and persons and not self._choose(node, persons):
            node = node.parent
        return node

    def redo_target(self, persons: Collection[int]) -> Node | None:
        """The node from which the last undo came; without persons, the next one."""
        node = self._redo_child(self.tip)
        while node is not None and persons and (later := self._redo_child(node)) is not None:
            if self._choose(node, persons):
                break
            node = later
        return node

    def _redo_child(self, node: Node) -> Node | None:
        """The child that was played or visited last, unless it is deleted."""
        last = node.last_child
        return None if last is None or last.note.deleted else last

    def _choose(self, node: Node, persons: Collection[int]) -> bool:
        """Whether one of these sides has to choose at a node; known without its state."""
        return bool(persons) if self._both_choose else node.turn in persons

    def line_through_tip(self) -> list[Node]:
        """The nodes from the root through the tip to the end of its line."""
        return self._to_end(self.tip)


def ranks_first(ranks: Iterable[int]) -> int:
    """A rank before all of these."""
    return min(ranks) - 1


@dataclass(frozen=True)
class GameStatus:
    """The status of a game beside its tree, saved at each change. The fields' names are keys on disk."""

    hints: int = 0
    paused: bool = False
    ended: tuple[int | None, str] | None = None  # by resignation, flag or agreement: winner, reason
    resigned: int | None = None
    offered: int | None = None  # the side that has offered a draw
    chosen: Choices = field(default_factory=dict)  # parts of choices at the tip
    marks: dict[int, tuple[str | None, float]] = field(default_factory=dict)  # of a review: mark, chance
    orientation: int = 0
    play_keys: dict[int, str] = field(default_factory=dict)  # of the play links, by side
    comment: str = ""  # on the position in which the game begins
    tags: dict[str, str] = field(default_factory=dict)  # names and values as in PGN
    imported: bool = False  # the game came as a text, which says itself what is known of it
    binned: float | None = None  # since when the game is in the bin, in seconds since 1970
    edits: tuple[Edit, ...] = ()  # of the variations, for undo
    undone: tuple[Edit, ...] = ()  # for redo, the last undone at the end
    tries: dict[int, tuple[int, str]] = field(default_factory=dict)  # by mistake: wrong tries, how it ended
    takebacks: int = 0  # of moves that a person took back
    seats: tuple[dict[str, Any], ...] | None = None  # if the level was changed in the game
    weakest: int | None = None  # the weakest level that has played, if the level was changed

    def to_json(self, tip: int, left: list[float] | None) -> dict[str, Any]:
        """As the store keeps it, with the number of the tip and the seconds left of each side."""
        chosen = {str(side): list(moves) for side, moves in self.chosen.items()}
        marks = {str(n): list(mark) for n, mark in self.marks.items()}
        tries = {str(n): list(one) for n, one in self.tries.items()}
        keys = {str(side): key for side, key in self.play_keys.items()}
        ended = self.ended and list(self.ended)
        edits, undone = ([one.to_json() for one in some] for some in (self.edits, self.undone))
        return {
            "tip": tip,
            **vars(self),
            "ended": ended,
            "chosen": chosen,
            "marks": marks,
            "play_keys": keys,
            "tries": tries,
            "edits": edits,
            "undone": undone,
            "left": left,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "GameStatus":
        """The status that the store has."""
        known = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        known["ended"] = tuple(known["ended"]) if known.get("ended") else None
        known["chosen"] = {int(side): tuple(moves) for side, moves in known.get("chosen", {}).items()}
        known["marks"] = {int(n): tuple(mark) for n, mark in known.get("marks", {}).items()}
        known["play_keys"] = {int(side): str(key) for side, key in known.get("play_keys", {}).items()}
        known["tries"] = {int(n): (int(one[0]), str(one[1])) for n, one in known.get("tries", {}).items()}
        known["seats"] = tuple(known["seats"]) if known.get("seats") else None
        for name in ("edits", "undone"):
            known[name] = tuple(Edit.from_json(one) for one in known.get(name, ()))
        return cls(**known)
