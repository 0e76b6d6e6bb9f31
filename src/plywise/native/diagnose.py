"""A rule that Numba cannot compile, reported as one sentence with file, line and reason."""

import re
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import int64, types

from plywise.core.errors import BadGame
from plywise.core.layout import Layout
from plywise.core.rules import RULES

if TYPE_CHECKING:
    from plywise.native.compiler import NativeSpecialiser

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Lines of Numba's reports that lead to the reason and are not it.
_NOISE = tuple(
    """Failed in nopython|During:|File |<source|- Resolution|Overload|There are|No implementation of|- Of
    |With argument|Rejected|This error|Known signatures|in function|error rewriting|raised from|def |>>>|^|<
    """.replace("\n    ", "").split("|")
)


def diagnose(error: Exception, specialiser: "NativeSpecialiser", layout: Layout) -> BadGame:
    """Compile each rule alone to find the one at fault; the search itself is the last to blame."""
    from plywise.native.compiler import jit

    position = specialiser.position_type
    kinds: dict[str, Any] = {
        "self": position,
        "buffer": types.Array(int64, 1, "C"),
        "memory": _record_type(layout),
        "thread": _record_type(layout),
    }
    for name, rule in RULES.items():
        own = getattr(specialiser.cls, name)
        arguments = [
            kinds["self"] if i == 0 else kinds.get(part, int64)
            for i, part in enumerate(rule.__code__.co_varnames[: rule.__code__.co_argcount])
        ]
        try:
            compiled = jit(specialiser.copy(own))
            compiled.compile(tuple(arguments))
            result = compiled.overloads[tuple(arguments)].signature.return_type
        except Exception as reason:
            return _sentence(reason, own, f"{specialiser.cls.__name__}.{name}")
        if name in ("play", "skip") and result != position:
            return BadGame(
                f"{_where(own)}: {specialiser.cls.__name__}.{name} cannot be compiled: it returns {result},"
                f" and should return a {specialiser.cls.__name__} of whole numbers"
            )
    return _sentence(error, specialiser.cls.moves, specialiser.cls.__name__)  # type: ignore[attr-defined]


def _record_type(layout: Layout) -> Any:
    from numba.np import numpy_support

    return numpy_support.from_dtype(np.dtype(list(layout.fields)))


def _where(function: Any) -> str:
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def _sentence(error: Exception, function: Any, rule: str) -> BadGame:
    """Numba's page of text as one sentence: the innermost place in the author's file, and why."""
    text = _COLOUR.sub("", str(error))
    file = function.__code__.co_filename
    places = [f"{path}:{line}" for path, line in _PLACE.findall(text) if path == file]
    lines = [line.strip() for line in text.splitlines()]
    reasons = [line for line in lines if line and not line.startswith(_NOISE)]
    reason = reasons[0] if reasons else type(error).__name__
    return BadGame(f"{places[-1] if places else _where(function)}: {rule} cannot be compiled: {reason}")
