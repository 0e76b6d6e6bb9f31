"""Functions over NumPy arrays as machine code, for what is neither rules nor search: fitting weights.

The function itself, run by Python, is the twin. It may call the helpers of `core/bits.py`. Unlike rules, it
may use floating point, whose last digits can differ between the two.
"""

import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numba

import plywise.native.bits  # noqa: F401  (registers the instructions)
from plywise.core.specialise import Specialiser
from plywise.native.digest import digest
from plywise.native.disk_cache import DiskCache

_lock = threading.RLock()
_compiled: dict[Any, Any] = {}


def compile_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as machine code, from the compile cache or compiled at its first call."""
    assert isinstance(function, FunctionType)

    def run(*arguments: Any) -> Any:
        kinds = tuple(numba.typeof(argument) for argument in arguments)
        with _lock:
            if (function, kinds) not in _compiled:
                _compiled[function, kinds] = _compile(function, kinds)
        return _compiled[function, kinds](*arguments)

    return run


def _compile(function: FunctionType, kinds: tuple[Any, ...]) -> Any:
    tag = digest([function, str(kinds)], Specialiser({}))
    own = FunctionType(function.__code__, function.__globals__, function.__name__)
    own.__qualname__ = f"{function.__qualname__}_{tag}"
    result = numba.njit(nogil=True, fastmath=True, error_model="numpy")(own)
    cache = DiskCache(tag)
    result._cache = cache
    try:
        result.compile(kinds)
    finally:
        cache.close()
    return result
