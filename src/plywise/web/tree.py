"""The tree of a game: every moment that was reached, and how the game stands apart from it."""

from dataclasses import dataclass, field, fields
from typing import Any

from plywise.play.stage import Stage

MOST_NODES = 2000  # of one game, with all branches
PERSON = {"kind": "person"}


@dataclass(eq=False)
class Node:
    """A moment in the tree of a game."""

    n: int
    parent: "Node | None"
    choices: dict[int, tuple[str, ...]]
    said: str
    number: int
    turn: int
    side: int | None  # who moved; None where both did, and at the start
    clocks: list[float] | None = None
    latest: "Node | None" = None  # the child that was played or visited last
    stage_: Stage | None = None

    @property
    def stage(self) -> Stage:
        """The moment itself; branches that nobody has looked at yet are played through now."""
        way: list[Node] = []
        node = self
        while node.stage_ is None:
            way.append(node)
            assert node.parent is not None, "the first stage is always there"
            node = node.parent
        for one in reversed(way):
            assert one.parent is not None and one.parent.stage_ is not None
            one.stage_ = one.parent.stage_.play(one.choices)
        assert self.stage_ is not None
        return self.stage_

    def body(self) -> dict[str, Any]:
        """What the store keeps."""
        return {
            "choices": {str(side): list(moves) for side, moves in self.choices.items()},
            "said": self.said,
            "number": self.number,
            "turn": self.turn,
            "side": self.side,
            "clocks": self.clocks,
        }

    def data(self, mark: tuple[str | None, float] | None = None) -> dict[str, Any]:
        """What the page's list of moves shows; `mark` is what a review has found."""
        told: dict[str, Any] = {
            "n": self.n,
            "parent": None if self.parent is None else self.parent.n,
            "said": self.said,
            "number": self.number,
            "turn": self.turn,
            "side": self.side,
        }
        if mark is not None:
            told["mark"], told["chance"] = mark
        return told


@dataclass(frozen=True)
class Standing:
    """How a game stands, apart from its tree: all of it is kept at each change."""

    tip: int = 0
    hints: int = 0
    paused: bool = False
    ended: tuple[int | None, str] | None = None  # by resignation, flag or agreement: winner, reason
    resigned: int | None = None
    offered: int | None = None  # the side that has offered a draw
    chosen: dict[int, tuple[str, ...]] = field(default_factory=dict)  # parts of choices at the tip
    marks: dict[int, tuple[str | None, float]] = field(default_factory=dict)  # of a review: mark, chance
    orientation: int = 0

    def data(self, left: list[float] | None) -> dict[str, Any]:
        """As the store keeps it."""
        chosen = {str(side): list(moves) for side, moves in self.chosen.items()}
        marks = {str(n): list(mark) for n, mark in self.marks.items()}
        ended = self.ended and list(self.ended)
        return {**vars(self), "ended": ended, "chosen": chosen, "marks": marks, "left": left}

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Standing":
        """As it was kept."""
        known = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        known["ended"] = tuple(known["ended"]) if known.get("ended") else None
        known["chosen"] = {int(side): tuple(moves) for side, moves in known.get("chosen", {}).items()}
        known["marks"] = {int(n): tuple(mark) for n, mark in known.get("marks", {}).items()}
        return cls(**known)
