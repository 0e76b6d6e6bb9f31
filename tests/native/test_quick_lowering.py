"""Quick lowering gives what Numba's own gives, and leaves out only what finds nothing."""

from functools import reduce
from types import SimpleNamespace
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba import types
from numba.core import callconv, errors, ir, ir_utils, lowering, untyped_passes, utils
from numba.core.compiler import run_frontend
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime import _nrt_python, rtsys
from numba.core.typed_passes import NopythonRewrites
from numba.core.typing.templates import AbstractTemplate

from plywise.native import quick_lowering
from plywise.native.front_end import quick_front_end, replace
from plywise.native.linking import link_late
from plywise.native.quick_lowering import Counts, ErrorContext, TemplateOrder, quick_changes


class Pair(NamedTuple):
    left: int
    right: int


def count_down(pair: Any, n: int) -> Any:
    total = 0
    while n > 0:
        pair = Pair(pair.right + n, pair.left)
        total += pair.left
        n -= 1
    return Pair(total, pair.right)


def fill(n: int) -> int:
    """Arrays that are made and given back on several ways."""
    total = 0
    for i in range(n):
        numbers = np.zeros(1000, np.int64)
        if i % 3 == 0:
            continue
        numbers[i] = i
        doubled = numbers + numbers
        total += doubled[i]
    return total


def catch(n: int) -> int:
    try:
        return refuse(n)
    except Exception:
        return -1


@numba.njit
def refuse(n: int) -> int:
    if n > 3:
        raise ValueError("too many")
    return n


def use_closure(n: int) -> int:
    def twice(x: int) -> int:
        return 2 * x

    return twice(n) + reduce(lambda a, b: a + b, (1, 2, n))


def quick(function: Any, *kinds: Any) -> Any:
    dispatcher = numba.njit(function)
    with global_compiler_lock, quick_front_end(), link_late():
        dispatcher.compile(kinds)
    return dispatcher


def code_of(function: Any, *kinds: Any) -> str:
    """What a function is lowered to, before anything is optimised or linked."""
    with link_late():
        (result,) = quick_or_plain(function, *kinds).overloads.values()
    return str(result.library._final_module)


def quick_or_plain(function: Any, *kinds: Any) -> Any:
    dispatcher = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    dispatcher.compile(kinds)
    return dispatcher


def test_every_part_that_is_replaced_is_there_and_comes_back() -> None:
    changes = quick_changes()
    before = [vars(owner)[name] for owner, name, _ in changes]
    with replace(*changes):
        assert all(vars(owner)[name] is new for owner, name, new in changes)
    assert [vars(owner)[name] for owner, name, _ in changes] == before


def test_words_and_positions_hold_nothing_that_is_counted() -> None:
    counts, context = Counts(), cpu_target.target_context
    pair = types.NamedUniTuple(types.int64, 2, Pair)
    record = numba.from_dtype(np.dtype([("line", np.int64, (4,))]))
    array = types.Array(types.int64, 1, "C")
    for kind in (types.int64, types.boolean, types.none, pair, record, record.typeof("line")):
        assert not counts.holds(context, kind)
    for kind in (array, types.UniTuple(array, 2), types.List(types.int64)):
        assert counts.holds(context, kind)


def test_a_function_of_positions_is_shorter_and_gives_the_same() -> None:
    pair = types.NamedUniTuple(types.int64, 2, Pair)
    with global_compiler_lock:
        plain = code_of(count_down, pair, types.int64)
        with quick_front_end():
            short = code_of(count_down, pair, types.int64)
    assert plain.count("extractvalue") > short.count("extractvalue")
    assert len(short.splitlines()) < 0.9 * len(plain.splitlines())
    result = quick(count_down, pair, types.int64)(Pair(3, 4), 9)
    assert result == count_down(Pair(3, 4), 9)


def test_arrays_are_counted_and_given_back_as_before() -> None:
    filled = quick(fill, types.int64)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    assert filled(100) == fill(100)
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free > 0


