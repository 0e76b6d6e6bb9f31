"""Calls from one compiled function to another, without the zeros that Numba writes for them.

Every call has two places on the stack, for the result and for the error. Numba fills all of them with zeros
where the calling function begins, also for calls that are not made: in the search seventy words a node,
some hundredths of its time. Nothing reads such a place before the call has written it.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.callconv import CPUCallConv


def _allocate(builder: Any, ty: Any, size: Any = None, name: str = "", zfill: bool = False) -> Any:
    """A place on the stack of the current function, not written yet."""
    if isinstance(size, int):
        size = ir.Constant(cgutils.intp_t, size)
    with builder.goto_entry_block():
        place = builder.alloca(ty, size=size, name=name)
    if zfill:
        builder.store(ty(None), place)
    return place


def _call_function(self: Any, builder: Any, *args: Any, **options: Any) -> Any:
    """What Numba does for a call, with `_allocate` in place of its own function."""
    cgutils.alloca_once = _allocate
    try:
        return _numba_call_function(self, builder, *args, **options)
    finally:
        cgutils.alloca_once = _numba_alloca_once


_numba_alloca_once = cgutils.alloca_once
_numba_call_function = CPUCallConv.call_function
CPUCallConv.call_function = _call_function
