"""Numba's lowering without reference counts for what is never counted, and passes left out that find nothing.

Words, positions and records hold no counted memory. Numba ends the life of each of their variables all the
same, takes every position apart to look for counts in it, and looks for array expressions and closures in
functions that have none. All of it rests on private parts of Numba: `tests/native/test_quick_lowering.py`
compares with the original. It holds within `quick_front_end` alone.
"""

import functools
from types import ModuleType
from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import callconv, errors, ir, ir_utils, lowering, typeinfer, untyped_passes, utils
from numba.core.callconv import CPUCallConv
from numba.core.inline_closurecall import InlineClosureCallPass
from numba.core.postproc import PostProcessor
from numba.core.runtime.context import NRTContext
from numba.core.typed_passes import IRLegalization, NopythonRewrites
from numba.core.typing import context
from numba.core.unsafe import eh
from numba.stencils.stencil import StencilFunc, stencil

ARRAY_OPERATIONS = ("unary", "binop", "inplace_binop", "call", "arrayexpr")
INLINED_CALLS = (functools.reduce, stencil)

_errors: Any = errors  # with its private names
_plain_meminfos = NRTContext.get_meminfos
_plain_legalize = IRLegalization.run_pass
_plain_store = lowering.Lower.storevar
_plain_rewrites = NopythonRewrites.run_pass
_plain_closures = InlineClosureCallPass.run
_plain_setup = lowering.BaseLower.setup_function
_plain_pass_on = CPUCallConv.return_status_propagate
_plain_order = utils.order_by_target_specificity


class Counts:
    """Which types hold memory whose references are counted."""

    def __init__(self) -> None:
        self._known: dict[Any, bool] = {}

    def holds(self, target: Any, kind: Any) -> bool:
        """Whether a value of this type can hold counted memory. An array in a record is a part of it."""
        known = self._known.get(kind)
        if known is None:
            nested = isinstance(kind, types.NestedArray)
            known = not nested and target.data_model_manager[kind].contains_nrt_meminfo()
            self._known[kind] = known
        return known

    def get_meminfos(self, runtime: Any, builder: Any, kind: Any, value: Any) -> Any:
        """`NRTContext.get_meminfos`: a value that holds nothing is not taken apart."""
        if not self.holds(runtime._context, kind):
            return []
        return _plain_meminfos(runtime, builder, kind, value)

    def legalize(self, legalization: Any, state: Any) -> bool:
        """`IRLegalization.run_pass`: only the lives of variables that hold counted memory have an end."""
        code, target = state.func_ir, state.targetctx
        if code.is_generator or state.flags.debuginfo:
            return bool(_plain_legalize(legalization, state))
        counted = {name for name, kind in state.typemap.items() if self.holds(target, kind)}
        if counted:
            _plain_legalize(legalization, state)
            for block in code.blocks.values():
                block.body = [
                    each for each in block.body if not isinstance(each, ir.Del) or each.value in counted
                ]
        else:
            ir_utils.enforce_no_phis(code)
            ir_utils.enforce_no_dels(code)
            PostProcessor(code).run()
        return True

    def store(self, lower: Any, value: Any, name: str, argidx: Any = None) -> None:
        """`Lower.storevar`: the old value is not read to be given back if nothing is counted."""
        kind = lower.typeof(name)
        if argidx is not None or lower._disable_sroa_like_opt or self.holds(lower.context, kind):
            _plain_store(lower, value, name, argidx)
        elif name in lower._singly_assigned_vars:
            lower._blk_local_varmap[name] = value
        else:
            lower._alloca_var(name, kind)
            place = lower.getvar(name)
            assert value.type == place.type.pointee
            lower.builder.store(value, place)

    def changes(self) -> list[tuple[Any, str, Any]]:
        """The parts of Numba that are replaced, each with its owner and its name."""
        return [
            (NRTContext, "get_meminfos", lambda *args: self.get_meminfos(*args)),
            (IRLegalization, "run_pass", lambda *args: self.legalize(*args)),
            (lowering.Lower, "storevar", lambda *args, **more: self.store(*args, **more)),
        ]


class LazyStatus:
    """`callconv.Status`: what a call said; the questions that nobody asks cost no instructions."""

    def __init__(self, builder: Any, code: Any, place: Any) -> None:
        self._builder, self.code, self._place = builder, code, place

    def _is(self, code: Any, operation: str = "==") -> Any:
        return self._builder.icmp_signed(operation, self.code, code)

    @property
    def is_none(self) -> Any:
        return self._is(callconv.RETCODE_NONE)

    @property
    def is_ok(self) -> Any:
        return self._builder.or_(self._is(callconv.RETCODE_OK), self.is_none)

    @property
    def is_error(self) -> Any:
        return self._builder.not_(self.is_ok)

    @property
    def is_python_exc(self) -> Any:
        return self._is(callconv.RETCODE_EXC)

    @property
    def is_stop_iteration(self) -> Any:
        return self._is(callconv.RETCODE_STOPIT)

    @property
    def is_user_exc(self) -> Any:
        return self._is(callconv.RETCODE_USEREXC, ">=")

    @property
    def excinfoptr(self) -> Any:
        nothing = llvm.Constant(callconv.excinfo_ptr_t, llvm.Undefined)
        return self._builder.select(self.is_user_exc, self._place, nothing)


