"""Sets of cells (`core/wide_bits.py`) in compiled code: operators and methods are those of the classes."""

import inspect
import operator
from collections.abc import Callable
from typing import Any

from numba import int64, types
from numba.extending import overload

from plywise.core.wide_bits import WIDE
from plywise.native.linking import CALLED_ONLY
from plywise.native.own_methods import add_method

OPERATORS: dict[str, Callable[..., Any]] = {
    "__and__": operator.and_,
    "__or__": operator.or_,
    "__xor__": operator.xor,
    "__invert__": operator.invert,
    "__lshift__": operator.lshift,
    "__rshift__": operator.rshift,
}
METHODS = ("is_empty", "size", "first", "rest", "has", "add", "remove")


def cells_type(cls: type) -> Any:
    """The type of a set of cells in compiled code."""
    return types.NamedUniTuple(int64, len(cls._fields), cls)  # type: ignore[attr-defined]


def _resolver(name: str) -> Callable[..., Any]:
    """Finds the method of that name, if the value is a set of cells."""

    def resolve(self: Any, *args: Any) -> Any:
        cls = getattr(self, "instance_class", None)
        return getattr(cls, name) if cls in WIDE else None

    resolve.__signature__ = inspect.signature(getattr(WIDE[0], name))  # type: ignore[attr-defined]
    return resolve


for _name, _operation in OPERATORS.items():
    overload(_operation, strict=False, jit_options=CALLED_ONLY)(_resolver(_name))
for _name in METHODS:
    add_method(_name, _resolver(_name))
