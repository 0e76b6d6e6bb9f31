"""The scripted archer as the search sees it: the same decisions as `archer.py`, on packed positions.

Paths are looked for in the spare part of the move buffer: the rules have no other room to write to.
"""

from math import sqrt
from typing import TYPE_CHECKING, Any

from plywise.core.compiled import compiled
from plywise.games.skirmish.packing import (
    ATTACK,
    DX,
    DY,
    LETTERS,
    REACH,
    STEP,
    chebyshev,
    footmen,
    health_of,
    height,
    is_blocked,
    is_occupied,
    pack_unit,
    unit,
    width,
    x_of,
    y_of,
)

if TYPE_CHECKING:
    from plywise.games.skirmish.rules import Skirmish

NEAR = 4  # a target at least this far away is shot at
SPARE = 8  # words of the buffer left free in front of the room for paths

# A queued cell is one word: estimate and letters in front, which alone are compared, then the steps,
# the first direction and the cell.
_CELL, _FIRST, _STEPS, _ORDER = 0, 12, 16, 28


@compiled
def decide(position: "Skirmish", i: int, buffer: Any, n: int) -> int:
    """The action of archer i (RULES 11), whims apart; paths may use the buffer from n on."""
    here = unit(position, i)
    target, nearest = -1, 1 << 20
    for j in range(footmen(position)):
        if position.living >> j & 1 != 0 and chebyshev(here, unit(position, j)) < nearest:
            target, nearest = j, chebyshev(here, unit(position, j))
    if target < 0:
        return 0
    if nearest < NEAR and health_of(unit(position, target)) >= 2 * nearest:
        x, y = x_of(here), y_of(here)
        best, chosen = appeal(position, x, y), -1
        for d in range(0, 8, 2):
            u = min(max(x + DX[d], 0), width(position) - 1)
            v = min(max(y + DY[d], 0), height(position) - 1)
            value = appeal(position, u, v)
            if value >= best:
                best, chosen = value, d
        if chosen >= 0:
            return STEP + chosen
    if nearest <= REACH[1]:
        return ATTACK + target
    d = first_step(position, here, unit(position, target), buffer, n)
    return ATTACK + target if d < 0 else STEP + d


@compiled
def appeal(position: "Skirmish", x: int, y: int) -> float:
    """How an archer likes a cell, in the very floating-point steps of the script."""
    w, h = width(position), height(position)
    score = 2 * sqrt(w * w + h * h - (x * x + (w - x) * (w - x) + y * y + (h - y) * (h - y)))
    here = pack_unit(x, y, 0)
    for j in range(footmen(position)):
        if position.living >> j & 1 != 0:
            distance = chebyshev(here, unit(position, j))
            if distance == 0:
                score = -1000.0
            elif distance == 1:
                score -= 100.0
            elif distance < NEAR:
                score -= 20.0 * (NEAR - distance)
            else:
                score += distance
    return score


@compiled
def first_step(position: "Skirmish", start: int, goal: int, buffer: Any, n: int) -> int:
    """The first direction of the path to within an archer's reach of the goal; -1: no way (RULES 10).

    As `paths.path`, which says why the order of ties is what it is.
    """
    w, h = width(position), height(position)
    marks = n
    heap = marks + w * h
    for cell in range(w * h):
        x, y = cell % w, cell // w
        buffer[marks + cell] = 1 if is_blocked(position, x, y) or is_occupied(position, x, y) else 0
    size = 1
    buffer[heap] = y_of(start) * w + x_of(start) | 15 << _FIRST
    while size > 0:
        node = buffer[heap]
        size -= 1
        if size > 0:
            sift_down(buffer, heap, size, buffer[heap + size])
        x, y = (node & 0xFFF) % w, (node & 0xFFF) // w
        first, steps = node >> _FIRST & 15, (node >> _STEPS & 0xFFF) + 1
        if chebyshev(pack_unit(x, y, 0), goal) <= REACH[1]:
            return -1 if first == 15 else first
        for d in range(8):
            u, v = x + DX[d], y + DY[d]
            if u < 0 or v < 0 or u >= w or v >= h or buffer[marks + v * w + u] != 0:
                continue
            buffer[marks + v * w + u] = 1
            estimate = steps + chebyshev(pack_unit(u, v, 0), goal)
            led = d if first == 15 else first
            sift_up(
                buffer,
                heap,
                size,
                (estimate << 4 | LETTERS[d]) << _ORDER | steps << _STEPS | led << _FIRST | v * w + u,
            )
            size += 1
    return -1


@compiled
def sift_up(buffer: Any, heap: int, k: int, node: int) -> None:
    """Put a word into place k or above it, as java.util.PriorityQueue does."""
    while k > 0:
        parent = (k - 1) // 2
        if node >> _ORDER >= buffer[heap + parent] >> _ORDER:
            break
        buffer[heap + k] = buffer[heap + parent]
        k = parent
    buffer[heap + k] = node


@compiled
def sift_down(buffer: Any, heap: int, size: int, node: int) -> None:
    """Put a word into the top place or below it, as java.util.PriorityQueue does."""
    k = 0
    while k < size // 2:
        child = 2 * k + 1
        if child + 1 < size and buffer[heap + child] >> _ORDER > buffer[heap + child + 1] >> _ORDER:
            child += 1
        if node >> _ORDER <= buffer[heap + child] >> _ORDER:
            break
        buffer[heap + k] = buffer[heap + child]
        k = child
    buffer[heap + k] = node
