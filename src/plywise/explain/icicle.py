"""An icicle of a recorded tree: each node a bar as wide as the nodes below it, under its parent's.

Because nodes are numbered in the order of the visits, a node's number is also its place from the left.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.explain.record import CAUSES, HOW, Record

MAX_LEVELS = 12
MIN_SHARE = 0.001  # bars narrower than that are not drawn


@dataclass(frozen=True, eq=False)
class Icicle:
    """The bars of a picture, as columns: bar i is node[i] at level[i], from left[i] to right[i] of 1.

    `folded[i]` tells that there are nodes below the bar which the picture leaves out.
    """

    root: int
    nodes: int
    node: Any
    level: Any
    left: Any
    right: Any
    cause: Any  # numbers into CAUSES
    how: Any  # numbers into HOW
    folded: Any

    def __len__(self) -> int:
        return len(self.node)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data, for JSON; places rounded to a millionth."""
        return {
            "root": self.root,
            "nodes": self.nodes,
            "causes": list(CAUSES),
            "how_words": list(HOW),
            "node": self.node.tolist(),
            "level": self.level.tolist(),
            "left": np.round(self.left, 6).tolist(),
            "right": np.round(self.right, 6).tolist(),
            "cause": self.cause.tolist(),
            "how": self.how.tolist(),
            "folded": self.folded.tolist(),
        }


def icicle(record: Record, root: int, levels: int = MAX_LEVELS, share: float = MIN_SHARE) -> Icicle:
    """The picture of a node and what is below it: so many levels, and no bar narrower than `share`.

    A bar stands under its parent's; where a parent is wider than its children together, the rest is
    its own visit and those too narrow to draw.
    """
    record.check(root)
    nodes = int(record.size[root])
    size = record.size[root : root + nodes]
    level = record.level[root : root + nodes].astype(np.int32)
    level -= level[0]
    shown = np.flatnonzero((size >= max(1.0, share * nodes)) & (level <= levels))
    wide = size[shown]
    inside = np.zeros(nodes, np.int64)
    inside[shown] = 1
    # How many bars are drawn below each bar: fewer than there are nodes means that some are left out.
    below = np.concatenate(([0], np.cumsum(inside)))
    drawn = below[shown + wide] - below[shown]
    return Icicle(
        root,
        nodes,
        shown + root,
        level[shown],
        shown / nodes,
        (shown + wide) / nodes,
        record.rows["cause"][root + shown],
        record.rows["why"][root + shown],
        drawn < wide,
    )
