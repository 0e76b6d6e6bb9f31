"""One function of the search, compiled for one game.

Functions marked @compiled become dispatchers, tables become arrays, layouts become record types and
the game's class becomes a class of its own. Compiled code calls rules as methods, which are resolved
by that class, so that one source of the search serves every game.
"""

import inspect
import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import int64, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typeinfer import TypeInferer

import plywise.native.bits
import plywise.native.calls
import plywise.native.constructors
import plywise.native.indexing
import plywise.native.monotonic
import plywise.native.vectors  # noqa: F401  (they register what compiled code calls)
from plywise.core.bits import Table
from plywise.core.layout import Layout, at
from plywise.core.rules import RULES
from plywise.core.specialise import Changes, Specialiser
from plywise.core.wide_position import wide_fields
from plywise.native.diagnose import diagnose
from plywise.native.digest import digest
from plywise.native.disk_cache import DiskCache
from plywise.native.front_end import quick_front_end
from plywise.native.linking import CALLED_ONLY, link_late
from plywise.native.own_methods import add_method, make_replace
from plywise.native.prebuilt import Platform, find_file
from plywise.native.wide_bits import cells_type

_lock = threading.RLock()


class NativeSpecialiser(Specialiser):
    """A function and a game as compiled code sees them."""

    def __init__(self, function: FunctionType, cls: type, changes: Changes, *also: Any) -> None:
        super().__init__(changes)
        self.cls = cls
        self._made_from = [function, cls, *also]
        self.tag = self.tag_for(None)
        name = f"{cls.__name__}_{self.tag}"
        self.position_class = type(name, (cls,), {"__slots__": (), "specialiser": self})
        self.replace = make_replace(self.position_class)

    def tag_for(self, platform: Platform | None) -> str:
        """The digest of all that the function is made from, for code that runs there; None is here."""
        return digest(self._made_from, self, platform)

    def open_cache(self) -> DiskCache:
        """Where the compiled code is kept, or came with the package."""
        return DiskCache(self.tag, lambda: find_file(self.tag_for))

    def value(self, name: str, value: Any) -> Any:
        value = super().value(name, value)
        if value is self.cls:
            return self.position_class
        if isinstance(value, Table):
            return np.array(value, np.int64)
        if isinstance(value, Layout):
            return np.dtype(list(value.fields))
        return value

    def make(self, function: FunctionType) -> Any:
        return jit(self.copy(function), forceinline=hasattr(function, "inline"), **CALLED_ONLY)

    def copy(self, function: FunctionType) -> FunctionType:
        """Symbols carry the digest: two cached specialisations must never share a name."""
        result = super().copy(function)
        result.__qualname__ = f"{function.__qualname__}_{self.tag}"
        return result

    @property
    def field_types(self) -> list[Any]:
        """The types of a position's fields: words, and sets of cells."""
        wide = wide_fields(self.cls)
        return [cells_type(wide[name]) if name in wide else int64 for name in self.cls._fields]  # type: ignore[attr-defined]

    @property
    def word_tuple(self) -> Any:
        """The type of a position as a plain tuple."""
        return types.BaseTuple.from_types(self.field_types)

    @property
    def position_type(self) -> Any:
        """The type of a position."""
        return types.BaseTuple.from_types(self.field_types, self.position_class)


def jit(function: FunctionType, **options: Any) -> Any:
    """Numba's jit with one signature a function: a literal argument is just a number.

    Numba would compile alphabeta(..., True) and alphabeta(..., False) apart, and a recursion through
    both crashes when it comes from the cache (numba issue 6061).
    """
    result = numba.njit(nogil=True, **options)(function)
    fold = result._compiler.fold_argument_types

    def fold_without_literals(args: Any, kws: Any) -> Any:
        signature, args = fold(args, kws)
        return signature, tuple(map(types.unliteral, args))

    result._compiler.fold_argument_types = fold_without_literals
    return result


