"""Each function of `core/vectors.py` as vector instructions."""

from collections.abc import Callable
from functools import partial
from typing import Any

from llvmlite import ir
from numba import int64, types, void
from numba.core import cgutils
from numba.extending import intrinsic
from numba.extending import overload as numba_overload
from numba.np.arrayobj import make_array

from plywise.core import vectors
from plywise.core.vectors import LANES, WORD_LANES
from plywise.native.linking import CALLED_ONLY

SHORT, WIDE, WORD = ir.IntType(16), ir.IntType(32), ir.IntType(64)
WORDS = ir.VectorType(WORD, WORD_LANES)
MANY = 2 * LANES  # numbers of a row that are changed together, if the row has as many

overload = partial(numba_overload, jit_options=CALLED_ONLY)


def _row(lanes: int) -> Any:
    return ir.VectorType(SHORT, lanes)


def _place(context: Any, builder: Any, kind: Any, array: Any, i: Any, row: Any) -> Any:
    """Where a vector of an array's numbers begins."""
    data = make_array(kind)(context, builder, array).data
    address = builder.add(builder.ptrtoint(data, WORD), builder.mul(i, WORD(kind.dtype.bitwidth // 8)))
    return builder.inttoptr(address, row.as_pointer())


def _load(context: Any, builder: Any, kind: Any, array: Any, i: Any, row: Any) -> Any:
    place = _place(context, builder, kind, array, i, row)
    return builder.load(place, align=kind.dtype.bitwidth // 8)


def _store(context: Any, builder: Any, kind: Any, array: Any, i: Any, value: Any) -> None:
    place = _place(context, builder, kind, array, i, value.type)
    builder.store(value, place, align=kind.dtype.bitwidth // 8)


def _spread(builder: Any, number: Any, lanes: int) -> Any:
    """A vector of one number."""
    kind, first = ir.VectorType(number.type, lanes), ir.IntType(32)(0)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), number, first)
    mask = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), mask)


def _add_up(builder: Any, vector: Any) -> Any:
    """The sum of a vector's numbers."""
    kind = vector.type
    name = f"llvm.vector.reduce.add.v{kind.count}{kind.element}"
    function = ir.FunctionType(kind.element, [kind])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, name), [vector])


