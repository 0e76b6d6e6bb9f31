"""Each helper of `core/bits.py` and `core/layout.py` as one machine instruction."""

from collections.abc import Callable
from functools import partial
from typing import Any

from llvmlite import ir
from numba import int64, void
from numba.extending import intrinsic
from numba.extending import overload as numba_overload

from plywise.core import bits, layout
from plywise.native.linking import CALLED_ONLY

WORD, FLAG = ir.IntType(64), ir.IntType(1)
overload = partial(numba_overload, jit_options=CALLED_ONLY)


def instruction(name: str, *flags: int) -> Any:
    """An LLVM intrinsic from one word to one word."""

    @intrinsic
    def result(context: Any, x: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = ir.FunctionType(WORD, [WORD] + [FLAG] * len(flags))
            function = builder.module.declare_intrinsic(name, [WORD], kind)
            return builder.call(function, [args[0]] + [FLAG(flag) for flag in flags])

        return int64(int64), generate

    return result


@intrinsic
def logical_right(context: Any, x: Any, n: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.lshr(*args)

    return int64(int64, int64), generate


@intrinsic
def load_byte(context: Any, address: Any, i: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(builder.add(*args), ir.IntType(8).as_pointer())
        return builder.zext(builder.load(pointer), WORD)

    return int64(int64, int64), generate


@intrinsic
def record_at(context: Any, address: Any, layout: Any, i: Any) -> tuple[Any, Callable[..., Any]]:
    """The record at an address. Compiled code sees a record as a pointer, so the conversion is free."""
    record = layout.dtype

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        step = builder.mul(args[2], args[2].type(record.size))
        return builder.inttoptr(builder.add(args[0], step), context.get_value_type(record))

    return record(int64, layout, int64), generate


@intrinsic
def prefetch(context: Any, address: Any, layout: Any, i: Any) -> tuple[Any, Callable[..., Any]]:
    record = layout.dtype

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        step = builder.mul(args[2], args[2].type(record.size))
        pointer = builder.inttoptr(builder.add(args[0], step), ir.IntType(8).as_pointer())
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, flag, flag, flag])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        builder.call(function, [pointer, flag(0), flag(3), flag(1)])  # to read, to keep, as data
        return context.get_dummy_value()

    return void(int64, layout, int64), generate


@intrinsic
def hide(context: Any, x: Any) -> tuple[Any, Callable[..., Any]]:
    """An empty piece of assembly that gives back its word: it costs nothing and tells nothing."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.asm(ir.FunctionType(WORD, [WORD]), "", "=r,0", [args[0]], False)

    return int64(int64), generate


count_ones = instruction("llvm.ctpop")
trailing_zeros = instruction("llvm.cttz", 1)
leading_zeros = instruction("llvm.ctlz", 1)
byte_swap = instruction("llvm.bswap")

overload(bits.wrap)(lambda x: lambda x: x)
overload(bits.opaque)(lambda x: lambda x: hide(x))
overload(bits.popcount)(lambda x: lambda x: count_ones(x))
overload(bits.first)(lambda x: lambda x: trailing_zeros(x))
overload(bits.last)(lambda x: lambda x: 63 - leading_zeros(x))
overload(bits.rest)(lambda x: lambda x: x & (x - 1))
overload(bits.left)(lambda x, n: lambda x, n: x << n)
overload(bits.right)(lambda x, n: lambda x, n: logical_right(x, n))
overload(bits.swap)(lambda x: lambda x: byte_swap(x))
overload(layout.byte)(lambda data, i: lambda data, i: load_byte(data, i))
overload(layout.at)(lambda data, layout, i: lambda data, layout, i: record_at(data, layout, i))
overload(layout.fetch)(lambda data, layout, i: lambda data, layout, i: prefetch(data, layout, i))
