"""Each function of `core/vectors.py` as vector instructions on 16-bit numbers."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import int64, void
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array

from plywise.core import vectors
from plywise.core.vectors import LANES

SHORT, WORD = ir.IntType(16), ir.IntType(64)
ROW, WIDE = ir.VectorType(SHORT, LANES), ir.VectorType(ir.IntType(32), LANES)
BYTES = 2  # of a number


def _place(context: Any, builder: Any, kind: Any, array: Any, i: Any) -> Any:
    """Where LANES numbers of an array begin."""
    data = make_array(kind)(context, builder, array).data
    address = builder.add(builder.ptrtoint(data, WORD), builder.mul(i, WORD(BYTES)))
    return builder.inttoptr(address, ROW.as_pointer())


def _load(context: Any, builder: Any, kind: Any, array: Any, i: Any) -> Any:
    return builder.load(_place(context, builder, kind, array, i), align=BYTES)


def _change(operation: str) -> Any:
    """An instruction that changes LANES numbers of the first array by those of the second."""

    @intrinsic
    def result(context: Any, target: Any, i: Any, source: Any, j: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            row = _load(context, builder, source, args[2], args[3])
            place = _place(context, builder, target, args[0], args[1])
            if operation != "copy":
                row = getattr(builder, operation)(builder.load(place, align=BYTES), row)
            builder.store(row, place, align=BYTES)
            return context.get_dummy_value()

        return void(target, int64, source, int64), generate

    return result


@intrinsic
def dot_lanes(
    context: Any, sums: Any, i: Any, bias: Any, b: Any, weights: Any, j: Any, top: Any
) -> tuple[Any, Callable[..., Any]]:
    """The sum of LANES clipped squares times their weights."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = builder.add(
            _load(context, builder, sums, args[0], args[1]), _load(context, builder, bias, args[2], args[3])
        )
        zero = ir.Constant(ROW, [0] * LANES)
        most = zero
        short = builder.trunc(args[6], SHORT)
        for lane in range(LANES):
            most = builder.insert_element(most, short, ir.IntType(32)(lane))
        value = builder.select(builder.icmp_signed(">", value, zero), value, zero)
        value = builder.select(builder.icmp_signed("<", value, most), value, most)
        product = builder.mul(value, _load(context, builder, weights, args[4], args[5]))
        product = builder.mul(builder.sext(product, WIDE), builder.sext(value, WIDE))
        kind = ir.FunctionType(ir.IntType(32), [WIDE])
        add_up = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.add.v{LANES}i32")
        return builder.sext(builder.call(add_up, [product]), WORD)

    return int64(sums, int64, bias, int64, weights, int64, int64), generate


add_lanes, subtract_lanes, copy_lanes = _change("add"), _change("sub"), _change("copy")


@overload(vectors.add_row)
def _add_row(sums: Any, i: Any, columns: Any, j: Any, size: Any) -> Any:
    def run(sums: Any, i: Any, columns: Any, j: Any, size: Any) -> None:
        for k in range(0, size, LANES):
            add_lanes(sums, i + k, columns, j + k)

    return run


@overload(vectors.subtract_row)
def _subtract_row(sums: Any, i: Any, columns: Any, j: Any, size: Any) -> Any:
    def run(sums: Any, i: Any, columns: Any, j: Any, size: Any) -> None:
        for k in range(0, size, LANES):
            subtract_lanes(sums, i + k, columns, j + k)

    return run


@overload(vectors.copy_row)
def _copy_row(target: Any, i: Any, source: Any, j: Any, size: Any) -> Any:
    def run(target: Any, i: Any, source: Any, j: Any, size: Any) -> None:
        for k in range(0, size, LANES):
            copy_lanes(target, i + k, source, j + k)

    return run


@overload(vectors.dot_clipped_square)
def _dot_clipped_square(sums: Any, i: Any, bias: Any, weights: Any, j: Any, size: Any, top: Any) -> Any:
    def run(sums: Any, i: Any, bias: Any, weights: Any, j: Any, size: Any, top: Any) -> int:
        total = 0
        for k in range(0, size, LANES):
            total += dot_lanes(sums, i + k, bias, k, weights, j + k, top)
        return total

    return run