# --- words ----------------------------------------------------------------------------------------
@intrinsic
def store_words(context: Any, target: Any, i: Any, words: Any, chosen: Any) -> tuple[Any, Callable[..., Any]]:
    """Write a tuple by whole vectors: single words that are read by vectors soon would be waited for."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        numbers = [
            context.cast(builder, builder.extract_value(args[2], k), kind, int64)
            for k, kind in enumerate(words)
        ]
        for start in range(0, len(numbers), WORD_LANES):
            row = ir.Constant(WORDS, [0] * WORD_LANES)
            for k, number in enumerate(numbers[start : start + WORD_LANES]):
                bit = builder.and_(builder.lshr(args[3], WORD(start + k)), WORD(1))
                number = builder.select(builder.trunc(bit, ir.IntType(1)), number, WORD(0))
                row = builder.insert_element(row, number, ir.IntType(32)(k))
            _store(context, builder, target, args[0], builder.add(args[1], WORD(start)), row)
        return context.get_dummy_value()

    return void(target, int64, words, int64), generate


@overload(vectors.put_words)
def _put_words(target: Any, i: Any, words: Any, chosen: Any) -> Any:
    if not isinstance(words, types.BaseTuple):
        return None

    def run(target: Any, i: Any, words: Any, chosen: Any) -> None:
        store_words(target, i, words, chosen)

    return run


def _vector_pair(combine: Callable[[Any, Any, Any], Any]) -> Any:
    """An instruction that makes one word of two vectors of words."""

    @intrinsic
    def result(context: Any, words: Any, i: Any, others: Any, j: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            one = _load(context, builder, words, args[0], args[1], WORDS)
            other = _load(context, builder, others, args[2], args[3], WORDS)
            return combine(builder, one, other)

        return int64(words, int64, others, int64), generate

    return result


def _set_bits(builder: Any, words: Any) -> Any:
    """How many bits of a vector are set."""
    function = builder.module.declare_intrinsic(
        f"llvm.ctpop.v{WORD_LANES}i64", [], ir.FunctionType(WORDS, [WORDS])
    )
    return _add_up(builder, builder.call(function, [words]))


def _unequal(builder: Any, one: Any, other: Any) -> Any:
    flags = builder.icmp_signed("!=", one, other)
    return builder.zext(builder.bitcast(flags, ir.IntType(WORD_LANES)), WORD)


set_bits = _vector_pair(lambda builder, one, other: _set_bits(builder, one))
unequal_bits = _vector_pair(lambda builder, one, other: _set_bits(builder, builder.xor(one, other)))
unequal = _vector_pair(_unequal)


@intrinsic
def move_words(context: Any, target: Any, i: Any, source: Any, j: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = _load(context, builder, source, args[2], args[3], WORDS)
        _store(context, builder, target, args[0], args[1], row)
        return context.get_dummy_value()

    return void(target, int64, source, int64), generate


@overload(vectors.copy_words)
def _copy_words(target: Any, i: Any, source: Any, j: Any, size: Any) -> Any:
    def run(target: Any, i: Any, source: Any, j: Any, size: Any) -> None:
        for k in range(0, size, WORD_LANES):
            move_words(target, i + k, source, j + k)

    return run


@overload(vectors.count_bits)
def _count_bits(words: Any, i: Any, size: Any) -> Any:
    def run(words: Any, i: Any, size: Any) -> int:
        total = 0
        for k in range(0, size, WORD_LANES):
            total += set_bits(words, i + k, words, i + k)
        return total

    return run


@overload(vectors.count_unequal_bits)
def _count_unequal_bits(words: Any, i: Any, others: Any, j: Any, size: Any) -> Any:
    def run(words: Any, i: Any, others: Any, j: Any, size: Any) -> int:
        total = 0
        for k in range(0, size, WORD_LANES):
            total += unequal_bits(words, i + k, others, j + k)
        return total

    return run


@overload(vectors.unequal_words)
def _unequal_words(words: Any, i: Any, others: Any, j: Any, size: Any) -> Any:
    def run(words: Any, i: Any, others: Any, j: Any, size: Any) -> int:
        result = 0
        for k in range(0, size, WORD_LANES):
            result |= unequal(words, i + k, others, j + k) << k
        return result

    return run


# --- sums -----------------------------------------------------------------------------------------
def _change(lanes: int) -> Any:
    """An instruction that changes `lanes` numbers of two rows, and keeps them in registers meanwhile."""
    row = _row(lanes)

    @intrinsic
    def result(
        context: Any,
        target: Any,
        i: Any,
        source: Any,
        j: Any,
        columns: Any,
        changes: Any,
        count: Any,
        size: Any,
        k: Any,
    ) -> tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            count, size, k = args[6:]
            offsets = k, builder.add(k, size)
            entries = make_array(changes)(context, builder, args[5]).data
            sums = [cgutils.alloca_once(builder, row) for _ in range(2)]
            for number, offset in zip(sums, offsets, strict=True):
                place = builder.add(args[3], offset)
                builder.store(_load(context, builder, source, args[2], place, row), number)
            with cgutils.for_range(builder, count, intp=WORD) as loop:
                pair = builder.shl(loop.index, WORD(1))
                for view, number in enumerate(sums):
                    entry = builder.gep(entries, [builder.add(pair, WORD(view))])
                    change = builder.sext(builder.load(entry), WORD)
                    gone = builder.ashr(change, WORD(63))  # 0, or -1 where the column is subtracted
                    place = builder.add(builder.mul(builder.xor(change, gone), size), k)
                    column = _load(context, builder, columns, args[4], place, row)
                    mask = _spread(builder, builder.trunc(gone, SHORT), lanes)
                    column = builder.sub(builder.xor(column, mask), mask)
                    builder.store(builder.add(builder.load(number), column), number)
                last = builder.basic_block
            _keep_rolled(builder.module, last)
            for number, offset in zip(sums, offsets, strict=True):
                place = builder.add(args[1], offset)
                _store(context, builder, target, args[0], place, builder.load(number))
            return context.get_dummy_value()

        return void(target, int64, source, int64, columns, changes, int64, int64, int64), generate

    return result


def _keep_rolled(module: Any, block: Any) -> None:
    """Let the loop that ends with a block be: few columns change at a time."""
    disable = module.add_metadata([ir.MetaDataString(module, "llvm.loop.unroll.disable")])
    name = ir.MDValue(module, [disable], str(len(module.metadata)))
    name.operands = (name, disable)  # LLVM tells loops apart by nodes that name themselves
    block.terminator.set_metadata("llvm.loop", name)


change_lanes, change_many = _change(LANES), _change(MANY)


@overload(vectors.change_rows)
def _change_rows(
    target: Any, i: Any, source: Any, j: Any, columns: Any, changes: Any, count: Any, size: Any
) -> Any:
    def run(
        target: Any, i: Any, source: Any, j: Any, columns: Any, changes: Any, count: Any, size: Any
    ) -> None:
        for k in range(0, size - size % MANY, MANY):
            change_many(target, i, source, j, columns, changes, count, size, k)
        if size % MANY != 0:
            change_lanes(target, i, source, j, columns, changes, count, size, size - LANES)

    return run


@intrinsic
def dot_lanes(
    context: Any, sums: Any, i: Any, j: Any, bias: Any, weights: Any, start: Any, size: Any, top: Any
) -> tuple[Any, Callable[..., Any]]:
    """The clipped squares of `size` sums from i on, and from j on, times their weights, added up."""
    row, wide = _row(LANES), ir.VectorType(WIDE, LANES)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zero, most = ir.Constant(row, [0] * LANES), _spread(builder, builder.trunc(args[7], SHORT), LANES)
        total = cgutils.alloca_once_value(builder, ir.Constant(wide, [0] * LANES))
        with cgutils.for_range_slice(builder, WORD(0), args[6], WORD(LANES), WORD) as (k, _):
            own_bias = _load(context, builder, bias, args[3], k, row)
            for view, place in ((args[1], args[5]), (args[2], builder.add(args[5], args[6]))):
                value = _load(context, builder, sums, args[0], builder.add(view, k), row)
                value = builder.add(value, own_bias)
                value = builder.select(builder.icmp_signed(">", value, zero), value, zero)
                value = builder.select(builder.icmp_signed("<", value, most), value, most)
                weight = _load(context, builder, weights, args[4], builder.add(place, k), row)
                product = builder.sext(builder.mul(value, weight), wide)
                product = builder.mul(product, builder.sext(value, wide))
                builder.store(builder.add(builder.load(total), product), total)
        return builder.sext(_add_up(builder, builder.load(total)), WORD)

    return int64(sums, int64, int64, bias, weights, int64, int64, int64), generate


@overload(vectors.dot_clipped_squares)
def _dot_clipped_squares(
    sums: Any, i: Any, j: Any, bias: Any, weights: Any, start: Any, size: Any, top: Any
) -> Any:
    def run(sums: Any, i: Any, j: Any, bias: Any, weights: Any, start: Any, size: Any, top: Any) -> int:
        return dot_lanes(sums, i, j, bias, weights, start, size, top)

    return run
