"""Positions as their `repr`, for games that define no text of their own: `Sticks(left=7, turn=1)`.

Nothing is evaluated: the text must be the class's name with values of the kinds that the start has, which are
literals, frozen sets and sets of cells.
"""

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plywise.core.presentation import find_hook
from plywise.core.untrusted import shorten
from plywise.core.wide_bits import WIDE

if TYPE_CHECKING:
    from plywise.core.game import Game

MADE_FROM: dict[str, Callable[..., Any]] = {"frozenset": frozenset, **{kind.__name__: kind for kind in WIDE}}


def write_repr(position: Any) -> str:
    """The `repr` of an author's position, with its sets in order: equal positions have one text."""
    written = repr(position)
    for value in [getattr(position, name, None) for name in _fields(position)]:
        if isinstance(value, frozenset) and len(value) > 1:
            written = written.replace(repr(value), _write_set(value))
    return written


def _write_set(values: frozenset[Any]) -> str:
    try:
        return f"frozenset({{{', '.join(map(repr, sorted(values)))}}})"
    except TypeError:  # they have no order of their own
        return f"frozenset({{{', '.join(sorted(map(repr, values)))}}})"


def _fields(position: Any) -> list[str]:
    return list(getattr(position, "_fields", ()) or getattr(position, "__dataclass_fields__", ()))


def read_repr(game: "Game", text: str) -> Any:
    """The author's position that a text writes as Python would; ValueError says why it is none."""
    start = game.unwrap(game.start())
    fields = _fields(start)
    name, bracket, _ = repr(start).partition("(")
    if find_hook(game.author, "text") is not None or not fields or not bracket:
        raise ValueError(
            f"{game.name} reads only 'start', with 'moves ...' behind it; its author can define parse(),"
            " which reads what text() writes"
        )
    values = _read_call(text, name, fields)
    for field, value in values.items():
        usual = getattr(start, field)
        if type(value) is not type(usual) and usual is not None and value is not None:
            raise ValueError(f"{field} is {value!r}, and should be like {usual!r}")
        if game.compiled and not _fits_words(value):
            raise ValueError(f"{field} is {shorten(repr(value), 40)}, and compiled rules have 64 bits for it")
    if values.get("turn", 0) not in (0, 1):
        raise ValueError(f"turn is {values['turn']!r}, and should be 0 or 1")
    return game.author(**values)


def _read_call(text: str, name: str, fields: list[str]) -> dict[str, Any]:
    """The values by field of `Name(field=value, ...)`."""
    example = f"{name}({', '.join(f'{field}=...' for field in fields)})"
    wrong = ValueError(f"a position is written like {example}, or 'start', with 'moves ...' behind it")
    if not text.startswith(f"{name}("):
        raise wrong
    try:
        call = ast.parse("Position" + text.removeprefix(name), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise wrong
        values = dict(zip(fields, map(_read_value, call.args), strict=False))
        values |= {str(part.arg): _read_value(part.value) for part in call.keywords}
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise wrong from None
    if len(call.args) > len(fields) or not set(values) <= set(fields):
        raise wrong
    return values


def _read_value(node: ast.expr) -> Any:
    """A literal, a frozen set, or a set of cells, also inside of tuples."""
    if isinstance(node, ast.Tuple):
        return tuple(map(_read_value, node.elts))
    if not isinstance(node, ast.Call):
        return ast.literal_eval(node)
    if not isinstance(node.func, ast.Name) or node.func.id not in MADE_FROM:
        raise ValueError("it is no literal")
    named = {str(part.arg): _read_word(part.value) for part in node.keywords}
    if node.func.id == "frozenset":
        return frozenset(*map(ast.literal_eval, node.args))
    return MADE_FROM[node.func.id](*map(_read_word, node.args), **named)


def _fits_words(value: Any) -> bool:
    """Whether compiled code has room for each number of a value."""
    if isinstance(value, tuple):
        return all(map(_fits_words, value))
    return not isinstance(value, int) or -(1 << 63) <= value < 1 << 63


def _read_word(node: ast.expr) -> int:
    value = ast.literal_eval(node)
    if type(value) is not int or not -(1 << 63) <= value < 1 << 63:
        raise ValueError("a set of cells is made of 64-bit words")
    return value
