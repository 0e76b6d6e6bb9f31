"""The recorder: one row of the log for each node of a search. It costs nothing while it is off."""

from plywise.core.compiled import compiled
from plywise.core.layout import at
from plywise.search.thread_state import NODE, ThreadRecord

RECORD = False  # a specialisation that writes the log has it on (see search/specialisation.py)

# How a node came to be searched, and how it ended.
(
    ROOT,
    FULL,
    SCOUT,
    REDUCED,
    RE_SEARCH,
    NULL_SEARCH,
    NOISY,
    SINGULAR_SEARCH,
    SHALLOW_SEARCH,
    ALL_MOVES_SEARCH,
) = range(10)
(
    LEAF,
    TABLE_HIT,
    NULL_MOVE_CUT,
    CUT,
    GAME_OVER,
    DRAW,
    DONE,
    STOPPED,
    DATABASE_HIT,
    PLY_LIMIT,
    REVERSE_FUTILITY_CUT,
    PROBCUT_CUT,
) = range(12)
SAME_POSITION = (SINGULAR_SEARCH, SHALLOW_SEARCH, ALL_MOVES_SEARCH)  # children of a node at its own ply


@compiled
def announce_node(thread: ThreadRecord, why: int, move: int) -> None:
    """Note how the next node comes to be searched."""
    thread.why, thread.move = why, move


@compiled
def enter(thread: ThreadRecord, depth: int, alpha: int, beta: int, ply: int) -> None:
    """Note a node as it is entered."""
    node = thread.nodes - 1
    # A search of the same position is a child of the node that asks for it, at the same ply.
    parent = (
        thread.path_nodes[ply]
        if thread.why >= SINGULAR_SEARCH
        else thread.path_nodes[ply - 1]
        if ply > 0
        else -1
    )
    thread.path_nodes[ply] = node
    if node < thread.log_rows:
        row = at(thread.log, NODE, node)
        row.move, row.why, row.iteration = thread.move, thread.why, thread.iteration
        row.parent = parent
        row.depth, row.ply, row.alpha, row.beta = min(depth, 127), ply, alpha, beta  # depth is one byte


@compiled
def leave(thread: ThreadRecord, ply: int, value: int, cause: int, bound: int) -> int:
    """Note the value of a node, and return it."""
    if RECORD:
        node = thread.path_nodes[ply]
        if node < thread.log_rows:
            row = at(thread.log, NODE, node)
            row.value, row.cause, row.bound = value, cause, bound
    return value
