"""The mark of functions that are compiled with the rules that call them."""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Mark a function that compiled rules may call. It stays an ordinary function."""
    function.compiled = True  # type: ignore[attr-defined]
    return function


def inline(function: F) -> F:
    """Mark a function like `compiled`; compiled code has its instructions where it is called.

    For small parts of one function: what one part has just written, the next one has in a register.
    """
    function.inline = True  # type: ignore[attr-defined]
    return compiled(function)
