"""Enhanced table cuts: before a move is searched, the table may know one that is good enough."""

from plywise.core.compiled import compiled
from plywise.core.rules import Position
from plywise.core.scores import INFINITE
from plywise.search.margins import DRAW_PLIES_GUARD
from plywise.search.node import count_incomplete_entry, fetch_entry, is_repetition, is_win_too_late, table_key
from plywise.search.thread_state import ThreadRecord
from plywise.search.transposition import (
    EXACT,
    LOWER,
    UPPER,
    is_complete,
    lookup,
    stored_bound,
    stored_depth,
    stored_score,
)


@compiled
def find_table_cut(
    position: Position, thread: ThreadRecord, ply: int, n: int, end: int, depth: int, beta: int
) -> int:
    """The score of a move that the table knows to reach beta at this depth; -INFINITE if it knows none."""
    reversible, keys = thread.reversible[ply], end - n
    # Each entry is far away in memory: all are on their way before the first is read. The keys wait where
    # the moves of the next ply will be.
    for i in range(n, end):
        move = thread.moves[i]
        after = position.play(move)
        thread.reversible[ply + 1] = 0 if position.resets(move) else reversible + 1
        key = after.key()
        fetch_entry(after, thread, key, ply + 1)
        thread.moves[i + keys] = table_key(thread, key, ply + 1)
    for i in range(n, end):
        data = lookup(thread, thread.moves[i + keys])
        if data == 0 or not (is_complete(data) or stored_depth(data) >= depth - 1):
            continue
        move = thread.moves[i]
        after = position.play(move)
        thread.reversible[ply + 1] = 0 if position.resets(move) else reversible + 1
        score, bound, needed_depth = stored_score(data, ply + 1), stored_bound(data), depth
        if after.turn != position.turn:
            score, needed_depth = -score, depth - 1
            bound = LOWER if bound == UPPER else UPPER if bound == LOWER else EXACT
        if (
            score < beta
            or bound == UPPER
            or not (is_complete(data) or stored_depth(data) >= needed_depth)
            or is_win_too_late(thread, score, ply + 1)
        ):
            continue
        if thread.reversible[ply + 1] > 0:
            if thread.draw_plies != 0 and reversible + DRAW_PLIES_GUARD >= thread.draw_plies:
                continue
            if thread.repetition_draws != 0 and is_repetition(thread, after.key(), ply + 1):
                continue
        if not is_complete(data):
            count_incomplete_entry(thread, data)
        return score
    return -INFINITE
