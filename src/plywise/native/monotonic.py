"""`core/monotonic.py` in machine code: the clock behind Python's `time.monotonic`, read without Python."""

import sys
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import int64
from numba.core import cgutils
from numba.extending import intrinsic, overload

from plywise.core import monotonic

# The clock of `time.monotonic`: CLOCK_MONOTONIC, on macOS CLOCK_UPTIME_RAW.
CLOCKS = {"linux": 1, "darwin": 8}
NUMBER, WORD = ir.IntType(32), ir.IntType(64)


@intrinsic
def read_clock(context: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        clock = CLOCKS.get(sys.platform)
        if clock is None:
            return WORD(0)
        time = cgutils.alloca_once(builder, ir.ArrayType(WORD, 2))  # seconds and nanoseconds
        kind = ir.FunctionType(NUMBER, [NUMBER, time.type])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(function, [NUMBER(clock), time])
        seconds, rest = (
            builder.load(builder.gep(time, [NUMBER(0), NUMBER(i)], inbounds=True)) for i in range(2)
        )
        return builder.add(builder.mul(seconds, WORD(10**9)), rest)

    return int64(), generate


overload(monotonic.now)(lambda: lambda: read_clock())
