"""A rule that Numba cannot compile, reported as one sentence with file, line, reason and cure."""

import builtins
import dis
import os
import re
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import int64, types

from plywise.core.errors import BadGame
from plywise.core.layout import Layout
from plywise.core.rules import RULES

if TYPE_CHECKING:
    from plywise.native.compiler import NativeSpecialiser

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_HASH_OF_NAME = re.compile(r"_[0-9a-f]{20}(?:\([^()]*+\))?")  # behind the name of a class
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Lines of Numba's reports that lead to the reason and are not it.
_NOISE = tuple(
    """Failed in nopython|During:|File |<source|- Resolution|Overload|There are|No implementation of|- Of
    |With argument|Rejected|This error|Known signatures|in function|error rewriting|raised from|def |>>>|^|<
    """.replace("\n    ", "").split("|")
)
# Python's own functions that compiled rules cannot call, and what to write instead.
_INSTEAD = {
    "bin": "popcount(x) counts bits",
    "bytes": "use whole numbers",
    "dict": "use Table([...])",
    "filter": "use a loop",
    "float": "use whole numbers",
    "format": "write texts in text() and move_text()",
    "frozenset": "use the bits of a whole number",
    "hex": "write texts in text() and move_text()",
    "input": "rules ask nobody",
    "int": "it reads no text; write the number itself",
    "list": "use Table([...]) or the bits of a whole number",
    "open": "rules read no files",
    "reversed": "use range(..., -1)",
    "set": "use the bits of a whole number",
    "sorted": "use a loop",
    "str": "write texts in text() and move_text()",
    "sum": "use a loop",
    "tuple": "use the bits of a whole number",
    "zip": "use a loop over range(...)",
}


def diagnose(error: Exception, specialiser: "NativeSpecialiser", layout: Layout) -> BadGame:
    """Compile each rule alone to find the one at fault; the search itself is the last to blame."""
    from plywise.native.compiler import jit

    cls: Any = specialiser.cls
    position = specialiser.position_type
    kinds: dict[str, Any] = {
        "self": position,
        "buffer": types.Array(int64, 1, "C"),
        "memory": _record_type(layout),
        "thread": _record_type(layout),
    }
    suspect: BadGame | None = None
    for name, rule in RULES.items():
        own = getattr(cls, name)
        arguments = [
            kinds["self"] if i == 0 else kinds.get(part, int64)
            for i, part in enumerate(rule.__code__.co_varnames[: rule.__code__.co_argcount])
        ]
        try:
            compiled = jit(specialiser.copy(own))
            compiled.compile(tuple(arguments))
            result = compiled.overloads[tuple(arguments)].signature.return_type
        except Exception as reason:
            if own.__code__ is rule.__code__:
                continue  # the default asks another rule, which is at fault
            return _sentence(reason, own, f"{cls.__name__}.{name}", cls)
        wrong = _wrong_type(name, result, position, cls)
        if wrong and suspect is None:  # to blame only if all rules can be compiled: some uses allow it
            suspect = BadGame(f"{_where(own)}: {cls.__name__}.{name} cannot be compiled: {wrong}")
    return suspect or _sentence(error, cls.moves, cls.__name__, cls)


def _wrong_type(rule: str, result: Any, position: Any, cls: Any) -> str:
    """What is wrong with the type of what a rule returns, if something is."""
    if rule in ("play", "skip"):
        if result == position:
            return ""
        return f"it returns {_plain_type(result)}, and should return a {cls.__name__} of whole numbers"
    if isinstance(result, types.Integer | types.Boolean):
        return ""
    return f"it returns {_plain_type(result)}, and should return a whole number in every case"


def _plain_type(kind: Any) -> str:
    """A type of Numba's in words."""
    if isinstance(kind, types.Optional):
        return f"{_plain_type(kind.type)} or None"
    if isinstance(kind, types.NoneType):
        return "None"
    if isinstance(kind, types.Float):
        return "a fraction"
    if isinstance(kind, types.Integer):
        return "a whole number"
    return "other things"


def _record_type(layout: Layout) -> Any:
    from numba.np import numpy_support

    return numpy_support.from_dtype(np.dtype(list(layout.fields)))


