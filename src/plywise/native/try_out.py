"""Whether Numba works here: its version, the processor it compiles for, and a small function as a trial."""

from types import FunctionType

import llvmlite
import numba
from numba.core.registry import cpu_target

from plywise.native.compiler import jit


def _sum_of_squares(n: int) -> int:
    total = 0
    for i in range(n):
        total += i * i
    return total


def try_compiling() -> str:
    """Compile a function and run it; what does it. An exception says why that does not work."""
    assert isinstance(_sum_of_squares, FunctionType)
    if jit(_sum_of_squares)(100) != _sum_of_squares(100):
        raise RuntimeError("compiled code gives a wrong result")
    return f"{numba.__version__}, llvmlite {llvmlite.__version__}, compiles for {processor()}"


def processor() -> str:
    """The processor that code is compiled for, as LLVM names it."""
    return str(cpu_target.target_context.codegen()._get_host_cpu_name())
