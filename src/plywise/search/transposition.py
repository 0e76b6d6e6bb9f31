"""The transposition table: shared by all threads, without locks, its size given in megabytes.

An entry is two words, `key ^ data` and `data`, so that one torn by two writers matches no key.
Four entries make a bucket, one line of the processor's cache.
"""

from types import SimpleNamespace
from typing import Any

from plywise.core.bits import left, right
from plywise.core.compiled import compiled
from plywise.core.layout import at, fetch
from plywise.core.rules import Position
from plywise.core.scores import DECISIVE
from plywise.search.thread_state import ENTRY, ThreadRecord, ThreadState

BUCKET_ENTRIES = 4
ENTRY_BYTES = 16
GENERATIONS = 32
EXACT, LOWER, UPPER = 0, 1, 2
COMPLETE = 128  # the bit of a value that nothing beyond its depth can change
MAX_STORED_DEPTH = COMPLETE - 1
MOVE_MASK = (1 << 32) - 1
IMAGE_SHIFT = 29  # where images share an entry, the bits above say with which of them a move was stored
SYMMETRIES = 1  # images of a position that are alike; a specialisation has the number of its game
KEPT_TABLE = 256  # megabytes of a table that is cleared in its place, which takes some 50 ms
AGE_PENALTY = 8  # turns of depth that an entry is worth less for each search since

# data, from the low end: depth 7, complete 1, bound 2, sound 1, generation 5, score 16, move 32


@compiled
def fold_move(move: int) -> int:
    """A move in the 32 bits that an entry has for it; 0 is none. A hint only, never played as is."""
    move += 1
    return (move ^ move >> 32) & MOVE_MASK


@compiled
def fold_key(position: Position, key: int) -> int:
    """The least of the keys of all images of a position, whose own key is given: images share it."""
    for image in range(1, SYMMETRIES):
        key = min(key, position.symmetry(image).key())
    return key


@compiled
def image_tag(key: int, own_key: int) -> int:
    """Which image a position is among those that share the entry of a key: 0 to 7, nearly always another."""
    return 0 if key == own_key else 1 + ((key ^ own_key) & MOVE_MASK) % 7


@compiled
def lookup(thread: ThreadRecord, key: int) -> int:
    """The data stored for the key; 0 if there is none."""
    slot = (key & thread.buckets) * BUCKET_ENTRIES
    for i in range(slot, slot + BUCKET_ENTRIES):
        entry = at(thread.table, ENTRY, i)
        data = entry.data
        if data != 0 and entry.check ^ data == key:
            return data
    return 0


@compiled
def prefetch(thread: ThreadRecord, key: int) -> None:
    """Load the bucket of a key into the processor's cache: it will be looked up soon."""
    fetch(thread.table, ENTRY, (key & thread.buckets) * BUCKET_ENTRIES)


@compiled
def store(
    thread: ThreadRecord,
    key: int,
    own_key: int,
    move: int,
    score: int,
    ply: int,
    depth: int,
    bound: int,
    sound: int,
    complete: int,
) -> None:
    """Store a value over the older entry of its key, else over the least useful entry of the bucket.

    Scores of wins count from the root; in the table they count from the position itself.
    A value without a move (-1) keeps the move that was known before. `own_key` is the position's key, `key`
    the one that it is stored under, together with its images.
    """
    slot = (key & thread.buckets) * BUCKET_ENTRIES
    slot_index, least_worth, folded_move = slot, 1 << 30, 0
    for i in range(slot, slot + BUCKET_ENTRIES):
        entry = at(thread.table, ENTRY, i)
        data = entry.data
        if data == 0 or entry.check ^ data == key:
            slot_index, folded_move = i, right(data, 32)
            break
        age = (thread.generation - (data >> 11)) & (GENERATIONS - 1)
        worth = (255 if data & COMPLETE else data & MAX_STORED_DEPTH) - AGE_PENALTY * age
        if worth < least_worth:
            slot_index, least_worth = i, worth
    if score > DECISIVE:
        score += ply
    elif score < -DECISIVE:
        score -= ply
    if move >= 0:
        folded_move = fold_move(move)
        if SYMMETRIES > 1:
            folded_move = folded_move & (1 << IMAGE_SHIFT) - 1 | image_tag(key, own_key) << IMAGE_SHIFT
    low = (score + 32768) << 16 | thread.generation << 11 | sound << 10 | bound << 8
    low |= complete << 7 | min(depth, MAX_STORED_DEPTH)
    data = left(folded_move, 32) | low
    entry = at(thread.table, ENTRY, slot_index)
    entry.check = key ^ data
    entry.data = data


