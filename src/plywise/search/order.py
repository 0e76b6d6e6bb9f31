"""The order in which moves are tried, and what makes it better: killers, history, answers.

A move's place is one number: the table's move, then gains, killers, quiet moves by what they did
before, and what loses by the exchange (see margins.py).
"""

from typing import Any

from plywise.core.rules import PATTERNS, SLOTS
from plywise.core.words import compiled
from plywise.search.margins import (
    FIRST,
    GAIN,
    HISTORY_BONUS,
    HISTORY_BONUS_MOST,
    HISTORY_MOST,
    KILLER,
    PICKED,
    UNSOUND,
)
from plywise.search.switches import ANSWERS, GAINS, HISTORY, KILLERS
from plywise.search.table import fold


@compiled
def lift(memory: Any, i: int, j: int) -> None:
    """Bring move j up to place i; those in between keep their order and step back."""
    move, value = memory.moves[j], memory.order[j]
    while j > i:
        memory.moves[j], memory.order[j] = memory.moves[j - 1], memory.order[j - 1]
        j -= 1
    memory.moves[i], memory.order[i] = move, value


@compiled
def pick(memory: Any, i: int, n: int, end: int) -> int:
    """Bring the best of the moves from i on to place i; return its order value.

    Equal moves are tried as the game lists them. The first few of a node's moves, from n on, are
    sought one at a time, since a cut is likely; whoever looks at more will look at all: they are sorted.
    """
    if i - n < PICKED:
        top = i
        for j in range(i + 1, end):
            if memory.order[j] > memory.order[top]:
                top = j
        lift(memory, i, top)
    elif i - n == PICKED:
        for j in range(i + 1, end):
            place = j
            while place > i and memory.order[place - 1] < memory.order[j]:
                place -= 1
            lift(memory, place, j)
    else:  # sorted, but for one whose value has fallen
        j = i
        while j + 1 < end and memory.order[j] < memory.order[j + 1]:
            lift(memory, j, j + 1)
            j += 1
    return memory.order[i]


@compiled
def credit(memory: Any, turn: int, slot: int, bonus: int) -> None:
    """Move a quiet move's history towards success or failure; it fades by itself."""
    i = turn * SLOTS + slot
    memory.history[i] += bonus - memory.history[i] * abs(bonus) // HISTORY_MOST


@compiled
def credit_answer(memory: Any, row: int, pattern: int, bonus: int) -> None:
    """The same for a quiet move as an answer to an earlier one (none: -1)."""
    if row >= 0 and pattern >= 0:
        value = memory.replies[row + pattern] + 0
        memory.replies[row + pattern] = value + bonus - value * abs(bonus) // HISTORY_MOST


@compiled
def answered(memory: Any, ply: int, back: int) -> int:
    """Where the answers to the move so many plies back begin; -1 without one."""
    if ply < back or memory.switches & ANSWERS == 0:
        return -1
    pattern = memory.patterns[ply - back]
    return ((back - 1) * PATTERNS + pattern) * PATTERNS if pattern >= 0 else -1


@compiled
def rank(position: Any, memory: Any, ply: int, n: int, end: int, hint: int) -> None:
    """Give each move its place in the order (see margins.py)."""
    switches = memory.switches
    killer = (ply * 2 + position.turn) * 2
    past = position.turn * SLOTS
    row, own_row = answered(memory, ply, 1), answered(memory, ply, 2)
    for i in range(n, end):
        move = memory.moves[i]
        if fold(move) == hint:
            memory.order[i] = FIRST
            continue
        value = position.gain(move) if switches & GAINS != 0 else 0
        if value > 0:
            value += GAIN
        elif value < 0:
            value += UNSOUND
        elif switches & KILLERS != 0 and move == memory.killers[killer]:
            value = KILLER + 1
        elif switches & KILLERS != 0 and move == memory.killers[killer + 1]:
            value = KILLER
        elif switches & HISTORY != 0:
            value = memory.history[past + position.slot(move)]
            pattern = position.pattern(move)
            if pattern >= 0:
                if row >= 0:
                    value += memory.replies[row + pattern]
                if own_row >= 0:
                    value += memory.replies[own_row + pattern]
        memory.order[i] = value


@compiled
def learn(position: Any, memory: Any, ply: int, n: int, i: int, depth: int) -> None:
    """A quiet move made a cut: remember it, and hold it against the quiet ones tried before."""
    move, turn = memory.moves[i], position.turn
    killer = (ply * 2 + turn) * 2
    if memory.killers[killer] != move:
        memory.killers[killer + 1] = memory.killers[killer]
        memory.killers[killer] = move
    bonus = min(depth * depth * HISTORY_BONUS, HISTORY_BONUS_MOST)
    row, own_row = answered(memory, ply, 1), answered(memory, ply, 2)
    for j in range(n, i + 1):
        move = memory.moves[j]
        if j == i or position.gain(move) == 0:
            change = bonus if j == i else -bonus
            pattern = position.pattern(move)
            credit(memory, turn, position.slot(move), change)
            credit_answer(memory, row, pattern, change)
            credit_answer(memory, own_row, pattern, change)
