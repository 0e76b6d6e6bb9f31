"""The tree of a game: every position that was reached, and the status of the game beside it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from plywise.play.state import GameState
from plywise.web.schema import Refused

MAX_NODES = 2000  # of one game, with all branches
PERSON = {"kind": "person"}

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
            node.cached_state = node.parent.cached_state.play(node.choices)
        assert self.cached_state is not None
        return self.cached_state

    def row(self) -> NodeRow:
        """The node as the store keeps it; the root is kept with the game."""
        assert self.parent is not None, "the root has no row"
        body = {
            "choices": {str(side): list(moves) for side, moves in self.choices.items()},
            "said": self.label,
            "number": self.number,
            "turn": self.turn,
            "side": self.side,
            "clocks": self.clocks,
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
        }
        if mark is not None:
            payload["mark"], payload["chance"] = mark
        return payload


class GameTree:
    """The nodes of one game, from the root; the game goes on at the tip. Whoever calls it has the lock."""

    def __init__(self, root: GameState) -> None:
        self.nodes = [Node(0, None, {}, "", 0, root.turn, None, cached_state=root)]
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
                )
            )
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

    def new_node(self, parent: Node, state: GameState, clocks: list[float] | None) -> Node:
        """A node for a state below another one. It is in the tree after `add`."""
        side = next(iter(state.moves)) if len(state.moves) == 1 else None
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
        )

    def add(self, node: Node) -> None:
        """Take a new node into the tree."""
        assert node.n == len(self.nodes) and node.parent is not None
        self.nodes.append(node)
        node.parent.last_child = node

    def child(self, node: Node, choices: Choices) -> Node | None:
        """The node to which these choices have led before; in a world the dice would be the same."""
        later = self.nodes[node.n + 1 :]
        return next((one for one in later if one.parent is node and one.choices == choices), None)

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
        node = self.tip.last_child
        while node is not None and persons and node.last_child is not None:
            if self._choose(node, persons):
                break
            node = node.last_child
        return node

    def _choose(self, node: Node, persons: Collection[int]) -> bool:
        """Whether one of these sides has to choose at a node; known without its state."""
        return bool(persons) if self._both_choose else node.turn in persons

    def line_through_tip(self) -> list[Node]:
        """The nodes from the root through the tip to the end of its line."""
        node = self.tip
        while node.last_child is not None:
            node = node.last_child
        line = [node]
        while node.parent is not None:
            node = node.parent
            line.append(node)
        return line[::-1]


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

    def to_json(self, tip: int, left: list[float] | None) -> dict[str, Any]:
        """As the store keeps it, with the number of the tip and the seconds left of each side."""
        chosen = {str(side): list(moves) for side, moves in self.chosen.items()}
        marks = {str(n): list(mark) for n, mark in self.marks.items()}
        keys = {str(side): key for side, key in self.play_keys.items()}
        ended = self.ended and list(self.ended)
        shown = {**vars(self), "ended": ended, "chosen": chosen, "marks": marks, "play_keys": keys}
        return {"tip": tip, **shown, "left": left}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "GameStatus":
        """The status that the store has."""
        known = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        known["ended"] = tuple(known["ended"]) if known.get("ended") else None
        known["chosen"] = {int(side): tuple(moves) for side, moves in known.get("chosen", {}).items()}
        known["marks"] = {int(n): tuple(mark) for n, mark in known.get("marks", {}).items()}
        known["play_keys"] = {int(side): str(key) for side, key in known.get("play_keys", {}).items()}
        return cls(**known)