@compiled
def stored_move(data: int, key: int, own_key: int) -> int:
    """The move as `fold_move` has it; 0 if there is none, or one of another image of the position."""
    move = right(data, 32)
    if SYMMETRIES == 1:
        return move
    return move & (1 << IMAGE_SHIFT) - 1 if move >> IMAGE_SHIFT == image_tag(key, own_key) else 0


@compiled
def stored_score(data: int, ply: int) -> int:
    """The score as it counts from the root."""
    score = (data >> 16 & 65535) - 32768
    if score > DECISIVE:
        score -= ply
    elif score < -DECISIVE:
        score += ply
    return score


@compiled
def stored_bound(data: int) -> int:
    return data >> 8 & 3


@compiled
def stored_depth(data: int) -> int:
    return data & MAX_STORED_DEPTH


@compiled
def is_complete(data: int) -> bool:
    """Nothing beyond its depth can change the value."""
    return data & COMPLETE != 0


@compiled
def stored_generation(data: int) -> int:
    """The search that stored it, counted round."""
    return data >> 11 & GENERATIONS - 1


@compiled
def stored_sound(data: int) -> bool:
    return data & 1024 != 0


class _Entries(dict[int, SimpleNamespace]):
    """The table of the uncompiled search: entries are made when they are first looked at."""

    def __missing__(self, i: int) -> SimpleNamespace:
        entry = self[i] = SimpleNamespace(check=0, data=0)
        return entry


class TranspositionTable:
    """A table of at most `megabytes`; the number of buckets is a power of two."""

    def __init__(self, megabytes: int, native: bool) -> None:
        self.megabytes, self.native, self.generation = megabytes, native, 0
        self.buckets = 1
        while self.buckets * 2 * BUCKET_ENTRIES * ENTRY_BYTES <= max(1, megabytes) << 20:
            self.buckets *= 2
        self._used = False
        self._allocate()

    def _allocate(self) -> None:
        if not self.native:
            self.entries: Any = _Entries()
            return
        import numpy as np

        # Fresh zeroed pages cost nothing until they are used; a bucket begins on a cache line.
        line = BUCKET_ENTRIES * ENTRY_BYTES
        try:
            self._bytes = np.zeros((self.buckets + 1) * line, np.uint8)
        except MemoryError:  # NumPy speaks of shapes and data types
            raise MemoryError(f"there is none for a hash table of {self.megabytes} MB") from None
        skip = -self._bytes.ctypes.data % line
        self.entries = self._bytes[skip : skip + self.buckets * line].view(np.dtype(list(ENTRY.fields)))

    def clear(self) -> None:
        """Forget everything.

        The memory is kept: to get it again takes many times as long. Of a large table most may never have
        been used, and to write it all takes seconds: the system gives fresh pages as they are used.
        """
        if not self.native or (self._used and self.megabytes > KEPT_TABLE):
            self._allocate()
        elif self._used:
            self._bytes.fill(0)
        self._used = False

    def bind(self, thread: ThreadState) -> None:
        """Let a thread use the table."""
        self._used = True
        thread.bind("table", self.entries)
        thread.record.buckets = self.buckets - 1
        thread.record.generation = self.generation

    def age(self) -> None:
        """A new search begins: older entries give way first."""
        self.generation = (self.generation + 1) % GENERATIONS

    def full(self) -> int:
        """How full it is with entries of this search, in thousandths, from a sample."""
        if not self.native:
            used = [e.data for e in list(self.entries.values())[:1000] if e.data]
            return min(1000, 1000 * len(used) // (self.buckets * BUCKET_ENTRIES))
        sample = self.entries["data"][:1000]
        return int(((sample != 0) & ((sample >> 11 & GENERATIONS - 1) == self.generation)).sum())
