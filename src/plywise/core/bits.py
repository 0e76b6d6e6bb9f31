"""64-bit words as signed integers, and constant tables of them.

Nothing here needs Numba. Interpreted, a word is a Python int that these helpers keep within 64
bits; compiled, it is an int64 and each helper is one machine instruction (`native/bits.py`).
Rules test words with `!= 0`, never with `> 0`: the top bit is the sign.
"""

from collections.abc import Iterable, Sequence

from plywise.core.compiled import compiled

_SPAN = 1 << 64
_SIGN = 1 << 63
_MASK = _SPAN - 1


class Table(list[int]):
    """Constant words of the rules: a list to Python, a frozen array to compiled code."""

    def __init__(self, values: Iterable[int]) -> None:
        super().__init__(wrap(value) for value in values)


def wrap(x: int) -> int:
    """x as a signed 64-bit word."""
    return ((x + _SIGN) & _MASK) - _SIGN


def popcount(x: int) -> int:
    """How many bits are set."""
    return (x & _MASK).bit_count()


def first(x: int) -> int:
    """Index of the lowest set bit; x must not be 0."""
    return (x & -x).bit_length() - 1


def last(x: int) -> int:
    """Index of the highest set bit; x must not be 0."""
    return (x & _MASK).bit_length() - 1


def rest(x: int) -> int:
    """x without its lowest set bit."""
    return x & (x - 1) if x != -_SIGN else 0


def left(x: int, n: int) -> int:
    """x shifted left by n, bits beyond the word dropped; 0 <= n < 64."""
    return wrap(x << n)


def right(x: int, n: int) -> int:
    """x shifted right by n with zeros coming in at the top; 0 <= n < 64."""
    return (x & _MASK) >> n if n else wrap(x)


def swap(x: int) -> int:
    """The eight bytes in reverse order: a board of eight rows upside down."""
    return wrap(int.from_bytes((x & _MASK).to_bytes(8, "little"), "big"))


def opaque(x: int) -> int:
    """x itself; the compiler is not told what it is made of."""
    return x


@compiled
def mix(key: int, word: int) -> int:
    """A key that depends on every bit of another key and a word (a multiply-xorshift step)."""
    # LLVM 22 gets the product wrong for some sums of bits that it knows: every position had one key.
    x = wrap(opaque(key ^ word) * -7046029254386353131)
    x ^= right(x, 32)
    x = wrap(x * -4658895280553007687)
    return x ^ right(x, 29)


def keys(seed: int, count: int) -> Table:
    """`count` words that look random and are the same everywhere: Zobrist keys."""
    result, state = [], mix(0x506C79, seed)
    for i in range(count):
        state = mix(state, i + 1)
        result.append(state)
    return Table(result)


def bits(x: int) -> Sequence[int]:
    """The indices of the set bits, lowest first; for text and tests, not for compiled rules."""
    return [i for i in range(64) if x >> i & 1]
