"""The same source over other names: functions copied over copies of their modules' namespaces.

A search with another evaluation, or with the recorder on, is the same code in which some names
mean something else. Nothing is compiled here; `native` walks the same way with dispatchers.
"""

from collections.abc import Mapping
from types import FunctionType
from typing import Any

Changes = Mapping[str, tuple[Any, Any]]


class Specialiser:
    """Copies of functions, of all marked functions that they call, and of their namespaces.

    `changes` maps a name to its old and its new value. It holds wherever the walk meets the name
    with the old value, so a module that imported the name is changed too.
    """

    def __init__(self, changes: Changes) -> None:
        self.changes = changes
        self.namespaces: dict[int, dict[str, Any]] = {}
        self.copies: dict[FunctionType, Any] = {}

    def namespace(self, names: dict[str, Any]) -> dict[str, Any]:
        """The copy of one namespace."""
        if id(names) not in self.namespaces:
            result = self.namespaces[id(names)] = dict(names)
            for name, value in names.items():
                result[name] = self.value(name, value)
        return self.namespaces[id(names)]

    def substitute(self, name: str, value: Any) -> Any:
        """What a name means in this space before anything is copied."""
        if name in self.changes and value is self.changes[name][0]:
            return self.changes[name][1]
        return value

    def value(self, name: str, value: Any) -> Any:
        value = self.substitute(name, value)
        if isinstance(value, FunctionType) and hasattr(value, "compiled"):
            return self.function(value)
        return value

    def function(self, function: FunctionType) -> Any:
        """The one copy of a marked function.

        Its namespace is walked first: a function that calls itself is met there again.
        """
        self.namespace(function.__globals__)
        if function not in self.copies:
            self.copies[function] = self.make(function)
        return self.copies[function]

    def make(self, function: FunctionType) -> Any:
        return self.copy(function)

    def copy(self, function: FunctionType) -> FunctionType:
        result = FunctionType(
            function.__code__,
            self.namespace(function.__globals__),
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        result.__qualname__, result.__module__ = function.__qualname__, function.__module__
        result.__dict__.update(function.__dict__)
        result.__annotations__ = function.__annotations__
        return result
