"""Packing solved positions: each slice with its own Huffman code, short for frequent values."""

import heapq
import struct
from typing import Any

import numpy as np

from plywise.core.endgame_index import (
    BLOCK,
    CHECKSUM_OFFSET,
    DIRECTORY_OFFSET,
    MAGIC,
    MARK_OFFSET,
    MAX_CODE_BITS,
    PIECES_OFFSET,
    UNIT,
    Slice,
    checksum,
)
from plywise.core.layout import Layout, at
from plywise.core.rules import Position
from plywise.endgames.solver import Solver
from plywise.endgames.sweep import CELL, HOLE
from plywise.search.thread_state import ThreadRecord, ThreadState

WORD = Layout(("value", "u4"))
FIELDS = Layout(
    ("values", "i8"),
    ("blocks", "i8"),
    ("bytes", "i8"),
    ("codes", "i8", (256,)),
    ("lengths", "i8", (256,)),
)


def write_codes(position: Position, memory: ThreadRecord, size: int, spare: int, unused: int) -> int:
    """Write the codes of all values and where each block begins; how many bytes that took."""
    pending, bits, written = 0, 0, 0  # bits not yet written, how many they are, bytes written
    for i in range(size):
        if i % BLOCK == 0:
            at(memory.blocks, WORD, i // BLOCK).value = 8 * written + bits
        value = at(memory.values, CELL, i).value
        pending |= memory.codes[value] << bits
        bits += memory.lengths[value]
        while bits >= 8:
            at(memory.bytes, CELL, written).value = pending & 255
            pending >>= 8
            bits -= 8
            written += 1
    at(memory.bytes, CELL, written).value = pending & 255
    return written + 1


def code_lengths(counts: Any) -> dict[int, int]:
    """The length of a code for each value that occurs, none above MAX_CODE_BITS (Huffman's codes).

    Rare values are counted as less rare until the longest code is short enough.
    """
    total, least = int(counts.sum()), 1
    present = [value for value in range(len(counts)) if counts[value]]
    if len(present) == 1:
        return {present[0]: 1}
    while True:
        heap: list[tuple[int, int, tuple[int, ...]]] = [
            (max(int(counts[value]), least), value, (value,)) for value in present
        ]
        lengths = dict.fromkeys(present, 0)
        heapq.heapify(heap)
        while len(heap) > 1:
            (one, _, left), (two, tie, right) = heapq.heappop(heap), heapq.heappop(heap)
            for value in left + right:
                lengths[value] += 1
            heapq.heappush(heap, (one + two, tie, left + right))
        if max(lengths.values()) <= MAX_CODE_BITS:
            return lengths
        least = max(2 * least, total >> (MAX_CODE_BITS + 2))


def assign_codes(lengths: dict[int, int]) -> dict[int, int]:
    """A code for each value, to be read from its low bit on: no code begins another."""
    codes, code, before = {}, 0, 0
    for length, value in sorted((length, value) for value, length in lengths.items()):
        code <<= length - before
        codes[value] = int(format(code, f"0{length}b")[::-1], 2)
        code, before = code + 1, length
    return codes


class Packer:
    """Makes the file of solved positions."""

    def __init__(self, solver: Solver) -> None:
        from plywise.native import compile

        self.solver = solver
        self.write = compile(write_codes, solver.game.position, FIELDS, {})

    def pack_slice(self, values: Any) -> bytes:
        """One slice as the file has it. Positions that are never probed get the most frequent value."""
        counts = np.bincount(values, minlength=256)
        counts[HOLE] = 0
        if not counts.any():
            counts[0] = 1
        values = np.where(values == HOLE, np.uint8(counts.argmax()), values)
        counts = np.bincount(values, minlength=256)
        lengths = code_lengths(counts)
        codes = assign_codes(lengths)
        table = np.zeros((1 << MAX_CODE_BITS, 2), np.uint8)
        for value, length in lengths.items():
            table[codes[value] :: 1 << length] = value, length
        memory = ThreadState(FIELDS, True)
        blocks = np.zeros((len(values) + BLOCK - 1) // BLOCK, "<u4")
        room = np.zeros(
            sum(int(counts[value]) * length for value, length in lengths.items()) // 8 + 2, np.uint8
        )
        for name, data in (("values", values), ("blocks", blocks), ("bytes", room)):
            memory.bind(name, data)
        for value, length in lengths.items():
            memory.record.codes[value], memory.record.lengths[value] = codes[value], length
        used = self.write(self.solver.start, memory, len(values), 0, 0)
        # The reader takes four bytes at a time, so four must follow the beginning of the last code.
        return table.tobytes() + blocks.tobytes() + room[:used].tobytes() + bytes(4)

    def pack_file(self, pieces: int, slices: list[tuple[Slice, bytes]]) -> bytes:
        """The whole file."""
        index = self.solver.index
        count = 1 + max(one.number for group in index.groups for one in group.slices)
        directory, body = [0] * count, bytearray()
        first = _align(DIRECTORY_OFFSET + 4 * count)
        for one, content in slices:
            directory[one.number] = (first + len(body)) // UNIT
            body += content + bytes(_align(len(content)) - len(content))
        head = bytearray(first)
        head[: len(MAGIC)], head[PIECES_OFFSET] = MAGIC, pieces
        head[MARK_OFFSET:CHECKSUM_OFFSET] = index.mark(self.solver.game.name)
        struct.pack_into(f"<{count}I", head, DIRECTORY_OFFSET, *directory)
        whole = head + body
        whole[CHECKSUM_OFFSET:DIRECTORY_OFFSET] = checksum(bytes(whole))
        return bytes(whole)


def _align(length: int) -> int:
    return -(-length // UNIT) * UNIT
