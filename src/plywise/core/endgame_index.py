"""Positions that are solved to the end of the game, by number, in a file that searches read.

A game that wants its small positions solved gives an `Index`: a number for each of them and the way
back. `plywise.endgames` finds their values and writes the file; `EndgameDatabase` gives it to the search, and
`value_at` reads it there.

A value is a byte: 0 for a draw, else the distance to the end of the game in plies plus one, so that
odd values are lost for the side to move and even ones won. The file, all numbers with the low byte
first: MAGIC, how many pieces it covers, 7 spare bytes, a mark of the game and its index (16), the
checksum of all the rest (32); a directory with the place of each slice (4 bytes each, in units of 8;
0: not there); the slices. A slice is a table of 2 ** MAX_CODE_BITS entries (value, length of its code), the
bit at which each block of BLOCK values begins (4 bytes each), and the codes.
"""

import hashlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plywise.core.compiled import compiled
from plywise.core.layout import byte
from plywise.core.scores import WIN
from plywise.core.user_folders import user_folder

if TYPE_CHECKING:
    from plywise.core.game import Game

MAGIC = b"plysolv1"
PIECES_OFFSET = len(MAGIC)  # where the file says how many pieces it covers
MARK_OFFSET, CHECKSUM_OFFSET, DIRECTORY_OFFSET = 16, 32, 64
UNIT = 8
BLOCK = 32  # values that are coded together: more take less room and longer to read
MAX_CODE_BITS = 12  # bits of the longest code
MAX_UNSURE = (
    1000  # blocks so near to the end of a file that their codes are counted; a good one has some dozen
)


# --- the index -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Slice:
    """Positions of one kind, with numbers from `first` on; a number may also stand for none."""

    number: int  # what the game calls it
    name: str
    first: int
    size: int
    kept: bool = True  # in the file; else its values follow from those one move away


@dataclass(frozen=True, slots=True)
class Group:
    """Slices next to each other whose positions lead to one another, or to groups in `needs`."""

    pieces: int
    slices: tuple[Slice, ...]
    needs: frozenset[int]  # numbers of groups

    @property
    def number(self) -> int:
        """A group is called by its first slice."""
        return self.slices[0].number

    @property
    def name(self) -> str:
        return self.slices[0].name

    @property
    def first(self) -> int:
        return self.slices[0].first

    @property
    def size(self) -> int:
        return sum(one.size for one in self.slices)


@dataclass(frozen=True, slots=True)
class Index:
    """How a game numbers its small positions; the three functions are marked @compiled.

    `index(position)` is the number of a position, or -1; `place(slice, i)` gives the fields of the
    position with number `slice.first + i`, or of one with the index -1 where there is none;
    `before(position, buffer, n)` writes, from buffer[n] on, the number of each position of the same
    group that a move leads from to this one, and returns the end. It may write positions that have
    no move inside their group at all (where another move is compulsory).

    Urgent positions are not asked for in the file: the search looks at their moves anyway.
    """

    groups: tuple[Group, ...]
    index: Callable[..., int]
    place: Callable[..., tuple[int, ...]]
    before: Callable[..., int]

    @property
    def max_pieces(self) -> int:
        """The most pieces that it numbers."""
        return max(group.pieces for group in self.groups)

    def up_to(self, pieces: int) -> list[Group]:
        """The groups with at most this number of pieces."""
        return [group for group in self.groups if group.pieces <= pieces]

    def mark(self, game: str) -> bytes:
        """Tells files of other games, and of other numberings, from this one's."""
        slices = [one for group in self.groups for one in group.slices]
        return hashlib.sha256(repr((game, BLOCK, MAX_CODE_BITS, slices)).encode()).digest()[:16]


# --- the file as a search reads it -----------------------------------------------------------------
@compiled
def uint32_at(data: Any, i: int) -> int:
    """Four bytes as a number."""
    return byte(data, i) | byte(data, i + 1) << 8 | byte(data, i + 2) << 16 | byte(data, i + 3) << 24


