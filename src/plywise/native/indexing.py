"""Arrays of records, without the test whether an index counts from the end.

Python's lists and Numba's arrays take a negative index from the end. The functions of this package never do
so with an array of a record, such as the moves of a thread state; Numba tests for it all the same. In the
loops of move ordering these tests are half of the instructions. An index without a sign needs no test.
Functions of authors, and constant tables, keep Python's meaning.
"""

from typing import Any

from numba import types
from numba.np import arrayobj

OWN_FUNCTIONS = "_ZN7plywise"  # how Numba writes the names of functions of this package


def _basic_indexing(
    context: Any, builder: Any, array: Any, value: Any, index_types: Any, indices: Any, **options: Any
) -> Any:
    """Numba's indexing; where it is known that no index is negative, as if they had no sign."""
    if isinstance(array, types.NestedArray) and builder.function.name.startswith(OWN_FUNCTIONS):
        index_types = tuple(types.uintp if kind == types.intp else kind for kind in index_types)
    return _numba_basic_indexing(context, builder, array, value, index_types, indices, **options)


_numba_basic_indexing = arrayobj.basic_indexing
arrayobj.basic_indexing = _basic_indexing
