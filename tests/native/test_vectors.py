"""The vector instructions do what the loops of `core/vectors.py` say."""

import random
from types import SimpleNamespace
from typing import Any

import pytest

import plywise
from plywise.core.compiled import inline
from plywise.core.layout import Layout
from plywise.core.vectors import (
    LANES,
    WORD_LANES,
    change_rows,
    copy_words,
    count_bits,
    count_unequal_bits,
    dot_clipped_squares,
    put_words,
    unequal_words,
)
from plywise.native.compiler import NativeSpecialiser, compile
from plywise.search.thread_state import ThreadState

WORDS = 2 * WORD_LANES
COLUMNS = 20
LONGEST = 3 * LANES
FIELDS = Layout(
    ("boards", "i8", (3 * WORDS,)),
    ("sums", "i2", (4 * LONGEST,)),
    ("columns", "i2", (COLUMNS * LONGEST,)),
    ("changes", "i4", (2 * COLUMNS,)),
    ("bias", "i2", (LONGEST,)),
    ("outputs", "i2", (2 * LONGEST,)),
)


def use_words(position: Any, memory: Any, which: int, chosen: int, spare: int) -> int:
    boards = memory.boards
    if which == 0:
        return count_bits(boards, WORDS, WORDS)
    if which == 1:
        return count_unequal_bits(boards, 0, boards, WORDS, WORDS)
    if which == 2:
        return unequal_words(boards, 0, boards, WORDS, WORDS)
    if which == 3:
        copy_words(boards, 2 * WORDS, boards, WORDS, WORDS)
        return 0
    nine = (boards[0], -1, boards[2], 3, boards[4], boards[5], boards[6], boards[7], boards[8])
    put_words(boards, 2 * WORDS, nine, chosen)
    return 0


def use_rows(position: Any, memory: Any, which: int, size: int, count: int) -> int:
    sums = memory.sums
    if which == 0:
        change_rows(sums, 2 * size, sums, 0, memory.columns, memory.changes, count, size)
        return 0
    return dot_clipped_squares(sums, size, 0, memory.bias, memory.outputs, 0, size, 255)


def memories(seed: int) -> tuple[ThreadState, ThreadState]:
    """The same random numbers for compiled code and for Python."""
    dice = random.Random(seed)
    compiled, plain = ThreadState(FIELDS, native=True), ThreadState(FIELDS, native=False)
    most = {"boards": 1 << 63, "sums": 9000, "columns": 900, "bias": 300, "outputs": 128}
    for name, _, (size,) in FIELDS.fields:
        if name == "changes":
            columns = (dice.randrange(COLUMNS) for _ in range(size))
            numbers = [dice.choice((column, ~column)) for column in columns]
        else:
            numbers = [dice.randrange(1 - most[name], most[name]) for _ in range(size)]
        if name == "boards":  # some of the first row are like those of the second
            for i in range(WORDS):
                numbers[i] = numbers[WORDS + i] ^ dice.choice((0, 0, 1 << dice.randrange(62)))
        getattr(compiled.record, name)[:] = numbers
        getattr(plain.record, name)[:] = numbers
    return compiled, plain


def contents(record: SimpleNamespace) -> list[list[int]]:
    return [[int(number) for number in getattr(record, name)] for name, *_ in FIELDS.fields]


@pytest.mark.parametrize("which", range(5))
def test_words(which: int) -> None:
    game = plywise.load("connect_four")
    function = compile(use_words, game.position, FIELDS, {})
    for seed in range(20):
        compiled, plain = memories(seed)
        chosen = random.Random(seed).choice((-1, 0b101100111))
        found = function(game.start(), compiled, which, chosen, 0)
        assert found == use_words(game.start(), plain.record, which, chosen, 0)
        assert contents(compiled.record) == contents(plain.record)


@pytest.mark.parametrize("which", range(2))
@pytest.mark.parametrize("size", [LANES, 2 * LANES, LONGEST])
def test_rows_of_sums(which: int, size: int) -> None:
    game = plywise.load("connect_four")
    function = compile(use_rows, game.position, FIELDS, {})
    for count in range(COLUMNS):
        compiled, plain = memories(count)
        found = function(game.start(), compiled, which, size, count)
        assert found == use_rows(game.start(), plain.record, which, size, count)
        assert contents(compiled.record) == contents(plain.record)


@inline
def twice(x: int) -> int:
    return 2 * x


def use_twice(position: Any, memory: Any, x: int, y: int, spare: int) -> int:
    return twice(x) + y


def test_what_is_marked_as_inline_is_other_code_with_the_same_result() -> None:
    game = plywise.load("connect_four")
    memory = ThreadState(FIELDS, native=True)
    assert compile(use_twice, game.position, FIELDS, {})(game.start(), memory, 20, 2, 0) == 42
    marked = NativeSpecialiser(use_twice, game.position, {}).tag
    del twice.inline  # type: ignore[attr-defined]
    try:
        assert NativeSpecialiser(use_twice, game.position, {}).tag != marked
    finally:
        inline(twice)
