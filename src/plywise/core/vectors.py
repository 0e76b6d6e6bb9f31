"""Rows of small whole numbers: the sums of a learned evaluation.

Interpreted, a row is a part of a list. Compiled, it is 16-bit numbers in memory, and each function here
is a few vector instructions (`native/vectors.py`). A row has a multiple of LANES numbers.
"""

from typing import Any

LANES = 16  # numbers that one vector instruction takes


def add_row(sums: Any, i: int, columns: Any, j: int, size: int) -> None:
    """Add `size` numbers from columns[j] on to those from sums[i] on."""
    for k in range(size):
        sums[i + k] += columns[j + k]


def subtract_row(sums: Any, i: int, columns: Any, j: int, size: int) -> None:
    """Subtract `size` numbers from columns[j] on from those from sums[i] on."""
    for k in range(size):
        sums[i + k] -= columns[j + k]


def copy_row(target: Any, i: int, source: Any, j: int, size: int) -> None:
    """Copy `size` numbers from source[j] on to target[i] on."""
    for k in range(size):
        target[i + k] = source[j + k]


def dot_clipped_square(sums: Any, i: int, bias: Any, weights: Any, j: int, size: int, top: int) -> int:
    """The squares of sums[i:] + bias[0:], cut to 0..top, times weights[j:], added up.

    A weight times `top` fits into 16 bits, and the sum of 16 products into 32.
    """
    total = 0
    for k in range(size):
        value = max(0, min(top, sums[i + k] + bias[k]))
        total += value * weights[j + k] * value
    return total
