"""Sets of 128 and 256 cells behave as one long word, in Python and compiled."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.core.errors import exception_text
from plywise.core.wide_bits import WIDE, Cells128, Cells256
from plywise.core.wide_position import wide_fields
from tests.conftest import named

WIDTHS = {Cells128: 128, Cells256: 256}


def whole(cells: Any) -> int:
    """The set as one whole number."""
    return sum((word % (1 << 64)) << 64 * i for i, word in enumerate(cells))


def facts(one: Any, other: Any, n: int) -> list[Any]:
    """What can be asked of two sets."""
    return [
        one & other,
        one | other,
        one ^ other,
        ~one,
        one << n,
        one >> n,
        one == other,
        one.size(),
        one.is_empty(),
        one.has(n),
        one.add(n),
        one.remove(n),
        -1 if one.is_empty() else one.first(),
        one.rest(),
    ]


def expected(one: int, other: int, n: int, width: int) -> list[Any]:
    """The same of whole numbers."""
    full = (1 << width) - 1
    return [
        one & other,
        one | other,
        one ^ other,
        full ^ one,
        one << n & full,
        one >> n,
        one == other,
        one.bit_count(),
        one == 0,
        bool(one >> n & 1),
        one | 1 << n,
        one & ~(1 << n),
        -1 if one == 0 else (one & -one).bit_length() - 1,
        one & (one - 1) if one else 0,
    ]


def plain(answers: Iterable[Any]) -> list[Any]:
    return [whole(answer) if isinstance(answer, WIDE) else answer for answer in answers]


@pytest.mark.parametrize("kind", WIDE)
@given(data=st.data())
def test_a_set_is_one_long_word(kind: Any, data: st.DataObject) -> None:
    width = WIDTHS[kind]
    lists = st.lists(st.integers(0, width - 1), max_size=40)
    one, other, n = data.draw(lists), data.draw(lists), data.draw(st.integers(0, width - 1))
    sets = kind.of(one), kind.of(other)
    assert plain(facts(*sets, n)) == expected(whole(sets[0]), whole(sets[1]), n, width)
    assert sets[0].cells() == sorted(set(one))


def test_the_key_tells_positions_apart() -> None:
    gomoku = named("examples/gomoku").author
    keys = {gomoku(Cells256.of([cell])).key() for cell in range(256)}
    keys |= {gomoku(Cells256(), Cells256.of([cell])).key() for cell in range(256)}
    assert len(keys) == 512


def test_a_set_is_neither_true_nor_false_and_has_its_cells_only() -> None:
    with pytest.raises(TypeError, match="ask is_empty"):
        assert not Cells256()
    with pytest.raises(ValueError, match="cell 128 is not in a set of 128 cells"):
        Cells128.of([128])


@pytest.mark.parametrize(
    ("mistake", "cure"),
    [
        (lambda cells: 3 in cells, r"ask has\(cell\)"),
        (lambda cells: cells + cells, r"`a \| b`"),
        (lambda cells: cells - cells, "`a & ~b`"),
        (lambda cells: cells * 2, "`<<` and `>>`"),
    ],
)
@pytest.mark.parametrize("kind", WIDE)
def test_what_a_tuple_would_do_is_refused_with_the_cure(kind: Any, mistake: Any, cure: str) -> None:
    with pytest.raises(TypeError, match=cure):
        mistake(kind.of([3]))


def test_a_set_with_a_number_is_told_in_words() -> None:
    with pytest.raises(AttributeError) as caught:
        Cells128.of([3]) & (1 << 3)  # type: ignore[operator]
    assert exception_text(caught.value) == (
        "AttributeError: a set of cells goes with a set of the same size, not with int;"
        " its of([...]) makes one"
    )
    with pytest.raises(AttributeError) as caught:
        _ = (3).a  # type: ignore[attr-defined]
    assert exception_text(caught.value) == "AttributeError: 'int' object has no attribute 'a'"


def test_fields_are_found_by_their_type() -> None:
    assert wide_fields(named("examples/gomoku").author) == {"black": Cells256, "white": Cells256}
    assert wide_fields(named("examples/othello").author) == {}
