"""Positions read from their `repr`, for games that define no text of their own: `Sticks(left=7, turn=1)`.

Nothing is evaluated: the text must be the class's name with literal values of the kinds that the start has.
"""

import ast
from typing import TYPE_CHECKING, Any

from plywise.core.presentation import find_hook

if TYPE_CHECKING:
    from plywise.core.game import Game


def read_repr(game: "Game", text: str) -> Any:
    """The author's position that a text writes as Python would; ValueError says why it is none."""
    start = game.unwrap(game.start())
    fields = getattr(start, "_fields", None) or list(getattr(start, "__dataclass_fields__", ()))
    name, bracket, _ = repr(start).partition("(")
    if find_hook(game.author, "text") is not None or not fields or not bracket:
        raise ValueError(
            f"{game.name} reads only 'start', with 'moves ...' behind it; its author can define parse(),"
            " which reads what text() writes"
        )
    values = _read_call(text, name, fields)
    for field, value in values.items():
        usual = getattr(start, field)
        if type(value) is not type(usual):
            raise ValueError(f"{field} is {value!r}, and should be like {usual!r}")
    if values.get("turn", 0) not in (0, 1):
        raise ValueError(f"turn is {values['turn']!r}, and should be 0 or 1")
    return game.author(**values)


def _read_call(text: str, name: str, fields: Any) -> dict[str, Any]:
    """The values by field of `Name(field=value, ...)`."""
    example = f"{name}({', '.join(f'{field}=...' for field in fields)})"
    wrong = ValueError(f"a position is written like {example}, or 'start', with 'moves ...' behind it")
    if not text.startswith(f"{name}("):
        raise wrong
    try:
        call = ast.parse("Position" + text.removeprefix(name), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise wrong
        values = dict(zip(fields, map(ast.literal_eval, call.args), strict=False))
        values |= {str(part.arg): ast.literal_eval(part.value) for part in call.keywords}
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise wrong from None
    if len(call.args) > len(fields) or not set(values) <= set(fields):
        raise wrong
    return values
