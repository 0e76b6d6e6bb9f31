"""Indices of arrays in records, as native/indexing.py writes them."""

import re
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import plywise
from plywise.native.compiler import jit
from plywise.search import engine, thread_state
from plywise.search.limits import Limits

ROWS = np.zeros(1, [("before", "i8"), ("values", "i8", (4,))])
ROWS["values"] = 1, 2, 3, 4


def value_at(rows: Any, i: int) -> int:
    return int(rows[0].values[i])


def compile_for(module: str) -> Any:
    """The function as if it were written in a module of this name."""
    function = FunctionType(value_at.__code__, {"__name__": module, "int": int}, "value_at")
    function.__module__ = module
    return jit(function)


def count_instructions(dispatcher: Any) -> int:
    """How many instructions of LLVM the function has."""
    (text,) = dispatcher.inspect_llvm().values()
    body = re.search(r"^define [^\n]*@_ZN[^\n]*value_at[^\n]*\{\n(.*?)^}", text, re.MULTILINE | re.DOTALL)
    assert body
    return body[1].count("\n")


def test_an_authors_function_counts_from_the_end_as_python_does() -> None:
    function = compile_for("my_game")
    assert [function(ROWS, i) for i in range(-4, 4)] == [1, 2, 3, 4, 1, 2, 3, 4]


def test_a_function_of_the_package_does_not_test_the_sign_of_an_index() -> None:
    ours, theirs = compile_for("plywise.search.example"), compile_for("my_game")
    assert [ours(ROWS, i) for i in range(4)] == [theirs(ROWS, i) for i in range(4)] == [1, 2, 3, 4]
    assert count_instructions(ours) < count_instructions(theirs)


class NoEnd(list[Any]):
    """A list that counts from its beginning only."""

    def __getitem__(self, i: Any) -> Any:
        assert isinstance(i, slice) or i >= 0
        return super().__getitem__(i)

    def __setitem__(self, i: Any, value: Any) -> None:
        assert isinstance(i, slice) or i >= 0
        super().__setitem__(i, value)


@pytest.mark.parametrize("name", plywise.shipped())
def test_no_function_of_the_package_counts_from_the_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    zeros, weights_record = thread_state._zeros, thread_state.weights_record

    def zeros_without_end(shape: tuple[int, ...]) -> Any:
        values = zeros(shape)
        return NoEnd(values) if isinstance(values, list) else values

    def weights_without_end(*arguments: Any) -> Any:
        (record,) = weights_record(*arguments)
        values = {key: NoEnd(one) if isinstance(one, list) else one for key, one in vars(record).items()}
        return [SimpleNamespace(**values)]

    monkeypatch.setattr(thread_state, "_zeros", zeros_without_end)
    monkeypatch.setattr(engine, "weights_record", weights_without_end)
    searching = plywise.Engine(plywise.load(name), compiled=False)
    for text, _ in searching.game.bench_searches:
        searching.search(searching.game.history(text), Limits(nodes=300))
