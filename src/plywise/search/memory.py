"""What one searching thread writes to: a single record to compiled code, an object to Python."""

from types import SimpleNamespace
from typing import Any

from plywise.core.game import Evaluation, Game
from plywise.core.rules import PATTERNS, SLOTS
from plywise.core.words import Layout

PLIES = 200  # no line is longer
WIDTH = PLIES + 2
SPARE = 4096  # room for one position with more moves than its game promised
PAST = 2048  # positions of the game whose return is a draw

ENTRY = Layout(("check", "i8"), ("data", "i8"))
FLAGS = Layout(("stop", "i8"))

# One row a node: how it came to be searched, its window, and how it ended.
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


def layout(game: Game, evaluation: Evaluation | None = None) -> Layout:
    """The fields of a thread's memory for a game."""
    room = WIDTH * game.most_moves + SPARE
    words = (
        "nodes poll most_nodes stopped overflow switches exact guesses skips vague "
        "table buckets generation flags past salt patience repeats "
        "first last whole fresh most best done iteration counted "
        "log room why move deepest"
    )
    own = Layout(
        *((word, "i8") for word in words.split()),
        ("moves", "i8", (room,)),
        ("order", "i8", (room,)),
        ("efforts", "i8", (game.most_moves + SPARE,)),
        ("killers", "i8", (WIDTH * 4,)),
        ("history", "i8", (2 * SLOTS,)),
        ("replies", "i2", (2 * PATTERNS * PATTERNS,)),
        ("patterns", "i8", (WIDTH,)),
        ("barred", "i8", (WIDTH,)),
        ("path", "i8", (PAST + WIDTH,)),
        ("clocks", "i8", (WIDTH,)),
        ("statics", "i8", (WIDTH,)),
        ("lines", "i8", (WIDTH * WIDTH,)),
        ("lengths", "i8", (WIDTH,)),
        ("trail", "i8", (WIDTH,)),
        ("weights", "i8"),
        *((lent.name, "i8") for lent in game.lends),
    )
    return own + evaluation.memory if evaluation is not None else own


class Memory:
    """A thread's memory. Its fields are attributes in both forms."""

    __slots__ = ("__dict__", "_kept", "address", "array", "native", "record")

    def __init__(self, fields: Layout, native: bool) -> None:
        self.native = native
        self._kept: dict[str, Any] = {}
        if native:
            import numpy as np

            self.array = np.zeros(1, np.dtype(list(fields.fields)))
            self.record: Any = self.array.view(np.recarray)[0]
            self.address = int(self.array.ctypes.data)
        else:
            self.address = 0
            self.record = SimpleNamespace(
                **{name: _zeros(tuple(shape[0]) if shape else ()) for name, _, *shape in fields.fields}
            )

    def lend(self, name: str, data: Any) -> None:
        """Let the search read (or write) data: by its address, or as Python objects."""
        self._kept[name] = data  # the address is good only as long as the array lives
        if not self.native:
            setattr(self.record, name, 0 if data is None else _indexed(data))
        elif data is None:
            setattr(self.record, name, 0)
        else:
            assert data.flags.c_contiguous
            setattr(self.record, name, data.ctypes.data)


def weights_record(fields: Layout, values: dict[str, Any], native: bool) -> Any:
    """Weights as they are lent: an array of one record, or a list of one object."""
    if not native:
        return [SimpleNamespace(**values)]
    import numpy as np

    result = np.zeros(1, np.dtype(list(fields.fields)))
    for name, value in values.items():
        result[name] = value
    return result


def _indexed(data: Any) -> Any:
    """What Python code indexes: records as they are, plain numbers without an array's manners."""
    return memoryview(data) if getattr(getattr(data, "dtype", None), "names", ()) is None else data


def _zeros(shape: tuple[int, ...]) -> Any:
    if len(shape) <= 1:
        return [0] * shape[0] if shape else 0
    return [_zeros(shape[1:]) for _ in range(shape[0])]