def _where(function: Any) -> str:
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def _sentence(error: Exception, function: Any, rule: str, cls: Any) -> BadGame:
    """Numba's page of text as one sentence: the innermost place in the author's file, and why."""
    text = _COLOUR.sub("", str(error))
    file = function.__code__.co_filename
    # Numba writes paths as they are seen from the working folder.
    places = [int(line) for path, line in _PLACE.findall(text) if os.path.abspath(path) == file]
    line = places[-1] if places else function.__code__.co_firstlineno
    line, cure = _cure(line, function, cls) if places else (line, "")
    if "exception_match" in text:  # how Numba calls an `except` that names an error
        line, cure = _line_of_except(function.__code__, line), "try is not for compiled rules; ask with if"
    lines = [line.strip() for line in text.splitlines()]
    reasons = [line for line in lines if line and not line.startswith(_NOISE)]
    reason = cure or _readable(reasons[0] if reasons else type(error).__name__)
    return BadGame(f"{file}:{line}: {rule} cannot be compiled: {reason}")


def _readable(reason: str) -> str:
    """A reason of Numba's with the class called by its own name."""
    reason = _HASH_OF_NAME.sub("", reason)
    return {"No match.": "this call is none that compiled rules can make"}.get(reason, reason)


# --- cures -------------------------------------------------------------------------------------------
def _cure(line: int, rule: Any, cls: Any) -> tuple[int, str]:
    """What the author should write on a line of a file, by the names that it uses; "" if that is unknown.

    The line is another one where a method that it calls is at fault.
    """
    for function in _functions(rule, cls):
        space = function.__globals__
        for instruction in _instructions(function.__code__, line):
            name = instruction.argval
            if instruction.opname == "LOAD_GLOBAL":
                value = space.get(name, getattr(builtins, name, None))
                if isinstance(value, FunctionType) and not hasattr(value, "compiled"):
                    return line, f"{name}() is an ordinary function; mark it with @compiled (from plywise)"
                if type(value) is list:
                    return line, f"{name} is a list; make it Table([...]) (from plywise)"
                if isinstance(value, dict | set):
                    return line, f"{name} is a {type(value).__name__}; make it Table([...]) (from plywise)"
                if value is getattr(builtins, name, None) and name in _INSTEAD and name not in space:
                    return line, f"{name}() is not for compiled rules; {_INSTEAD[name]}"
            elif instruction.opname in ("LOAD_METHOD", "LOAD_ATTR") and name == "moves":
                return (
                    line,
                    "moves(buffer, n) writes into a buffer of the search; count in a function of your own",
                )
            elif instruction.opname in ("LOAD_METHOD", "LOAD_ATTR"):
                own = vars(cls).get(name)
                if isinstance(own, FunctionType) and name in own.__code__.co_names:
                    cure = f"{name}() calls itself; make it a function of the module marked @compiled"
                    return _line_of(name, own), cure
                if isinstance(own, property):
                    return line, f"{name} is a property; make it a method, and call it"
    return line, ""


def _line_of_except(code: Any, otherwise: int) -> int:
    """The line on which a function catches an error by its name."""
    catches = [one.positions for one in dis.get_instructions(code) if one.opname == "CHECK_EXC_MATCH"]
    return next((use.lineno for use in catches if use and use.lineno), otherwise)


def _line_of(name: str, function: FunctionType) -> int:
    """The line of a function that uses a name."""
    uses = [one.positions for one in dis.get_instructions(function) if one.argval == name]
    return next((use.lineno for use in uses if use and use.lineno), function.__code__.co_firstlineno)


def _functions(rule: Any, cls: Any) -> list[Any]:
    """The functions of the author's in which a line may stand: the rule, other methods, those of the file."""
    methods = [value for value in vars(cls).values() if isinstance(value, FunctionType)]
    others = [value for value in rule.__globals__.values() if isinstance(value, FunctionType)]
    return [rule, *methods, *others]


def _instructions(code: Any, line: int) -> list[Any]:
    """The instructions of a function that stand on a line, those of the functions inside it too."""
    found = [one for one in dis.get_instructions(code) if one.positions and one.positions.lineno == line]
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            found += _instructions(constant, line)
    return found
