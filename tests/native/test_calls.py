"""Calls between compiled functions, as native/calls.py writes them."""

import re

import pytest

from plywise.native.compiler import jit


@jit
def fibonacci(n: int) -> int:
    if n == 13:
        raise ValueError("thirteen")
    return n if n < 2 else int(fibonacci(n - 1) + fibonacci(n - 2))


def test_a_function_begins_without_writing_for_calls_that_it_may_not_make() -> None:
    assert fibonacci(12) == 144
    (text,) = fibonacci.inspect_llvm().values()
    first_block = re.search(r"^define [^\n]*fibonacci[^\n]*\{\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    assert first_block and "alloca" in first_block[1] and "store" not in first_block[1]


def test_an_error_comes_through_calls() -> None:
    with pytest.raises(ValueError, match="thirteen"):
        fibonacci(20)
