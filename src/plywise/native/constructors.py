"""Calls of a named tuple's class in compiled code: fields that are left out have their defaults.

Numba makes a tuple that lacks such fields, and knows no call that names one field and leaves out an earlier
one.
"""

from typing import Any

from numba import typeof, types
from numba.core import typing
from numba.core.typing.collections import NamedTupleClassAttribute
from numba.core.typing.templates import AbstractTemplate
from numba.core.utils import pysignature


def _resolve_call(self: Any, kind: Any) -> Any:
    """What types the calls of the class."""
    cls = kind.instance_class
    parameters = pysignature(cls)

    class Constructor(AbstractTemplate):  # type: ignore[misc]
        key = types.NamedTupleClass

        def generic(self, args: Any, kws: Any) -> Any:
            given = parameters.bind(*args, **kws).arguments  # a TypeError says what is wrong
            fields = [
                given[name] if name in given else typeof(parameter.default)
                for name, parameter in parameters.parameters.items()
            ]
            made = types.BaseTuple.from_types(fields, cls)
            return typing.signature(made, *fields).replace(pysig=parameters)

    return types.Function(Constructor)


NamedTupleClassAttribute.resolve___call__ = _resolve_call
