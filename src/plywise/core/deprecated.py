"""Old public names that still work, with a warning."""

import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any


def deprecated_names(module: str, new_names: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a module: an old name gives what the new name means, with a DeprecationWarning."""

    def find(name: str) -> Any:
        if name not in new_names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        new = new_names[name]
        warnings.warn(f"{module}.{name} is now {module}.{new}", DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], new)

    return find
