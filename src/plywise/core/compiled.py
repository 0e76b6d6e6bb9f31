"""The mark of functions that are compiled with the rules that call them."""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Mark a function that compiled rules may call. It stays an ordinary function."""
    function.compiled = True  # type: ignore[attr-defined]
    return function