def _return_types(self: Any) -> Any:
    """A recursive function that is annotated to return an int does so.

    Numba would infer the whole function anew at each recursive call; half the compile time.
    """
    function = self.func_id.func
    if hasattr(function, "compiled") and function.__annotations__.get("return") in (int, "int"):
        return int64
    return _inferred_return_types(self)


_inferred_return_types = TypeInferer.return_types_from_partial
TypeInferer.return_types_from_partial = _return_types


def _resolver(name: str, rule: FunctionType) -> Callable[..., Any]:
    def resolve(self: Any, *args: Any) -> Any:
        cls = self.instance_class
        return cls.specialiser.copy(getattr(cls, name)) if hasattr(cls, "specialiser") else None

    resolve.__signature__ = inspect.signature(rule)  # type: ignore[attr-defined]
    return resolve


for _name, _rule in RULES.items():
    add_method(_name, _resolver(_name, _rule))


def _entry(words: Any, address: Any, a: Any, b: Any, c: Any) -> Any:
    """The cached function. It takes plain words: a pickle cannot find a class of __main__ again."""
    return FUNCTION(POSITION(*words), at(address, THREAD, 0), a, b, c)  # type: ignore[name-defined] # noqa: F821


class NativeFunction:
    """A compiled function of (position, thread state, a, b, c) for one game."""

    def __init__(self, function: FunctionType, cls: type, layout: Layout, changes: Changes) -> None:
        self.specialiser = NativeSpecialiser(function, cls, changes, layout)
        namespace = {
            "__name__": __name__,
            "POSITION": self.specialiser.position_class,
            "FUNCTION": jit(self.specialiser.copy(function), inline="always"),
            "THREAD": np.dtype(list(layout.fields)),
            "at": at,
        }
        entry = FunctionType(_entry.__code__, namespace)
        entry.__qualname__ = f"{cls.__name__}_{function.__name__}_{self.specialiser.tag}"
        self.disk_cache = self.specialiser.open_cache()
        self.dispatcher = jit(entry, no_cfunc_wrapper=True)
        self.dispatcher._cache = self.disk_cache
        try:
            with global_compiler_lock, quick_front_end(), link_late():
                self.dispatcher.compile((self.specialiser.word_tuple, int64, int64, int64, int64))
        except Exception as error:  # Numba fails in many ways besides its own errors
            raise diagnose(error, self.specialiser, layout) from None
        finally:
            self.disk_cache.close()

    def __call__(self, position: Any, thread: Any, a: int, b: int, c: int) -> int:
        """Run it; the caller keeps the thread state alive."""
        return int(self.dispatcher(tuple(position), thread.address, a, b, c))

    @property
    def cached(self) -> bool:
        """The code came from the disk."""
        return self.disk_cache.loaded

    @property
    def prebuilt(self) -> bool:
        """The code came with the package."""
        return self.disk_cache.prebuilt is not None

    @property
    def bytes(self) -> int:
        """How big its file is; 0 if it could not be kept."""
        try:
            return (self.disk_cache.prebuilt or self.disk_cache.path).stat().st_size
        except OSError:
            return 0


_functions: dict[Any, NativeFunction] = {}


def compile(function: Callable[..., int], cls: type, layout: Layout, changes: Changes) -> NativeFunction:
    """The function for this game as machine code; BadGame says what cannot be compiled."""
    assert isinstance(function, FunctionType)
    key = function, cls, layout.fields, tuple(sorted((name, id(new)) for name, (_, new) in changes.items()))
    with _lock:
        if key not in _functions:
            _functions[key] = NativeFunction(function, cls, layout, changes)
        return _functions[key]


def is_cached(function: Callable[..., int], cls: type, layout: Layout, changes: Changes) -> bool:
    """Whether the compile cache, or the package itself, has this function for this game."""
    assert isinstance(function, FunctionType)
    return NativeSpecialiser(function, cls, changes, layout).open_cache().has_file()
