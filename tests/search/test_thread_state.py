"""A thread state: the same fields for Python and for compiled code."""

import pytest

from plywise.core.layout import Layout
from plywise.search.thread_state import ThreadState

# The second word is at no multiple of eight, and the whole is none either.
FIELDS = Layout(("nodes", "i8"), ("small", "i2"), ("table", "i8"), ("moves", "i4", (3,)))


@pytest.mark.parametrize("native", [True, False])
def test_what_is_written_is_read_again(native: bool) -> None:
    record = ThreadState(FIELDS, native).record
    assert (record.nodes, record.small, record.table, list(record.moves)) == (0, 0, 0, [0, 0, 0])
    record.nodes, record.small, record.table, record.moves[1] = -5, 7, 1 << 62, 9
    assert (record.nodes, record.small, record.table, list(record.moves)) == (-5, 7, 1 << 62, [0, 9, 0])


def test_compiled_code_and_python_see_the_same_memory() -> None:
    state, other = ThreadState(FIELDS, True), ThreadState(FIELDS, True)
    state.record.nodes, state.record.small, state.record.table, state.record.moves[2] = 1, 2, 3, 4
    assert state.array[0].item()[:3] == (1, 2, 3) and list(state.array["moves"][0]) == [0, 0, 4]
    state.array["nodes"][0], state.array["moves"][0][0] = 10, 11
    assert state.record.nodes == 10 and state.record.moves[0] == 11
    assert type(state.record.nodes) is int, "Python's own numbers are fast"
    assert other.record.nodes == 0, "each state has its own memory"
