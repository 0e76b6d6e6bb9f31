"""Solving a group of positions backwards from the end: the part that is compiled for each game.

Values are those of core/endgame_index.py; 0 is also the value of what is not yet known. Positions are
settled in the order of their distance from the end: what is settled at a distance decides the
positions one move before it. A group is worked on by one thread, so nothing here needs a lock.
"""

from typing import Any

from plywise.core.compiled import compiled
from plywise.core.layout import Layout, at
from plywise.core.outcome import DRAWN, LOST, OPEN
from plywise.core.rules import Position
from plywise.search.thread_state import ThreadRecord

CELL = Layout(("value", "u1"))
HOLE = 255  # the value of a number that is no position's
UNPROBED_LEVEL = -2  # the level at which positions that are never probed are marked
CANNOT_LOSE = 255  # a move to a draw: not to be lost any more
MAX_DISTANCE = 250  # plies; distances must fit a byte
FIELDS = Layout(
    ("values", "i8"),  # of all positions, by number
    ("left", "i8"),  # of the group: moves inside it that do not lose yet
    ("loss", "i8"),  # of the group: the longest loss by a move that leaves it
    ("base", "i8"),  # the group's first number, and the one after its last
    ("limit", "i8"),
    ("slice_first", "i8"),
    ("level", "i8"),  # the distance that is settled now; -1: look at all positions first
    ("pending", "i8"),  # positions with a distance that are not yet settled
)


# --- what a game supplies: see core/endgame_index.py -------------------------------------------------------
POSITION: Any = tuple


@compiled
def index(position: Position) -> int:
    """The number of a position."""
    return -1


@compiled
def place(number: int, i: int) -> tuple[int, ...]:
    """The fields of a position."""
    return ()


@compiled
def before(position: Position, buffer: Any, n: int) -> int:
    """The numbers of the positions one move before."""
    return n


# --- the work ---------------------------------------------------------------------------------------
@compiled
def initialise(position: Position, memory: ThreadRecord, i: int) -> None:
    """Note the results of position i's moves that leave the group, and count its moves inside it."""
    end = position.moves(memory.moves, 0)
    win, loss, inside = MAX_DISTANCE, 0, 0
    if end == 0 and position.stuck() == DRAWN:
        loss = CANNOT_LOSE
    for j in range(end):
        after = position.play(memory.moves[j])
        number = index(after)
        if number >= memory.base and number < memory.limit:
            inside += 1
            continue
        if number < 0:  # over
            verdict = after.outcome()
            if verdict == OPEN:
                verdict = after.stuck()
            value = 0 if verdict == DRAWN else 1 if verdict == LOST else 2
        else:
            value = at(memory.values, CELL, number).value
        if value == 0:
            loss = CANNOT_LOSE
        elif value % 2 == 1:
            win = min(win, value)
        else:
            loss = max(loss, value)
    at(memory.left, CELL, i - memory.base).value = inside
    at(memory.loss, CELL, i - memory.base).value = loss
    if win < MAX_DISTANCE:
        at(memory.values, CELL, i).value = win + 1
        memory.pending += 1
    elif inside == 0 and loss != CANNOT_LOSE:
        at(memory.values, CELL, i).value = loss + 1
        memory.pending += 1


@compiled
def propagate(position: Position, memory: ThreadRecord, i: int) -> None:
    """Position i is settled at this level: update the positions one move before it."""
    level = memory.level
    end = before(position, memory.moves, 0)
    for j in range(end):
        number = memory.moves[j]
        cell, left = at(memory.values, CELL, number), at(memory.left, CELL, number - memory.base)
        if left.value == 0:
            continue  # it has no move inside the group
        if level % 2 == 0:  # lost here, so won there
            if cell.value == 0:
                memory.pending += 1
                cell.value = level + 2
            elif cell.value > level + 2:
                cell.value = level + 2
        else:
            left.value -= 1
            loss = at(memory.loss, CELL, number - memory.base).value
            if left.value == 0 and cell.value == 0 and loss != CANNOT_LOSE:
                cell.value = max(level + 1, loss) + 1
                memory.pending += 1


def advance(position: Position, memory: ThreadRecord, number: int, low: int, high: int) -> int:
    """Look at, or settle, the positions from low to high of a slice; how many were settled."""
    first, level, done = memory.slice_first, memory.level, 0
    for i in range(low, high):
        if level == UNPROBED_LEVEL:
            if POSITION(*place(number, i)).urgent():
                at(memory.left, CELL, i).value = HOLE
        elif level < 0:
            here = POSITION(*place(number, i))
            if index(here) != first + i:
                at(memory.values, CELL, first + i).value = HOLE
            else:
                initialise(here, memory, first + i)
        elif at(memory.values, CELL, first + i).value == level + 1:
            propagate(POSITION(*place(number, i)), memory, first + i)
            memory.pending -= 1
            done += 1
    return done
