"""What one searching thread writes to: a single record to compiled code, an object to Python."""

from functools import cache
from types import SimpleNamespace
from typing import Any, TypeAlias

from plywise.core.evaluation import Evaluation
from plywise.core.game import Game
from plywise.core.layout import Layout
from plywise.core.rules import PATTERNS, SLOTS

# A thread state as the functions of the search see it: an object with the fields of `thread_layout`.
ThreadRecord: TypeAlias = Any

MAX_PLY = 200  # no line is longer
PLY_ROWS = MAX_PLY + 2
WORD_BYTES = 8
LINE_BYTES = 64  # of a cache line, where records and the memory of evaluations begin
SPARE_MOVES = 4096  # room for one position with more moves than its game declares
MAX_PAST = 2048  # most positions of the history whose return is a draw

ENTRY = Layout(("check", "i8"), ("data", "i8"))
FLAGS = Layout(("stop", "i8"), ("deadline", "i8"))  # nanoseconds of core/monotonic.py; 0: none

# One row of the log: how a node came to be searched, its window, and how it ended.
NODE = Layout(
    ("move", "i8"),
    ("parent", "i4"),
    ("alpha", "i2"),
    ("beta", "i2"),
    ("value", "i2"),
    ("depth", "i1"),
    ("ply", "u1"),
    ("why", "i1"),
    ("cause", "i1"),
    ("bound", "i1"),
    ("iteration", "i1"),
)


def thread_layout(game: Game, evaluation: Evaluation | None = None) -> Layout:
    """The fields of a thread state for a game and an evaluation."""
    buffer_size = PLY_ROWS * game.most_moves + SPARE_MOVES
    names = (
        "nodes next_poll poll_nodes poll_time grace most_nodes stopped overflow switches exact_minimax "
        "guesses skips proving old_entries unknown_distances "
        "table buckets generation flags past_plies past_hash draw_plies repetition_draws "
        "first_root end_root all_roots roots_unordered most_moves best_root roots_done iteration "
        "distance_factor log log_rows why move deepest"
    )
    own = Layout(
        *((name, "i8") for name in names.split()),
        ("moves", "i8", (buffer_size,)),
        ("order", "i8", (buffer_size,)),
        ("efforts", "i8", (game.most_moves + SPARE_MOVES,)),
        ("killers", "i8", (PLY_ROWS * 4,)),
        ("history", "i8", (2 * SLOTS,)),
        ("continuation_history", "i2", (2 * PATTERNS * PATTERNS,)),
        ("patterns", "i8", (PLY_ROWS,)),
        ("excluded", "i8", (PLY_ROWS,)),
        ("all_moves", "i8", (PLY_ROWS,)),
        ("urgent", "i8", (PLY_ROWS,)),
        ("path", "i8", (MAX_PAST + PLY_ROWS,)),
        ("past_win_plies", "i8", (2,)),
        ("folded_keys", "i8", (PLY_ROWS,)),
        ("reversible", "i8", (PLY_ROWS,)),
        ("static_evals", "i8", (PLY_ROWS,)),
        ("lines", "i8", (PLY_ROWS * PLY_ROWS,)),
        ("line_lengths", "i8", (PLY_ROWS,)),
        ("path_nodes", "i8", (PLY_ROWS,)),
        ("weights", "i8"),
        ("margins", "i8"),
        *((resource.name, "i8") for resource in game.lends),
    )
    if evaluation is None or not evaluation.memory.fields:
        return own
    return own + Layout(("spare_bytes", "u1", (LINE_BYTES - own.bytes % LINE_BYTES,))) + evaluation.memory


class ThreadState:
    """What one searching thread writes to. The fields are attributes of `record` in both forms."""

    __slots__ = ("__dict__", "_bound", "address", "array", "native", "record")

    def __init__(self, fields: Layout, native: bool) -> None:
        self.native = native
        self._bound: dict[str, Any] = {}
        if native:
            import numpy as np

            kind = np.dtype(list(fields.fields))
            words = _zero_bytes(-(-kind.itemsize // WORD_BYTES) * WORD_BYTES).view(np.int64)
            self.array = words.view(np.uint8)[: kind.itemsize].view(kind)
            self.record: ThreadRecord = _record_class(fields.fields)(words, self.array)
            self.address = int(self.array.ctypes.data)
        else:
            self.address = 0
            self.record = SimpleNamespace(
                **{name: _zeros(tuple(shape[0]) if shape else ()) for name, _, *shape in fields.fields}
            )

    def bind(self, name: str, data: Any) -> None:
        """Let the search read (or write) data: by its address, or as Python objects."""
        self._bound[name] = data  # the address is good only as long as the array lives
        if not self.native:
            setattr(self.record, name, 0 if data is None else indexable(data))
        elif data is None:
            setattr(self.record, name, 0)
        else:
            assert data.flags.c_contiguous
            setattr(self.record, name, data.ctypes.data)


@cache
def _record_class(fields: tuple[tuple[Any, ...], ...]) -> type:
    """Objects whose attributes are the fields of a record in memory.

    NumPy's own records look each field up anew, which takes as long as some nodes of a search.
    """
    import numpy as np

    kind = np.dtype(list(fields))
    assert kind.fields is not None
    arrays = [name for name, (own, _, *_) in kind.fields.items() if own.shape]

    def begin(self: Any, words: Any, array: Any) -> None:
        self._words, self._array = memoryview(words), array
        for name in arrays:
            setattr(self, name, array[name][0])

    members: dict[str, Any] = {"__init__": begin}
    for name, (own, offset, *_) in kind.fields.items():
        if not own.shape:
            is_word = own == np.int64 and offset % WORD_BYTES == 0
            members[name] = _word(offset // WORD_BYTES) if is_word else _field(name)
    return type("NativeRecord", (), members)


def _word(i: int) -> property:
    """A whole number of 64 bits at its place."""
    return property(lambda self: self._words[i], lambda self, value: self._words.__setitem__(i, value))


def _field(name: str) -> property:
    """Any other number."""
    return property(
        lambda self: self._array[name][0], lambda self, value: self._array[name].__setitem__(0, value)
    )


def weights_record(fields: Layout, values: dict[str, Any], native: bool) -> Any:
    """Weights as the search reads them: an array of one record, or a list of one object."""
    if not native:
        return [SimpleNamespace(**values)]
    import numpy as np

    kind = np.dtype(list(fields.fields))
    result = _zero_bytes(kind.itemsize).view(kind)
    for name, value in values.items():
        result[name] = value
    return result


def _zero_bytes(count: int) -> Any:
    """This number of zero bytes, from the beginning of a cache line on."""
    import numpy as np

    room = np.zeros(count + LINE_BYTES, np.uint8)
    start = -room.ctypes.data % LINE_BYTES
    return room[start : start + count]


def indexable(data: Any) -> Any:
    """Data for Python code: arrays of records as they are, others as a memoryview of Python's numbers."""
    return memoryview(data) if getattr(getattr(data, "dtype", None), "names", ()) is None else data


def _zeros(shape: tuple[int, ...]) -> Any:
    if len(shape) <= 1:
        return [0] * shape[0] if shape else 0
    return [_zeros(shape[1:]) for _ in range(shape[0])]
