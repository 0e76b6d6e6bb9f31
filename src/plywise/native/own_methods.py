"""Methods that an author adds to the positions beside the rules, and `_replace`, in compiled code.

Numba knows the fields of a named tuple only. A method of the author's is compiled as a function that takes
the position first; `_replace` becomes a call of the class with the other fields as they are.
"""

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba import types
from numba.core.errors import TypingError
from numba.core.extending import infer_getattr, register_model
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    _OverloadMethodTemplate,
    make_overload_attribute_template,
)
from numba.extending import overload

from plywise.core.rules import RULES
from plywise.native.linking import CALLED_ONLY


def own_functions(cls: type) -> dict[str, FunctionType]:
    """The functions of an author's class that are no rules: methods and static methods, by name."""
    found: dict[str, FunctionType] = {}
    for base in cls.__mro__:
        for name, value in vars(base).items():
            function = value.__func__ if isinstance(value, staticmethod) else value
            if isinstance(function, FunctionType) and name not in RULES and not name.startswith("_"):
                found.setdefault(name, function)
    return found


class _MethodBesideFields(_OverloadMethodTemplate):  # type: ignore[misc]
    """A method of named tuples; a field of that name comes first."""

    def _resolve(self, kind: Any, name: str) -> Any:
        return None if name in kind.fields else super()._resolve(kind, name)


def add_method(name: str, resolve: Callable[..., Any]) -> None:
    """Give named tuples a method in compiled code; `resolve` finds its function for a type, or None.

    It is `overload_method` of Numba, which would hide the fields of that name that an author's tuple has.
    """
    options = {"strict": False, "jit_options": CALLED_ONLY}
    method = make_overload_attribute_template(
        types.BaseNamedTuple, name, resolve, base=_MethodBesideFields, **options
    )
    infer_getattr(method)
    overload(resolve, **options)(resolve)


@infer_getattr
class PositionAttributes(AttributeTemplate):  # type: ignore[misc]
    """`position.method` and `position._replace`, for the classes of positions alone."""

    key = types.BaseNamedTuple

    def generic_resolve(self, position: Any, name: str) -> Any:
        cls = position.instance_class
        if not hasattr(cls, "specialiser") or name in position.fields or name in RULES:
            return None
        own = inspect.getattr_static(cls, name, None)
        if name == "_replace":
            function = cls.specialiser.replace
        elif isinstance(own, staticmethod):
            function = _without_self(own.__func__)
        elif isinstance(own, property):
            raise TypingError(f"{name} is a property; make it a method, and call it")
        elif isinstance(own, FunctionType):
            function = own
        else:
            return None
        return OwnMethod(_template(cls, name, function), position)


@infer_getattr
class PositionClassAttributes(AttributeTemplate):  # type: ignore[misc]
    """`Position.method` for the static methods of a class of positions."""

    key = types.NamedTupleClass

    def generic_resolve(self, kind: Any, name: str) -> Any:
        cls = kind.instance_class
        own = inspect.getattr_static(cls, name, None)
        if isinstance(own, staticmethod) and hasattr(cls, "specialiser"):
            return types.Dispatcher(cls.specialiser.function(own.__func__))
        return None


@lower_getattr_generic(types.NamedTupleClass)
def _static_method(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    return context.get_dummy_value()


class OwnMethod(types.BoundFunction):  # type: ignore[misc]
    """A method of a position; a call of it is a call of a compiled function that takes the position first."""

    def get_impl_key(self, signature: Any) -> Any:
        return self.template.called.get_overload(signature)


register_model(OwnMethod)(lambda manager, method: manager[method.this])  # as for other methods


def _template(cls: Any, name: str, function: FunctionType) -> type:
    """What types the calls of one method."""

    class Method(AbstractTemplate):  # type: ignore[misc]
        key = (cls, name)
        called = types.Dispatcher(cls.specialiser.function(function))

        def generic(self, args: Any, kws: Any) -> Any:
            if self.called.dispatcher.is_compiling:
                raise TypingError(f"{name}() calls itself; make it a function of the module marked @compiled")
            return self.called.get_call_type(self.context, (self.this, *args), kws).as_method()

    return Method


def make_replace(cls: Any) -> FunctionType:
    """`_replace` of a class of positions: each field is the one given, or as it is."""
    lines = [f"def _replace(self, {', '.join(f'{name}=None' for name in cls._fields)}):"]
    for name in cls._fields:
        lines += [f"    if {name} is None:", f"        {name}_ = self.{name}"]
        lines += ["    else:", f"        {name}_ = {name}"]
    lines.append(f"    return POSITION({', '.join(f'{name}_' for name in cls._fields)})")
    space: dict[str, Any] = {"POSITION": cls, "__name__": __name__}
    exec("\n".join(lines), space)  # the names are those of fields
    return space["_replace"]


def _without_self(function: Any) -> FunctionType:
    """A static method as one that is called of a position."""
    names = list(inspect.signature(function).parameters)
    source = f"def method({', '.join(['self_', *names])}):\n    return FUNCTION({', '.join(names)})"
    function.compiled = True
    space: dict[str, Any] = {"FUNCTION": function, "__name__": function.__module__}
    exec(source, space)  # the names are those of parameters
    return space["method"]
