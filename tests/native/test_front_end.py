"""The quick front end gives what Numba's own gives."""

import gc
import re
from contextlib import nullcontext
from typing import Any

import numba
import pytest
from numba.core import ir, ssa, types
from numba.core.compiler import Flags, run_frontend
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig

from plywise.native import front_end
from plywise.native.front_end import quick_front_end
from tests.native import test_quick_lowering as lowering


def busy(n: int, most: int) -> int:
    """Loops, branches and variables that are set in several places."""
    total, step = 0, 1
    for i in range(n):
        if i & 1:
            step = total if total < most else i
        elif i > 7 and total % 3 == 0:
            total -= step
            continue
        while step > 100:
            step >>= 2
        total += step * (i // 2) + (total ^ i)
    return total + step


def blocks_of(function: Any) -> Any:
    return run_frontend(function).blocks


def text_of(blocks: Any) -> list[str]:
    return [str(statement) for _, block in sorted(blocks.items()) for statement in block.body]


def test_the_variables_of_every_instruction_are_the_same() -> None:
    for block in blocks_of(busy).values():
        for statement in block.body:
            expected = ir.Inst._rec_list_vars(statement, vars(statement))
            assert front_end.list_variables(statement, vars(statement)) == expected
    name = ir.Var(None, "x", ir.unknown_loc)
    parts = [name, (name, [3, name]), {"a": {"b": name}}, "no", name]
    plain = ir.Inst()
    assert front_end.list_variables(plain, parts) == ir.Inst._rec_list_vars(plain, parts) == [name] * 5
    assert front_end.list_variables(plain, name) == [name]
    assert front_end.list_variables(plain, 7) == []


def test_single_assignment_gives_the_same_code() -> None:
    rewrite = ssa._run_block_rewrite
    expected = text_of(ssa._run_ssa(blocks_of(busy)))
    assert any("phi" in line for line in expected)
    assert text_of(front_end.reconstruct_ssa(blocks_of(busy))) == expected
    assert ssa._run_block_rewrite is rewrite


def test_options_are_equal_and_hashed_as_before() -> None:
    plain, nopython, explicit = Flags(), Flags(), Flags()
    nopython.enable_pyobject = True
    explicit.enable_pyobject = False  # set to what it is anyway
    every = [plain, nopython, explicit]
    for one in every:
        assert front_end.hash_options(one) == TargetConfig.__hash__(one)
        for other in every:
            assert front_end.equal_options(one, other) == TargetConfig.__eq__(one, other)
    assert front_end.equal_options(plain, explicit)
    assert not front_end.equal_options(plain, nopython)


def test_variables_live_and_end_in_the_same_places() -> None:
    plain, quick = run_frontend(busy), run_frontend(busy)
    PostProcessor(plain).run(emit_dels=True)
    front_end.post_process(PostProcessor(quick), emit_dels=True)
    assert text_of(quick.blocks) == text_of(plain.blocks)
    assert quick.variable_lifetime.livemap == plain.variable_lifetime.livemap


def test_an_operator_on_numbers_is_typed_once_and_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    context = cpu_target.typing_context
    context.refresh()
    function = context.resolve_value_type(front_end.operator.floordiv)
    kinds = [types.int64, types.int32, types.uint64, types.boolean, types.literal(3), types.literal(True)]
    quick = front_end.OperatorTypes().method()
    for a in kinds:
        for b in kinds:
            assert quick(function, context, (a, b), {}) == function.get_call_type(context, (a, b), {})
    monkeypatch.setattr(front_end, "_plain_call_type", None)  # nothing is asked a second time
    assert quick(function, context, (types.int64, types.int64), {}).return_type == types.int64


def rename_values(function: str) -> str:
    """LLVM code whose values are named in order: their own numbers depend on what was left out since."""
    names: dict[str, str] = {}
    return re.sub(r"%[\w.]+", lambda found: names.setdefault(found[0], f"%{len(names)}"), function)


def test_a_function_is_lowered_to_the_same_code() -> None:
    def code() -> str:
        dispatcher = numba.njit(busy)
        dispatcher.compile((types.int64, types.int64))
        (text,) = dispatcher.inspect_llvm().values()
        text = re.sub(r"v\d+", "v", text)  # each compilation has its number
        return "".join(map(rename_values, re.split(r"(?=^define )", text, flags=re.MULTILINE)))

    expected = code()
    with global_compiler_lock, quick_front_end():
        assert code() == expected


def test_what_is_compiled_is_given_at_once() -> None:
    dispatcher, kinds = numba.njit(busy), (types.int64, types.int64)
    with global_compiler_lock, quick_front_end():
        first = dispatcher.compile(kinds)
    signature = types.int64(*kinds)
    assert front_end.compile_once(dispatcher, kinds) == Dispatcher.compile(dispatcher, kinds) == first
    assert front_end.compile_once(dispatcher, signature) == Dispatcher.compile(dispatcher, signature) == first
    assert list(dispatcher.overloads) == [kinds]
    assert front_end.compile_once(dispatcher, (types.int32, types.int32)) != first, "others are compiled"


def test_without_timers_nothing_but_the_times_is_missing() -> None:
    def metadata(quick: bool) -> dict[str, Any]:
        dispatcher = numba.njit(busy)
        with global_compiler_lock, quick_front_end() if quick else nullcontext():
            dispatcher.compile((types.int64, types.int64))
        (result,) = dispatcher.overloads.values()
        return dict(result.metadata)

    plain, quick = metadata(False), metadata(True)
    assert plain.keys() - quick.keys() <= {"timers"} and quick.keys() <= plain.keys()
    assert not quick.get("timers")


def changes() -> list[tuple[Any, str, Any]]:
    return front_end.list_changes()


def test_all_is_as_it_was_afterwards() -> None:
    before = [vars(owner)[name] for owner, name, _ in changes()]
    with global_compiler_lock, quick_front_end():
        assert not gc.isenabled()
        within = [vars(owner)[name] for owner, name, _ in changes()]
        assert all(new is not old for new, old in zip(within, before, strict=True))
    assert [vars(owner)[name] for owner, name, _ in changes()] == before
    assert gc.isenabled()


# Every private part of Numba that is replaced, and the test that compares it with the original.
COMPARED = {
    ("Inst", "_rec_list_vars"): test_the_variables_of_every_instruction_are_the_same,
    ("TargetConfig", "__hash__"): test_options_are_equal_and_hashed_as_before,
    ("TargetConfig", "__eq__"): test_options_are_equal_and_hashed_as_before,
    ("PostProcessor", "run"): test_variables_live_and_end_in_the_same_places,
    ("numba.core.ssa", "_run_ssa"): test_single_assignment_gives_the_same_code,
    ("BaseFunction", "get_call_type"): test_an_operator_on_numbers_is_typed_once_and_as_before,
    ("Dispatcher", "compile"): test_what_is_compiled_is_given_at_once,
    ("numba.core.event", "install_timer"): test_without_timers_nothing_but_the_times_is_missing,
    ("NRTContext", "get_meminfos"): lowering.test_arrays_are_counted_and_given_back_as_before,
    ("IRLegalization", "run_pass"): lowering.test_arrays_are_counted_and_given_back_as_before,
    ("Lower", "storevar"): lowering.test_a_function_of_positions_is_shorter_and_gives_the_same,
    ("CPUCallConv", "_get_return_status"): lowering.test_a_status_asks_what_numba_asks,
    ("CPUCallConv", "return_status_propagate"): lowering.test_exceptions_are_caught_and_passed_on,
    ("BaseLower", "setup_function"): lowering.test_exceptions_are_caught_and_passed_on,
    ("numba.core.utils", "order_by_target_specificity"): lowering.test_templates_have_the_same_order,
    ("numba.core.typing.context", "order_by_target_specificity"): lowering.test_templates_have_the_same_order,
    ("NopythonRewrites", "run_pass"): lowering.test_arrays_are_rewritten_where_there_are_any,
    ("InlineClosureCallPass", "run"): lowering.test_closures_and_reductions_are_still_inlined,
    (
        "numba.core.untyped_passes",
        "fixup_var_define_in_scope",
    ): lowering.test_variables_are_defined_in_every_scope,
    ("numba.core.errors", "new_error_context"): lowering.test_an_error_says_where_it_came_from,
    ("numba.core.lowering", "new_error_context"): lowering.test_an_error_says_where_it_came_from,
    ("numba.core.typeinfer", "new_error_context"): lowering.test_an_error_says_where_it_came_from,
}


def test_every_part_that_is_replaced_is_compared_with_the_original() -> None:
    assert {(owner.__name__, name) for owner, name, _ in changes()} == COMPARED.keys()
