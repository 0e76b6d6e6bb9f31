"""An icicle plot of a recorded tree: each node is a bar below its parent, as wide as its subtree.

Nodes are numbered in the order of the visits, so the number of a node is also its place from the left.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.explain.record import CAUSES, HOW, Record

MAX_LEVELS = 12
MIN_SHARE = 0.001  # narrower bars are not drawn


@dataclass(frozen=True, eq=False)
class Icicle:
    """The bars as columns: bar i is node[i] at level[i], from left[i] to right[i], where 1 is the width.

    `folded[i]`: some nodes below the bar are not drawn.
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
        """As data for JSON; places are rounded to a millionth."""
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
    """The plot of a node and its subtree, down to `levels` levels, with no bar narrower than `share`.

    A parent may be wider than its children together: by its own visit, and by bars too narrow to draw.
    """
    record.check(root)
    nodes = int(record.size[root])
    size = record.size[root : root + nodes]
    level = record.level[root : root + nodes].astype(np.int32)
    level -= level[0]
    shown = np.flatnonzero((size >= max(1.0, share * nodes)) & (level <= levels))
    width = size[shown]
    inside = np.zeros(nodes, np.int64)
    inside[shown] = 1
    # The bars drawn at and below each bar; if they are fewer than its nodes, some are left out.
    below = np.concatenate(([0], np.cumsum(inside)))
    drawn = below[shown + width] - below[shown]
    return Icicle(
        root,
        nodes,
        shown + root,
        level[shown],
        shown / nodes,
        (shown + width) / nodes,
        record.rows["cause"][root + shown],
        record.rows["why"][root + shown],
        drawn < width,
    )
