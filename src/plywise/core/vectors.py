"""Rows of whole numbers, which compiled code takes by vectors: the sums and boards of a learned evaluation.

Interpreted, a row is a part of a list. Compiled, it is numbers in memory, and each function here is a few
vector instructions (`native/vectors.py`). A row of sums is a multiple of LANES numbers of 16 bits, a row of
boards a multiple of WORD_LANES numbers of 64 bits.
"""

from typing import Any

from plywise.core.bits import popcount

LANES = 16  # numbers of 16 bits that one vector instruction takes
WORD_LANES = 8  # and numbers of 64 bits


def put_words(target: Any, i: int, words: Any, chosen: int) -> None:
    """Write a tuple of words from target[i] on, and zeros up to the next whole row.

    In place of those whose bit in `chosen` is not set there is a zero.
    """
    for k in range(-(-len(words) // WORD_LANES) * WORD_LANES):
        target[i + k] = words[k] if k < len(words) and chosen >> k & 1 != 0 else 0


def copy_words(target: Any, i: int, source: Any, j: int, size: int) -> None:
    """Copy `size` words from source[j] on to target[i] on."""
    for k in range(size):
        target[i + k] = source[j + k]


def count_bits(words: Any, i: int, size: int) -> int:
    """How many bits are set in `size` words from words[i] on."""
    return sum(popcount(words[i + k]) for k in range(size))


def count_unequal_bits(words: Any, i: int, others: Any, j: int, size: int) -> int:
    """In how many bits `size` words from words[i] on are unequal to those from others[j] on."""
    return sum(popcount(words[i + k] ^ others[j + k]) for k in range(size))


def unequal_words(words: Any, i: int, others: Any, j: int, size: int) -> int:
    """Which of `size` words from words[i] on are unequal to those from others[j] on, as bits. At most 64."""
    result = 0
    for k in range(size):
        if words[i + k] != others[j + k]:
            result |= 1 << k
    return result if result < 1 << 63 else result - (1 << 64)


def change_rows(
    target: Any, i: int, source: Any, j: int, columns: Any, changes: Any, count: int, size: int
) -> None:
    """Write two rows of `size` numbers from target[i] on: those from source[j] on, changed by columns.

    `changes` has `count` pairs of them, for the first and for the second row: a column's number where it is
    added, ~number where it is subtracted.
    """
    for row in range(2):
        for k in range(size):
            number = source[j + row * size + k]
            for n in range(count):
                column = changes[2 * n + row]
                number += columns[column * size + k] if column >= 0 else -columns[~column * size + k]
            target[i + row * size + k] = number


def dot_clipped_squares(
    sums: Any, i: int, j: int, bias: Any, weights: Any, start: int, size: int, top: int
) -> int:
    """The squares of sums[i:] + bias[0:], then of sums[j:] + bias[0:], cut to 0..top, times weights[start:].

    A weight times `top` fits into 16 bits, and the sum of all products into 32.
    """
    total = 0
    for k in range(size):
        own = max(0, min(top, sums[i + k] + bias[k]))
        other = max(0, min(top, sums[j + k] + bias[k]))
        total += own * weights[start + k] * own + other * weights[start + size + k] * other
    return total
