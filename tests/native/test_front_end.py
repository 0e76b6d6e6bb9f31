"""The quick front end gives what Numba's own gives."""

import gc
import re
from typing import Any

import numba
import pytest
from numba.core import event, ir, ssa, types
from numba.core.compiler import Flags, run_frontend
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction

from plywise.native import front_end
from plywise.native.front_end import quick_front_end

CHANGED = [
    (ir.Inst, "_rec_list_vars"),
    (TargetConfig, "__hash__"),
    (TargetConfig, "__eq__"),
    (PostProcessor, "run"),
    (ssa, "_run_ssa"),
    (BaseFunction, "get_call_type"),
    (Dispatcher, "compile"),
    (event, "install_timer"),
]


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


def test_a_function_is_lowered_to_the_same_code() -> None:
    def code() -> str:
        dispatcher = numba.njit(busy)
        dispatcher.compile((types.int64, types.int64))
        (text,) = dispatcher.inspect_llvm().values()
        return re.sub(r"v\d+", "v", text)  # each compilation has its number

    expected = code()
    with global_compiler_lock, quick_front_end():
        assert code() == expected


def test_all_is_as_it_was_afterwards() -> None:
    before = [vars(owner)[name] for owner, name in CHANGED]
    with global_compiler_lock, quick_front_end():
        assert not gc.isenabled()
        assert all(vars(owner)[name] is not old for (owner, name), old in zip(CHANGED, before, strict=True))
    assert [vars(owner)[name] for owner, name in CHANGED] == before
    assert gc.isenabled()