def return_status(convention: Any, builder: Any, code: Any, place: Any) -> LazyStatus:
    """`CPUCallConv._get_return_status`, asked later."""
    return LazyStatus(builder, code, place)


def set_up_function(lower: Any, description: Any) -> None:
    """`BaseLower.setup_function`: it notes whether the function can catch exceptions."""
    _plain_setup(lower, description)
    lower.function.without_try = not any(
        isinstance(each.value, ir.Global | ir.FreeVar) and each.value.value is eh.mark_try_block
        for block in lower.func_ir.blocks.values()
        for each in block.find_insts(ir.Assign)
    )


def pass_on_error(convention: Any, builder: Any, status: Any) -> None:
    """`CPUCallConv.return_status_propagate`: who catches nothing does not ask whether it does."""
    if getattr(builder.function, "without_try", False):
        builder.store(status.excinfoptr, convention._get_excinfo_argument(builder.function))
        convention._return_errcode_raw(builder, status.code)
    else:
        _plain_pass_on(convention, builder, status)


class TemplateOrder:
    """`utils.order_by_target_specificity`: the same templates have the same order each time."""

    def __init__(self) -> None:
        self._known: dict[Any, list[Any]] = {}

    def __call__(self, target: Any, templates: Any, fnkey: Any = "") -> list[Any]:
        key = target, tuple(templates)
        if key not in self._known:
            self._known[key] = _plain_order(target, list(key[1]), fnkey)
        return list(self._known[key])


def rewrite_arrays(rewrites: Any, state: Any) -> bool:
    """`NopythonRewrites.run_pass`: for functions that compute arrays or index by texts."""
    typemap = state.typemap
    if any(isinstance(kind, types.StringLiteral) for kind in typemap.values()):
        return bool(_plain_rewrites(rewrites, state))
    for block in state.func_ir.blocks.values():
        for each in block.find_insts(ir.Assign):
            value = each.value
            if (
                isinstance(value, ir.Expr)
                and value.op in ARRAY_OPERATIONS
                and isinstance(typemap.get(each.target.name), types.Array | types.List)
            ):
                return bool(_plain_rewrites(rewrites, state))
    return True


def inline_closures(inlining: Any) -> None:
    """`InlineClosureCallPass.run`: for functions with closures, lists or calls that it inlines."""
    for block in inlining.func_ir.blocks.values():
        for each in block.find_insts(ir.Assign):
            value = each.value
            if isinstance(value, ir.Expr):
                found = value.op in ("make_function", "build_list")
            else:
                found = isinstance(value, ir.Global | ir.FreeVar) and _may_be_inlined(value.value)
            if found:
                _plain_closures(inlining)
                return


def _may_be_inlined(value: Any) -> bool:
    """A function whose calls are inlined, or a module through which it may be called."""
    if isinstance(value, StencilFunc) or any(value is each for each in INLINED_CALLS):
        return True
    return isinstance(value, ModuleType) and value.__name__.split(".")[0] in ("functools", "numba")


def define_variables(blocks: dict[Any, Any]) -> None:
    """`untyped_passes.fixup_var_define_in_scope`: each scope once, not each block."""
    used = {
        variable: None for block in blocks.values() for each in block.body for variable in each.list_vars()
    }
    for scope in {id(block.scope): block.scope for block in blocks.values()}.values():
        known = scope.localvars
        for variable in used:
            if variable.name not in known:
                known.define(variable.name, variable)


class ErrorContext:
    """`errors.new_error_context`: it says where an error came from, and costs little where there is none."""

    __slots__ = ("args", "format", "more")

    def __init__(self, format: str, *args: Any, **more: Any) -> None:
        self.format, self.args, self.more = format, args, more
        place = more.get("loc")
        if place is not None and not place.filename.startswith(_errors._numba_path):
            _errors.loc_info.update(more)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, errors.NumbaError):
            error.add_context(_errors._format_msg(self.format, self.args, self.more))


def quick_changes() -> list[tuple[Any, str, Any]]:
    """All parts of Numba that are replaced here."""
    order = TemplateOrder()
    return [
        *Counts().changes(),
        (CPUCallConv, "_get_return_status", return_status),
        (CPUCallConv, "return_status_propagate", pass_on_error),
        (lowering.BaseLower, "setup_function", set_up_function),
        *((each, "order_by_target_specificity", order) for each in (utils, context)),
        (NopythonRewrites, "run_pass", rewrite_arrays),
        (InlineClosureCallPass, "run", inline_closures),
        (untyped_passes, "fixup_var_define_in_scope", define_variables),
        *((each, "new_error_context", ErrorContext) for each in (errors, lowering, typeinfer)),
    ]
