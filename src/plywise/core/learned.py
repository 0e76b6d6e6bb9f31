"""The learned evaluation: one small network for any game, kept up to date by the XOR of boards.

A position is seen as `boards`: sets of cells. Each cell of each board that is set adds a column of whole
numbers to the sums of two views, one for each side. The sums of a ply are brought up to date when the
position is evaluated: from those last kept for this ply or for the one before, whichever is nearer, by
adding and subtracting the columns of the cells that differ. So there is nothing to undo and no move to
follow, and sums cannot go out of step. The squares of the sums, cut to 0..TOP, times the output weights of
the stage of the game, make the score.

The functions here are copied for each shape of net, with other constants (`core/net_file.py`).
"""

from typing import Any

from plywise.core.bits import first, popcount, rest
from plywise.core.compiled import compiled
from plywise.core.layout import Layout
from plywise.core.vectors import add_row, copy_row, dot_clipped_square, subtract_row

TOP = 255  # of a sum: what 1.0 is in whole numbers
OUTPUT_ONE = 64  # what 1.0 is in output weights
MAX_OUTPUT = 127  # times TOP, it fits into 16 bits
ROWS = 64  # plies whose sums are kept; the ply after the last one uses the first row again
CELLS = 64  # of a board
STAGE_COUNT = 256  # counts of set cells that have a stage of their own

# What a shape changes.
BOARDS = -1  # how many boards
HIDDEN = -2  # numbers in a column
OWN_COLUMNS = -3  # 1: each side has columns of its own; 0: side 1 uses those of side 0, turned
FLIP = -4  # XOR of a cell, as side 1 sees it
LAST = -5  # side 1 sees the cells backwards from this one; -1: it does not
SEEN = ~0  # the boards that are looked at, as bits


@compiled
def base(position: Any, weights: Any, memory: Any, ply: int) -> int:
    """What the net's output is added to: nothing, or the game's own evaluation (the form `correction`)."""
    return 0


@compiled
def board_at(boards: Any, i: int) -> int:
    """Board i, or nothing where it is not looked at."""
    return boards[i] if SEEN >> i & 1 != 0 else 0


@compiled
def second_column(board: int, cell: int) -> int:
    """The column that a set cell has in the view of side 1."""
    if OWN_COLUMNS != 0:
        return (BOARDS + board) * CELLS + cell
    turned = LAST - cell if LAST >= 0 else cell ^ FLIP
    return (board + BOARDS // 2 if board < BOARDS // 2 else board - BOARDS // 2) * CELLS + turned


@compiled
def update_sums(position: Any, weights: Any, memory: Any, ply: int) -> int:
    """Bring the sums of a ply up to date; return how many cells are set."""
    boards = position.boards()
    row, before = ply & (ROWS - 1), (ply - 1) & (ROWS - 1)
    count, own, parent = 0, 0, 0
    for i in range(BOARDS):
        board = board_at(boards, i)
        count += popcount(board)
        own += popcount(board ^ memory.net_seen[row * BOARDS + i])
        parent += popcount(board ^ memory.net_seen[before * BOARDS + i])
    sums = row * 2 * HIDDEN
    if parent < own:
        copy_row(memory.net_sums, sums, memory.net_sums, before * 2 * HIDDEN, 2 * HIDDEN)
        for i in range(BOARDS):
            memory.net_seen[row * BOARDS + i] = memory.net_seen[before * BOARDS + i]
    for i in range(BOARDS):
        board = board_at(boards, i)
        changed = board ^ memory.net_seen[row * BOARDS + i]
        memory.net_seen[row * BOARDS + i] = board
        added = changed & board
        while added != 0:
            cell = first(added)
            added = rest(added)
            add_row(memory.net_sums, sums, weights.net_columns, (i * CELLS + cell) * HIDDEN, HIDDEN)
            column = second_column(i, cell) * HIDDEN
            add_row(memory.net_sums, sums + HIDDEN, weights.net_columns, column, HIDDEN)
        gone = changed & ~board
        while gone != 0:
            cell = first(gone)
            gone = rest(gone)
            subtract_row(memory.net_sums, sums, weights.net_columns, (i * CELLS + cell) * HIDDEN, HIDDEN)
            column = second_column(i, cell) * HIDDEN
            subtract_row(memory.net_sums, sums + HIDDEN, weights.net_columns, column, HIDDEN)
    return count


@compiled
def net_score(position: Any, weights: Any, memory: Any, ply: int) -> int:
    """The score of a position for the side to move."""
    count = update_sums(position, weights, memory, ply)
    stage = weights.net_stages[min(count, STAGE_COUNT - 1)]
    sums = (ply & (ROWS - 1)) * 2 * HIDDEN
    own, other = (sums, sums + HIDDEN) if position.turn == 0 else (sums + HIDDEN, sums)
    outputs = stage * 2 * HIDDEN
    total = dot_clipped_square(
        memory.net_sums, own, weights.net_bias, weights.net_outputs, outputs, HIDDEN, TOP
    )
    total += dot_clipped_square(
        memory.net_sums, other, weights.net_bias, weights.net_outputs, outputs + HIDDEN, HIDDEN, TOP
    )
    value = (total // TOP + weights.net_output_bias[stage]) * weights.net_scale // (TOP * OUTPUT_ONE)
    return base(position, weights, memory, ply) + value


def memory_layout(boards: int, hidden: int) -> Layout:
    """What a thread keeps: the boards that each row of sums belongs to, and the sums."""
    return Layout(("net_seen", "i8", (ROWS * boards,)), ("net_sums", "i2", (ROWS * 2 * hidden,)))


def weights_layout(boards: int, hidden: int, stages: int, own_columns: bool) -> Layout:
    """The numbers of a net."""
    inputs = boards * CELLS * (2 if own_columns else 1)
    return Layout(
        ("net_columns", "i2", (inputs * hidden,)),
        ("net_bias", "i2", (hidden,)),
        ("net_outputs", "i2", (stages * 2 * hidden,)),
        ("net_output_bias", "i8", (stages,)),
        ("net_stages", "i8", (STAGE_COUNT,)),
        ("net_scale", "i8"),
    )
