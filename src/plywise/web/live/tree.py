"""The tree of a game: every moment that was reached, and how the game stands apart from it."""

from dataclasses import dataclass, field, fields
from typing import Any

from plywise.play.state import GameState

MAX_NODES = 2000  # of one game, with all branches
PERSON = {"kind": "person"}


@dataclass(eq=False)
class Node:
    """A moment in the tree of a game."""

    n: int
    parent: "Node | None"
    choices: dict[int, tuple[str, ...]]
    label: str
    number: int
    turn: int
    side: int | None  # who moved; None where both did, and at the start
    clocks: list[float] | None = None
    last_child: "Node | None" = None  # the child that was played or visited last
    cached_state: GameState | None = None

    @property
    def state(self) -> GameState:
        """The moment itself; branches that nobody has looked at yet are played through now."""
        missing: list[Node] = []
        node = self
        while node.cached_state is None:
            missing.append(node)
            assert node.parent is not None, "the root has its state"
            node = node.parent
        for one in reversed(missing):
            assert one.parent is not None and one.parent.cached_state is not None
            one.cached_state = one.parent.cached_state.play(one.choices)
        assert self.cached_state is not None
        return self.cached_state

    def to_json(self) -> dict[str, Any]:
        """What the store keeps."""
        return {
            "choices": {str(side): list(moves) for side, moves in self.choices.items()},
            "said": self.label,
            "number": self.number,
            "turn": self.turn,
            "side": self.side,
            "clocks": self.clocks,
        }

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


@dataclass(frozen=True)
class GameStatus:
    """The status of a game beside its tree, saved at each change. The fields' names are keys on disk."""

    tip: int = 0
    hints: int = 0
    paused: bool = False
    ended: tuple[int | None, str] | None = None  # by resignation, flag or agreement: winner, reason
    resigned: int | None = None
    offered: int | None = None  # the side that has offered a draw
    chosen: dict[int, tuple[str, ...]] = field(default_factory=dict)  # parts of choices at the tip
    marks: dict[int, tuple[str | None, float]] = field(default_factory=dict)  # of a review: mark, chance
    orientation: int = 0

    def to_json(self, left: list[float] | None) -> dict[str, Any]:
        """As the store keeps it."""
        chosen = {str(side): list(moves) for side, moves in self.chosen.items()}
        marks = {str(n): list(mark) for n, mark in self.marks.items()}
        ended = self.ended and list(self.ended)
        return {**vars(self), "ended": ended, "chosen": chosen, "marks": marks, "left": left}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "GameStatus":
        """As it was kept."""
        known = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        known["ended"] = tuple(known["ended"]) if known.get("ended") else None
        known["chosen"] = {int(side): tuple(moves) for side, moves in known.get("chosen", {}).items()}
        known["marks"] = {int(n): tuple(mark) for n, mark in known.get("marks", {}).items()}
        return cls(**known)