def test_exceptions_are_caught_and_passed_on() -> None:
    caught = quick(catch, types.int64)
    assert [caught(n) for n in (2, 5)] == [2, -1]

    def pass_on(n: int) -> int:
        return refuse(n) + 1

    passed = quick(pass_on, types.int64)
    assert passed(2) == 3
    with pytest.raises(ValueError, match="too many"):
        passed(5)


def read_record(records: Any, n: int) -> int:
    return records[n]["score"]  # type: ignore[no-any-return]


def test_arrays_are_rewritten_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Numba's own pass is left out, it would have changed nothing."""
    rewritten: dict[str, bool] = {}

    def run_and_compare(rewrites: Any, state: Any) -> bool:
        code = state.func_ir
        before = [str(each) for _, block in sorted(code.blocks.items()) for each in block.body]
        plain_rewrites(rewrites, state)
        after = [str(each) for _, block in sorted(code.blocks.items()) for each in block.body]
        rewritten[code.func_id.func_name] = before != after
        return True

    plain_rewrites = quick_lowering._plain_rewrites
    record = numba.from_dtype(np.dtype([("score", np.int64)]))
    work: list[tuple[Any, ...]] = [
        (fill, types.int64),
        (read_record, types.Array(record, 1, "C"), types.int64),
        (count_down, types.NamedUniTuple(types.int64, 2, Pair), types.int64),
        (catch, types.int64),
    ]
    monkeypatch.setattr(NopythonRewrites, "run_pass", run_and_compare)
    for function, *kinds in work:
        numba.njit(function).compile(tuple(kinds))
    assert rewritten["fill"] and not rewritten["count_down"] and not rewritten["catch"]
    monkeypatch.undo()
    asked: list[str] = []
    monkeypatch.setattr(
        quick_lowering,
        "_plain_rewrites",
        lambda rewrites, state: (
            asked.append(state.func_ir.func_id.func_name) or plain_rewrites(rewrites, state)
        ),
    )
    for function, *kinds in work:
        quick(function, *kinds)
    assert {name for name, changed in rewritten.items() if changed} <= set(asked)
    assert not {"count_down", "catch"} & set(asked)


def test_closures_and_reductions_are_still_inlined() -> None:
    assert quick(use_closure, types.int64)(5) == use_closure(5)


def test_a_status_asks_what_numba_asks() -> None:
    assert set(callconv.Status._fields) == {
        name for name in dir(quick_lowering.LazyStatus) if not name.startswith("_")
    } | {"code"}


def test_variables_are_defined_in_every_scope() -> None:
    def scopes(define: Any) -> list[set[str]]:
        blocks = run_frontend(fill).blocks
        for block in list(blocks.values())[::2]:
            block.scope = ir.Scope(parent=None, loc=ir.unknown_loc)
        define(blocks)
        return [set(block.scope.localvars._con) for _, block in sorted(blocks.items())]

    assert untyped_passes.fixup_var_define_in_scope is ir_utils.fixup_var_define_in_scope
    assert scopes(quick_lowering.define_variables) == scopes(ir_utils.fixup_var_define_in_scope)


def test_an_error_says_where_it_came_from() -> None:
    def fail(context: Any) -> str:
        place = SimpleNamespace(filename="game.py")
        with pytest.raises(errors.TypingError) as caught, context("typing of {what}", what="x", loc=place):
            raise errors.TypingError("no")
        assert errors.loc_info["what"] == "x"
        return str(caught.value)

    assert fail(ErrorContext) == fail(lowering.new_error_context)
    with pytest.raises(ZeroDivisionError), ErrorContext("other errors are let through"):
        print(1 // 0)


def test_templates_have_the_same_order() -> None:
    from numba.core.target_extension import CPU

    def template(target: str) -> type:
        return type("Template", (AbstractTemplate,), {"metadata": {"target": target}})

    generic, special = template("generic"), template("cpu")

    order = TemplateOrder()
    for templates in ([generic, special], [special, generic], [generic], []):
        for _ in range(2):
            assert order(CPU, templates) == utils.order_by_target_specificity(CPU, templates)
