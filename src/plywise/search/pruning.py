"""Moves that are not worth searching, and how much less deep late moves are searched (see margins.py)."""

from plywise.core.compiled import compiled
from plywise.core.layout import at
from plywise.core.rules import Position
from plywise.search.margins import MARGIN_LAYOUT, ORDER_QUIET_MIN, REDUCTION_ROWS
from plywise.search.switches import FUTILITY, SEE_PRUNING
from plywise.search.thread_state import ThreadRecord


@compiled
def base_reduction(thread: ThreadRecord, depth: int, place: int) -> int:
    """The turns by which a move at this place is reduced, before anything else is known of it."""
    row, last = min(depth, REDUCTION_ROWS - 1) * REDUCTION_ROWS, REDUCTION_ROWS - 1
    return at(thread.margins, MARGIN_LAYOUT, 0).base_reduction[row + min(place, last)] + 0


@compiled
def is_prunable(
    position: Position,
    thread: ThreadRecord,
    move: int,
    order_value: int,
    depth: int,
    move_index: int,
    static_eval: int,
    alpha: int,
) -> bool:
    """Whether a move is not worth searching at this depth, by futility or the exchange (see margins.py)."""
    switches, margins = thread.switches, at(thread.margins, MARGIN_LAYOUT, 0)
    if order_value < ORDER_QUIET_MIN:
        return (
            switches & SEE_PRUNING != 0
            and depth <= margins.see_noisy_max_depth
            and not position.brings(move, -margins.see_noisy_margin * depth)
        )
    reduced_depth = max(1, depth - base_reduction(thread, depth, move_index))
    if switches & FUTILITY != 0 and reduced_depth <= margins.futility_max_depth:
        if static_eval + margins.futility_base + margins.futility_margin * reduced_depth <= alpha:
            return True
    return (
        switches & SEE_PRUNING != 0
        and reduced_depth <= margins.see_quiet_max_depth
        and not position.brings(move, -margins.see_quiet_margin * reduced_depth * reduced_depth)
    )
