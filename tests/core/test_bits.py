"""Words behave as 64-bit machine words do."""

from hypothesis import given
from hypothesis import strategies as st

from plywise.core import bits

WORDS = st.integers(-(1 << 63), (1 << 63) - 1)
SHIFTS = st.integers(0, 63)


def unsigned(x: int) -> int:
    return x % (1 << 64)


@given(st.integers(-(1 << 80), 1 << 80))
def test_wrap_keeps_the_low_64_bits(x: int) -> None:
    assert unsigned(bits.wrap(x)) == unsigned(x)
    assert -(1 << 63) <= bits.wrap(x) < 1 << 63


@given(WORDS, SHIFTS)
def test_shifts_drop_what_leaves_the_word(x: int, n: int) -> None:
    assert unsigned(bits.left(x, n)) == unsigned(unsigned(x) << n)
    assert unsigned(bits.right(x, n)) == unsigned(x) >> n


@given(WORDS)
def test_bits_are_counted_and_found(x: int) -> None:
    digits = bin(unsigned(x))[2:][::-1]
    assert bits.popcount(x) == digits.count("1")
    assert bits.bits(x) == [i for i, digit in enumerate(digits) if digit == "1"]
    if x != 0:
        assert bits.first(x) == digits.index("1")
        assert bits.last(x) == len(digits) - 1
        assert bits.rest(x) == bits.wrap(unsigned(x) & ~(1 << bits.first(x)))


@given(WORDS)
def test_swap_reverses_the_bytes(x: int) -> None:
    assert unsigned(bits.swap(x)) == int.from_bytes(unsigned(x).to_bytes(8, "big"), "little")


def test_keys_are_the_same_everywhere_and_all_different() -> None:
    keys = bits.keys(7, 1000)
    assert len(set(keys)) == 1000
    assert list(bits.keys(7, 3)) == list(keys[:3])
    assert bits.keys(8, 3)[0] != keys[0]
    # Written down once: a change would silently make all stored keys worthless.
    assert keys[0] == bits.mix(bits.mix(0x506C79, 7), 1)
