"""Move ordering: the table's move, captures, killers, then quiet moves by history.

Each move gets one number, its order value; those that lose by the exchange come last (see margins.py).
"""

from plywise.core.compiled import compiled
from plywise.core.layout import at
from plywise.core.rules import PATTERNS, SLOTS, Position
from plywise.search.margins import (
    HISTORY_BONUS,
    HISTORY_BONUS_MAX,
    HISTORY_MAX,
    MARGIN_LAYOUT,
    ORDER_CAPTURE,
    ORDER_KILLER,
    ORDER_LOSING_CAPTURE,
    ORDER_TABLE_MOVE,
    SELECTION_SORT_MOVES,
)
from plywise.search.switches import CAPTURE_ORDER, CONTINUATION_HISTORY, HISTORY, KILLERS
from plywise.search.thread_state import ThreadRecord
from plywise.search.transposition import fold_move


@compiled
def move_up(thread: ThreadRecord, i: int, j: int) -> None:
    """Bring move j up to place i; those in between keep their order."""
    move, value = thread.moves[j], thread.order[j]
    while j > i:
        thread.moves[j], thread.order[j] = thread.moves[j - 1], thread.order[j - 1]
        j -= 1
    thread.moves[i], thread.order[i] = move, value


@compiled
def pick_move(thread: ThreadRecord, i: int, n: int, end: int) -> int:
    """Bring the best of the moves from i on to place i; return its order value.

    Equal moves are tried as the game lists them. The first few of a node's moves, from n on, are
    picked one at a time, since a cut is likely. Without a cut all the others will be tried: they are sorted.
    """
    if i - n < SELECTION_SORT_MOVES:
        top, most = i, thread.order[i]
        for j in range(i + 1, end):
            value = thread.order[j]
            if value > most:
                top, most = j, value
        if top > i:
            move_up(thread, i, top)
    elif i - n == SELECTION_SORT_MOVES:
        least = thread.order[i]
        for j in range(i + 1, end):
            value = thread.order[j]
            if value <= least:
                least = value
                continue
            move, place = thread.moves[j], j
            while place > i and thread.order[place - 1] < value:
                thread.moves[place], thread.order[place] = thread.moves[place - 1], thread.order[place - 1]
                place -= 1
            thread.moves[place], thread.order[place] = move, value
    else:  # sorted, but for one whose value has fallen
        j = i
        while j + 1 < end and thread.order[j] < thread.order[j + 1]:
            move_up(thread, j, j + 1)
            j += 1
    return thread.order[i]


@compiled
def update_history(thread: ThreadRecord, turn: int, slot: int, bonus: int) -> None:
    """Move a quiet move's history towards success or failure; old results fade."""
    i = turn * SLOTS + slot
    thread.history[i] += bonus - thread.history[i] * abs(bonus) // HISTORY_MAX


@compiled
def update_continuation(thread: ThreadRecord, row: int, pattern: int, bonus: int) -> None:
    """The same for a quiet move as the continuation of an earlier one (none: -1)."""
    if row >= 0 and pattern >= 0:
        value = thread.continuation_history[row + pattern] + 0
        thread.continuation_history[row + pattern] = value + bonus - value * abs(bonus) // HISTORY_MAX


@compiled
def continuation_row(thread: ThreadRecord, ply: int, back: int) -> int:
    """Where the continuations of the move `back` plies ago begin; -1 without one."""
    if ply < back or thread.switches & CONTINUATION_HISTORY == 0:
        return -1
    pattern = thread.patterns[ply - back]
    return ((back - 1) * PATTERNS + pattern) * PATTERNS if pattern >= 0 else -1


@compiled
def score_moves(
    position: Position, thread: ThreadRecord, ply: int, n: int, end: int, table_move: int
) -> None:
    """Give each move its order value (see margins.py)."""
    switches = thread.switches
    killer = (ply * 2 + position.turn) * 2
    killers = at(thread.margins, MARGIN_LAYOUT, 0).killer_moves if switches & KILLERS != 0 else 0
    history_row = position.turn * SLOTS
    reply_row, follow_up_row = continuation_row(thread, ply, 1), continuation_row(thread, ply, 2)
    for i in range(n, end):
        move = thread.moves[i]
        if fold_move(move) == table_move:
            thread.order[i] = ORDER_TABLE_MOVE
            continue
        value = position.gain(move) if switches & CAPTURE_ORDER != 0 else 0
        if value > 0:
            value += ORDER_CAPTURE
        elif value < 0:
            value += ORDER_LOSING_CAPTURE
        elif killers > 0 and move == thread.killers[killer]:
            value = ORDER_KILLER + 1
        elif killers > 1 and move == thread.killers[killer + 1]:
            value = ORDER_KILLER
        elif switches & HISTORY != 0:
            value = thread.history[history_row + position.slot(move)]
            pattern = position.pattern(move)
            if pattern >= 0:
                if reply_row >= 0:
                    value += thread.continuation_history[reply_row + pattern]
                if follow_up_row >= 0:
                    value += thread.continuation_history[follow_up_row + pattern]
        thread.order[i] = value


@compiled
def update_quiet_moves(
    position: Position, thread: ThreadRecord, ply: int, n: int, i: int, depth: int
) -> None:
    """A quiet move made a cut: reward it, and lower the history of the quiet moves tried before it."""
    move, turn = thread.moves[i], position.turn
    killer = (ply * 2 + turn) * 2
    if thread.killers[killer] != move:
        thread.killers[killer + 1] = thread.killers[killer]
        thread.killers[killer] = move
    bonus = min(depth * depth * HISTORY_BONUS, HISTORY_BONUS_MAX)
    reply_row, follow_up_row = continuation_row(thread, ply, 1), continuation_row(thread, ply, 2)
    for j in range(n, i + 1):
        move = thread.moves[j]
        if j == i or position.gain(move) == 0:
            change = bonus if j == i else -bonus
            pattern = position.pattern(move)
            update_history(thread, turn, position.slot(move), change)
            update_continuation(thread, reply_row, pattern, change)
            update_continuation(thread, follow_up_row, pattern, change)
