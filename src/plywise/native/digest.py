"""A name for all the code and all the constants that a compiled function is made from.

Numba itself looks only at the file of the function it caches and would silently serve stale code
after an edit anywhere else. This digest is the cache file's name and a part of every symbol.
"""

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba

from plywise.core import wide_bits
from plywise.core.bits import Table
from plywise.core.layout import Layout
from plywise.core.presentation import HOOKS
from plywise.core.rules import RULES
from plywise.core.specialise import Specialiser
from plywise.native.own_methods import own_functions
from plywise.native.prebuilt import Platform, host_platform


def digest(things: Iterable[Any], specialiser: Specialiser, platform: Platform | None = None) -> str:
    """The digest of functions, classes and constants, and of everything they can reach.

    `platform` says where the code is to run; usually here.
    """
    reader = _Digester(specialiser)
    reader.put(
        host_platform() if platform is None else platform,
        numba.__version__,
        llvmlite.__version__,
        numba.config.BOUNDSCHECK,
        numba.config.OPT,
        *(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))),
        Path(wide_bits.__file__).read_bytes(),  # its operators are called by no name
    )
    for thing in things:
        reader.add(thing)
    return reader.hash.hexdigest()[:20]


def rules_digest(position: type) -> str:
    """The digest of a game's rules: its position's code, and all that this can reach, in whatever file."""
    reader = _Digester(Specialiser({}))
    reader.put(sys.version_info[:2])  # which has bytecode of its own
    reader.add(position)
    return reader.hash.hexdigest()[:20]


class _Digester:
    def __init__(self, specialiser: Specialiser) -> None:
        self.specialiser, self.hash = specialiser, hashlib.sha256()
        self.seen: set[int] = set()

    def put(self, *parts: Any) -> None:
        self.hash.update(repr(parts).encode())

    def add(self, value: Any) -> None:
        if isinstance(value, Table):
            self.put("table", hashlib.sha256(repr(list(value)).encode()).hexdigest())
        elif isinstance(value, Layout):
            self.put("layout", value.fields)
        elif isinstance(value, tuple | list):
            self.put(type(value).__name__, len(value))
            for part in value:
                self.add(part)
        elif isinstance(value, bool | int | float | str | bytes | type(None)):
            self.put(type(value).__name__, value)
        elif id(value) in self.seen:
            self.put("again", getattr(value, "__qualname__", ""))
        elif isinstance(value, FunctionType):
            self.seen.add(id(value))
            # The module's name too: loaded code looks for its modules by name.
            self.put("function", value.__module__, value.__qualname__, value.__defaults__)
            self.put(hasattr(value, "inline"))
            for cell in value.__closure__ or ():
                self.add(cell.cell_contents)
            self.add_code(value.__code__, value.__globals__)
        elif isinstance(value, type) and hasattr(value, "_fields"):
            self.seen.add(id(value))
            self.put("class", value.__qualname__, value._fields)
            for name in RULES:
                self.add(getattr(value, name, None))
            for name, function in own_functions(value).items():
                if name not in HOOKS:  # no rule calls those
                    self.add(function)
        elif isinstance(value, ModuleType):
            self.put("module", value.__name__)
        elif hasattr(value, "tobytes") and hasattr(value, "dtype"):
            self.put("array", str(value.dtype), hashlib.sha256(value.tobytes()).hexdigest())
        else:
            self.put("other", type(value).__qualname__, getattr(value, "__qualname__", ""))

    def add_code(self, code: CodeType, names: dict[str, Any]) -> None:
        self.put(code.co_code, code.co_varnames, code.co_names, code.co_argcount)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.add_code(constant, names)
            elif isinstance(constant, frozenset):
                self.put("set", sorted(map(repr, constant)))
            else:
                self.add(constant)
        for name in code.co_names:
            if name in names:
                self.put(name)
                self.add(self.specialiser.substitute(name, names[name]))
