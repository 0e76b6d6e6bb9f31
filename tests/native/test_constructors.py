"""Calls of a named tuple's class in compiled code mean what they mean in Python."""

from typing import Any, NamedTuple

import pytest

from plywise.core.wide_bits import Cells128
from plywise.native.compiler import jit


class Place(NamedTuple):
    cell: int = 3
    cells: Cells128 = Cells128.of([5, 100])
    turn: int = 1


def left_out(x: int) -> Any:
    """Fields that are left out: all, the last ones, earlier ones than one that is named."""
    none, some, named = Place(), Place(x), Place(turn=x)
    empty = Cells128().add(x)
    return none.cell, none.cells, some.turn, named.cell, named.turn, empty.first(), Cells128(b=x).first()


@pytest.mark.thorough("compiles")
def test_fields_that_are_left_out_have_their_defaults() -> None:
    assert jit(left_out)(7) == left_out(7)
