"""Sets of cells say the same compiled as in Python."""

import random
from typing import Any, NamedTuple

import numba
import pytest

import plywise.native.compiler  # noqa: F401  (registers what compiled code knows of them)
from plywise.core.specialise import Specialiser
from plywise.core.wide_bits import WIDE, Cells256
from plywise.native.digest import digest
from tests.core.test_wide_bits import WIDTHS, facts


@pytest.mark.thorough("compiles")
@pytest.mark.parametrize("kind", WIDE)
def test_compiled_sets_agree_with_python(kind: Any) -> None:
    def ask(one: Any, other: Any, n: int) -> Any:
        lowest = -1 if one.is_empty() else one.first()
        return (
            (one & other, one | other, one ^ other, ~one, one << n, one >> n, one == other, one.size()),
            (one.is_empty(), one.has(n), one.add(n), one.remove(n), lowest, one.rest()),
        )

    native, dice, width = numba.njit(ask), random.Random(1), WIDTHS[kind]
    for i in range(3000):
        one, other = (
            kind.of(dice.sample(range(width), dice.choice((0, 1, 9, width // 2)))) for _ in range(2)
        )
        n = i % width
        first, second = native(one, other, n)
        assert [*first, *second] == facts(one, other, n)


class Span(NamedTuple):
    """A tuple of an author's, whose fields are called like methods of sets and like rules."""

    first: int
    size: int
    moves: int


def test_a_tuple_may_have_fields_that_are_called_like_methods() -> None:
    def ask(first: int) -> int:
        span = Span(first, 20, 300)
        return span.first + span.size + span.moves

    assert numba.njit(ask)(1) == 321


CELLS = Cells256.of([1])


def test_the_digest_knows_the_cells_of_a_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(cells: Cells256) -> Cells256:
        return cells & CELLS

    before = digest([rule], Specialiser({}))
    monkeypatch.setitem(globals(), "CELLS", Cells256.of([2]))
    assert digest([rule], Specialiser({})) != before
