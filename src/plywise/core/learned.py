"""The learned evaluation: one small network for any game, kept up to date by the XOR of boards.

A position is seen as `boards`: sets of cells. Each cell of each board that is set adds a column of whole
numbers to the sums of two views, one for each side. The sums of a ply are brought up to date when the
position is evaluated: from those last kept for this ply or for the one before, whichever is nearer, by
adding and subtracting the columns of the cells that differ. So there is nothing to undo and no move to
follow, and sums cannot go out of step. The squares of the sums, cut to 0..TOP, times the output weights of
the stage of the game, make the score.

The form `patterns`, for games of stones, has the same sums with another meaning. Each is a window of cells,
read as a number of ternary digits: empty, own, enemy. The score is the sum of what the tables say for them.

The functions here are copied for each shape of net, with other constants (`core/net_file.py`).
"""

from typing import Any

from plywise.core.bits import first, rest, right
from plywise.core.compiled import compiled, inline
from plywise.core.layout import Layout
from plywise.core.vectors import (
    WORD_LANES,
    change_rows,
    copy_words,
    count_bits,
    count_unequal_bits,
    dot_clipped_squares,
    put_words,
    unequal_words,
)

TOP = 255  # of a sum: what 1.0 is in whole numbers
OUTPUT_ONE = 64  # what 1.0 is in output weights
MAX_OUTPUT = 127  # times TOP, it fits into 16 bits
ROWS = 64  # plies whose sums are kept; the ply after the last one uses the first row again
CELLS = 64  # of a board
STAGE_COUNT = 256  # counts of set cells that have a stage of their own
TABLE_ONE = 1024  # what 1.0 is in the tables of windows

# What a shape changes.
BOARDS = -1  # how many boards
WORDS = -8  # and how many words a row of them has
HIDDEN = -2  # numbers in a column
OWN_COLUMNS = -3  # 1: each side has columns of its own; 0: side 1 uses those of side 0, turned
FLIP = -4  # XOR of a cell, as side 1 sees it
LAST = -5  # side 1 sees the cells backwards from this one; -1: it does not
SEEN = ~0  # the boards that are looked at, as bits
WINDOWS = -6  # of the form `patterns`: how many there are
ENTRIES = -7  # numbers in their tables, for one stage


@compiled
def base(position: Any, weights: Any, memory: Any, ply: int) -> int:
    """What the net's output is added to: nothing, or the game's own evaluation (the form `correction`)."""
    return 0


@inline
def second_column(board: int, cell: int) -> int:
    """The column that a set cell has in the view of side 1."""
    if OWN_COLUMNS != 0:
        return (BOARDS + board) * CELLS + cell
    turned = LAST - cell if LAST >= 0 else cell ^ FLIP
    return (board + BOARDS // 2 if board < BOARDS // 2 else board - BOARDS // 2) * CELLS + turned


@inline
def list_changes(memory: Any, now: int, kept: int, differing: int) -> int:
    """List the columns by which some boards, from `now` and from `kept` on, differ; return how many."""
    count = 0
    while differing != 0:
        i = first(differing)
        differing = rest(differing)
        board = memory.net_seen[now + i]
        changed = board ^ memory.net_seen[kept + i]
        while changed != 0:
            cell = first(changed)
            changed = rest(changed)
            gone = (right(board, cell) & 1) - 1
            memory.net_changes[2 * count] = i * CELLS + cell ^ gone
            memory.net_changes[2 * count + 1] = second_column(i, cell) ^ gone
            count += 1
    return count


@inline
def update_sums(weights: Any, memory: Any, ply: int) -> int:
    """Bring the sums of a ply up to date with the boards evaluated; return how many cells are set."""
    row, before, now = ply & (ROWS - 1), (ply - 1) & (ROWS - 1), ROWS * WORDS
    seen, sums, size = memory.net_seen, memory.net_sums, 2 * HIDDEN
    from_row = unequal_words(seen, now, seen, row * WORDS, WORDS)
    from_before = unequal_words(seen, now, seen, before * WORDS, WORDS)
    own = count_unequal_bits(seen, now, seen, row * WORDS, WORDS)
    parent = count_unequal_bits(seen, now, seen, before * WORDS, WORDS)
    kept, differing = (before, from_before) if parent < own else (row, from_row)
    count = list_changes(memory, now, kept * WORDS, differing)
    columns, changes = weights.net_columns, memory.net_changes
    change_rows(sums, row * size, sums, kept * size, columns, changes, count, HIDDEN)
    copy_words(seen, row * WORDS, seen, now, WORDS)
    return count_bits(seen, now, WORDS)


@inline
def net_output(position: Any, weights: Any, memory: Any, sums: int, stage: int) -> int:
    """The output of a net whose sums of both views begin at `sums`."""
    own, other = (sums, sums + HIDDEN) if position.turn == 0 else (sums + HIDDEN, sums)
    bias, outputs, start = weights.net_bias, weights.net_outputs, stage * 2 * HIDDEN
    total = dot_clipped_squares(memory.net_sums, own, other, bias, outputs, start, HIDDEN, TOP)
    return (total // TOP + weights.net_output_bias[stage]) * weights.net_scale // (TOP * OUTPUT_ONE)


@inline
def window_output(position: Any, weights: Any, memory: Any, sums: int, stage: int) -> int:
    """What the tables say for the windows that the side to move sees: the form `patterns`."""
    view = 0 if position.turn == 0 else HIDDEN
    tables = stage * ENTRIES
    total = weights.net_output_bias[stage] + 0
    for k in range(WINDOWS):
        entry = weights.net_offsets[view + k] + memory.net_sums[sums + view + k]
        total += weights.net_tables[tables + entry]
    return total * weights.net_scale // TABLE_ONE


@compiled
def net_score(position: Any, weights: Any, memory: Any, ply: int) -> int:
    """The score of a position for the side to move."""
    put_words(memory.net_seen, ROWS * WORDS, position.boards(), SEEN)
    count = update_sums(weights, memory, ply)
    stage = weights.net_stages[min(count, STAGE_COUNT - 1)]
    sums = (ply & (ROWS - 1)) * 2 * HIDDEN
    return base(position, weights, memory, ply) + net_output(position, weights, memory, sums, stage)


def row_words(boards: int) -> int:
    """How many words a row of this number of boards has: whole vectors."""
    return -(-boards // WORD_LANES) * WORD_LANES


def memory_layout(boards: int, hidden: int) -> Layout:
    """What a thread keeps: the boards that each row of sums belongs to, the sums, and a list of changes.

    The row of boards after the last one has those that are evaluated. A change is a column of each view.
    """
    return Layout(
        ("net_seen", "i8", ((ROWS + 1) * row_words(boards),)),
        ("net_sums", "i2", (ROWS * 2 * hidden,)),
        ("net_changes", "i4", (2 * boards * CELLS,)),
    )


def weights_layout(boards: int, hidden: int, stages: int, own_columns: bool, entries: int = 0) -> Layout:
    """The numbers of a net; those of windows with `entries` a stage, if there are any."""
    inputs = boards * CELLS * (2 if own_columns else 1)
    both = Layout(("net_columns", "i2", (inputs * hidden,)))
    ends = Layout(
        ("net_output_bias", "i8", (stages,)),
        ("net_stages", "i8", (STAGE_COUNT,)),
        ("net_scale", "i8"),
    )
    if entries:
        tables = Layout(("net_offsets", "i8", (2 * hidden,)), ("net_tables", "i2", (stages * entries,)))
        return both + tables + ends
    return both + Layout(("net_bias", "i2", (hidden,)), ("net_outputs", "i2", (stages * 2 * hidden,))) + ends
