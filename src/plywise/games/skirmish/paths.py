"""Shortest paths as the world finds them: A* with the tie order of Java's PriorityQueue (RULES 10).

Which of several shortest paths is found decides where an archer steps, so the order in which equal
cells leave the queue is part of the rules.
"""

from collections.abc import Callable

from plywise.games.skirmish.units import DIRECTIONS, STEPS

# Equal costs: the direction with the shorter English name comes first (EAST before NORTH before
# NORTHEAST).
_LETTERS = tuple({1: 5 - (name in "EW"), 2: 9}[len(name)] for name in DIRECTIONS)

# estimate, letters of the direction, x, y, steps so far, directions that led here
_Node = tuple[int, int, int, int, int, tuple[int, ...]]


class Heap:
    """A binary heap that sifts as java.util.PriorityQueue does; only the first two parts compare."""

    def __init__(self) -> None:
        self.nodes: list[_Node] = []

    def push(self, node: _Node) -> None:
        nodes, k = self.nodes, len(self.nodes)
        nodes.append(node)
        while k > 0:
            parent = (k - 1) // 2
            if node[:2] >= nodes[parent][:2]:
                break
            nodes[k], k = nodes[parent], parent
        nodes[k] = node

    def pop(self) -> _Node:
        nodes = self.nodes
        top, node = nodes[0], nodes.pop()
        size, k = len(nodes), 0
        if size == 0:
            return top
        while k < size // 2:
            child = 2 * k + 1
            if child + 1 < size and nodes[child][:2] > nodes[child + 1][:2]:
                child += 1
            if node[:2] <= nodes[child][:2]:
                break
            nodes[k], k = nodes[child], child
        nodes[k] = node
        return top


def path(
    start: tuple[int, int], goal: tuple[int, int], reach: int, free: Callable[[int, int], bool]
) -> list[str] | None:
    """Directions from start to the first cell found within `reach` of the goal; None: no way there.

    `free` says which cells can be entered. Cells are marked when they are queued, and the start is
    not: a path may come back over it, which costs time and changes the order of ties.
    """
    heap, seen = Heap(), set()
    heap.push((_chebyshev(start, goal), 0, *start, 0, ()))
    while heap.nodes:
        _, _, x, y, steps, led = heap.pop()
        if _chebyshev((x, y), goal) <= reach:
            return [DIRECTIONS[d] for d in led]
        for d, (dx, dy) in enumerate(STEPS):
            cell = x + dx, y + dy
            if cell in seen or not free(*cell):
                continue
            seen.add(cell)
            heap.push((steps + 1 + _chebyshev(cell, goal), _LETTERS[d], *cell, steps + 1, (*led, d)))
    return None


def _chebyshev(a: tuple[int, int], b: tuple[int, int]) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))
