"""Numba's front end without what it does again and again: the same code in less time.

Each change gives what Numba's own way gives; it only asks less often. All of them rest on private parts of
Numba, so `tests/native/test_front_end.py` compares each with the original. They hold within
`quick_front_end` alone, under Numba's lock: other users of Numba in this process do not see them.
"""

import gc
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from numba.core import event, ir, ssa, transforms, types
from numba.core.dispatcher import Dispatcher
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction

from plywise.native.quick_lowering import quick_changes

OPERATORS = {each for each in vars(operator).values() if callable(each)}
NUMBERS = (types.Integer, types.Boolean, types.IntegerLiteral, types.BooleanLiteral)


def list_variables(instruction: Any, value: Any) -> list[Any]:
    """`Inst._rec_list_vars`: the variables in a part of an instruction, without a call for each part."""
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, list | tuple):
        parts = list(value)
    else:
        parts = [value]
    found: list[Any] = []
    for part in parts:
        if isinstance(part, ir.Var):
            found.append(part)
        elif isinstance(part, ir.Inst):
            found += part.list_vars()
        elif isinstance(part, list | tuple | dict):
            found += list_variables(instruction, part)
    return found


def hash_options(options: Any) -> int:
    """`TargetConfig.__hash__`: it depends on the names of the options alone, so on the class."""
    kind = type(options)
    if kind not in _hashes:
        _hashes[kind] = _plain_hash(options)
    return _hashes[kind]


_plain_hash, _plain_equal = TargetConfig.__hash__, TargetConfig.__eq__
_hashes: dict[type, int] = {}


def equal_options(options: Any, other: Any) -> bool:
    """`TargetConfig.__eq__`: only options that are set on one side can differ."""
    if type(options) is not type(other):
        return bool(_plain_equal(options, other))
    if options._values == other._values:
        return True
    names = options._values.keys() | other._values.keys()
    return all(getattr(options, name) == getattr(other, name) for name in names)


def post_process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """`PostProcessor.run`: what lives where is found out when somebody asks."""
    code = self.func_ir
    if code.is_generator:
        _plain_post_process(self, emit_dels, extend_lifetimes)
        return
    code.blocks = transforms.canonicalize_cfg(code.blocks)
    code.variable_lifetime = VariableLifetime(code.blocks)
    code.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


_plain_post_process = PostProcessor.run


class BlockRewriter:
    """`ssa._run_block_rewrite`: a block that does not name the variable stays as it is."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[Any, set[str]]] = {}  # of a block's body, which is kept alive here

    def __call__(self, blocks: dict[Any, Any], states: dict[str, Any], handler: Any) -> dict[Any, Any]:
        result = {}
        for label, block in blocks.items():
            new = result[label] = ir.Block(scope=block.scope, loc=block.loc)
            if states["varname"] not in self._names_in(block.body):
                new.body = block.body
                continue
            states["label"], states["block"] = label, block
            new.body = [
                handler.on_assign(states, each)
                if isinstance(each, ir.Assign)
                else handler.on_other(states, each)
                for each in block.body
            ]
        return result

    def _names_in(self, body: list[Any]) -> set[str]:
        known = self._names.get(id(body))
        if known is None:
            names = {variable.name for each in body for variable in each.list_vars()}
            known = self._names[id(body)] = body, names
        return known[1]


def reconstruct_ssa(blocks: Any) -> Any:
    """`ssa._run_ssa` with a rewriter of its own for each function."""
    with replace((ssa, "_run_block_rewrite", BlockRewriter())):
        return _plain_ssa(blocks)


_plain_ssa = ssa._run_ssa


class OperatorTypes:
    """`BaseFunction.get_call_type`: an operator on the same kinds of numbers has the same type each time."""

    def __init__(self) -> None:
        self._signatures: dict[Any, Any] = {}
        self._asked: list[Any] = []  # kept alive: they are known by their ids

    def method(self) -> Callable[..., Any]:
        def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
            plain = not kws and function.typing_key in OPERATORS and all(isinstance(a, NUMBERS) for a in args)
            if not plain:
                return _plain_call_type(function, context, args, kws)
            key = id(function), tuple(args)
            if key not in self._signatures:
                self._signatures[key] = _plain_call_type(function, context, args, kws)
                self._asked.append(function)
            return self._signatures[key]

        return get_call_type


_plain_call_type = BaseFunction.get_call_type


def compile_once(dispatcher: Any, signature: Any) -> Any:
    """`Dispatcher.compile`: what is compiled is given at once."""
    known = dispatcher.overloads.get(signature) if isinstance(signature, tuple) else None
    return known.entry_point if known is not None else _plain_compile(dispatcher, signature)


_plain_compile = Dispatcher.compile


@contextmanager
def replace(*changes: tuple[Any, str, Any]) -> Iterator[None]:
    """Give attributes of objects another value for a while."""
    before = [(owner, name, vars(owner)[name]) for owner, name, _ in changes]
    for owner, name, value in changes:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in before:
            setattr(owner, name, value)


@contextmanager
def pause_collector() -> Iterator[None]:
    """Look for no garbage meanwhile: a compilation keeps nearly all that it makes."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def list_changes() -> list[tuple[Any, str, Any]]:
    """All parts of Numba that are replaced, those of the lowering too: each with its owner and its name."""
    return [
        (ir.Inst, "_rec_list_vars", list_variables),
        (TargetConfig, "__hash__", hash_options),
        (TargetConfig, "__eq__", equal_options),
        (PostProcessor, "run", post_process),
        (ssa, "_run_ssa", reconstruct_ssa),
        (BaseFunction, "get_call_type", OperatorTypes().method()),
        (Dispatcher, "compile", compile_once),
        (event, "install_timer", lambda kind, callback: nullcontext()),
        *quick_changes(),
    ]


@contextmanager
def quick_front_end() -> Iterator[None]:
    """Within it, Numba's front end is quick. Its lock must be held."""
    with pause_collector(), replace(*list_changes()):
        yield