@compiled
def value_at(data: Any, number: int, size: int, i: int) -> int:
    """The value of position i of a slice of that size; -1 if the slice is not there."""
    start = uint32_at(data, DIRECTORY_OFFSET + 4 * number) * UNIT
    if start == 0:
        return -1
    blocks = start + (2 << MAX_CODE_BITS)
    codes = blocks + 4 * ((size + BLOCK - 1) // BLOCK)
    bit = uint32_at(data, blocks + 4 * (i // BLOCK))
    value = 0
    for _ in range(i % BLOCK + 1):
        code = uint32_at(data, codes + (bit >> 3)) >> (bit & 7) & (1 << MAX_CODE_BITS) - 1
        value = byte(data, start + 2 * code)
        bit += byte(data, start + 2 * code + 1)
    return value


@compiled
def value_score(value: int) -> int:
    """The score of a value for the side to move."""
    if value == 0:
        return 0
    return WIN - value + 1 if value % 2 == 0 else value - 1 - WIN


# --- the file as a resource of the game ---------------------------------------------------------------
def data_folder() -> Path:
    """Where databases are kept: $PLYWISE_DATA, else the system's place for a program's data."""
    return user_folder("PLYWISE_DATA", _system_folder, "what is saved")


def _system_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("plywise", appauthor=False)


class DatabaseUnusable(UserWarning):
    """A file of solved positions is there and cannot be used; the search goes on without it."""


class EndgameDatabase:
    """The solved positions of a game, a resource of its searches; none where there is no good file."""

    def __init__(self, name: str, game: str, index: Index) -> None:
        self.name, self.game, self.index = name, game, index
        self.problem: str | None = None  # why the file is not used
        self._stamp: Any = None
        self._array: Any = None

    @property
    def path(self) -> Path:
        return data_folder() / "endgames" / f"{self.game}.solved"

    @property
    def pieces(self) -> int:
        """Up to how many pieces positions are solved now; 0: none is."""
        return int(self.current()[0][PIECES_OFFSET])

    def current(self) -> tuple[Any, Any]:
        """The file's bytes, looked at again only if it changed, and its stamp."""
        import numpy as np

        path, stamp = self.path, None
        try:
            info = path.stat()
            stamp = str(path), info.st_mtime_ns, info.st_size, info.st_ino
        except OSError:
            pass
        if self._array is None or stamp != self._stamp:
            self._stamp, self.problem = stamp, None
            self._array = np.zeros(DIRECTORY_OFFSET, np.uint8)
            if stamp is not None:
                self.problem = self.why_unusable(path)
                if self.problem is None:
                    self._array = np.memmap(path, np.uint8, "r")
                else:
                    message = f"endgames {path}: {self.problem}; the search goes on without them"
                    warnings.warn(message, DatabaseUnusable, stacklevel=2)
        return self._array, self._stamp

    def why_unusable(self, path: Path) -> str | None:
        """Why a file cannot be used; None if it can."""
        try:
            content = path.read_bytes()
        except OSError as error:
            return str(error.strerror)
        if len(content) < DIRECTORY_OFFSET or not content.startswith(MAGIC):
            return "this is no file of solved positions"
        if content[MARK_OFFSET:CHECKSUM_OFFSET] != self.index.mark(self.game):
            return f"it was made for another game than {self.game}, or for another version"
        if content[CHECKSUM_OFFSET:DIRECTORY_OFFSET] != checksum(content):
            return "its checksum is wrong: it is damaged or cut short; build it again"
        slices = [one for group in self.index.groups for one in group.slices]
        if not is_within(content, slices):
            return "it leads beyond its own end; build it again"
        return None


def find_database(game: "Game") -> EndgameDatabase | None:
    """The database that a game reads, solved or not; None for a game that has none."""
    return next((one for one in game.lends if isinstance(one, EndgameDatabase)), None)


def is_within(content: bytes, slices: Sequence[Slice]) -> bool:
    """Whether `value_at` reads only bytes of the file, whatever position it is asked for.

    The checksum says that a file is whole, not who made it; compiled code reads it without looking.
    """
    import numpy as np

    count = 1 + max(one.number for one in slices)
    if len(content) < DIRECTORY_OFFSET + 4 * count:
        return False
    directory = np.frombuffer(content, "<u4", count, DIRECTORY_OFFSET)
    for one in slices:
        start, blocks = int(directory[one.number]) * UNIT, (one.size + BLOCK - 1) // BLOCK
        if start == 0:
            continue
        table, codes = start + (2 << MAX_CODE_BITS), start + (2 << MAX_CODE_BITS) + 4 * blocks
        if codes > len(content):
            return False
        longest = max(content[start + 1 : table : 2])
        begins = np.frombuffer(content, "<u4", blocks, table).astype(np.int64)
        most = 8 * (len(content) - codes - 4)  # the bit at which the last code may begin
        unsure = np.flatnonzero(begins + (BLOCK - 1) * longest > most)  # the last blocks, of a good file
        if longest > MAX_CODE_BITS or len(unsure) > MAX_UNSURE:
            return False
        for block in map(int, unsure):
            bit = int(begins[block])
            for _ in range(min(BLOCK, one.size - BLOCK * block)):
                if bit > most:
                    return False
                code = uint32_at(content, codes + (bit >> 3)) >> (bit & 7) & (1 << MAX_CODE_BITS) - 1
                bit += content[start + 2 * code + 1]
    return True


def checksum(content: bytes) -> bytes:
    """The checksum of a file's content, the place of the checksum itself left out."""
    digest = hashlib.sha256(content[:CHECKSUM_OFFSET])
    digest.update(memoryview(content)[DIRECTORY_OFFSET:])
    return digest.digest()
