"""Resources: weights, databases and tables that a search reads by address.

They are not part of the compiled code: other weights, or a database that grew, need no compiling.
Files are replaced by renaming another over them, never written in place, so a mapping keeps its old
contents until `current` is asked again.
"""

import os
from pathlib import Path
from typing import Any, Protocol

from plywise.core.broken_files import read_text_file
from plywise.core.errors import PlywiseError
from plywise.core.layout import Layout
from plywise.core.untrusted import MAX_NUMBER, read_json, shorten


class Resource(Protocol):
    """Data that the searches of a game read, under a name in the thread's memory."""

    name: str

    def current(self) -> tuple[Any, Any]:
        """The array, or None if there is none, and a stamp that changes with it."""
        ...


class BadWeights(PlywiseError):
    """A weights file that cannot be read, or that does not fit its evaluation."""


class Weights:
    """The numbers of an evaluation, in a JSON file: {"unit", "origin", "values": {field: ...}}.

    `layout` says which fields there are and their shapes; all are whole numbers.
    """

    def __init__(self, layout: Layout, path: str | os.PathLike[str]) -> None:
        self.layout, self.path = layout, Path(path)

    def values(self, path: str | os.PathLike[str] | None = None) -> dict[str, Any]:
        """The fields of the file (or of another file for the same evaluation), checked."""
        source = Path(path) if path is not None else self.path
        try:
            values = read_json(read_text_file(source))["values"]
        except OSError as error:
            raise BadWeights(f"weights {source}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError) as error:
            raise BadWeights(f"weights {source}: not JSON with 'values' ({error})") from None
        if not isinstance(values, dict):
            raise BadWeights(f"weights {source}: 'values' is no object with a field for each weight")
        shapes = {field[0]: tuple(field[2]) if len(field) > 2 else () for field in self.layout.fields}
        for name in [*shapes, *values]:
            if name not in values or name not in shapes:
                word = "missing" if name not in values else "unknown"
                names = shorten(", ".join(shapes), 60)
                raise BadWeights(f"weights {source}: field {name!r} is {word}; this evaluation has {names}")
            if _shape(values[name]) != shapes[name]:
                raise BadWeights(
                    f"weights {source}: field {name!r} has shape {_shape(values[name])}"
                    f" and should have {shapes[name]}"
                )
        return {name: values[name] for name in shapes}


def _shape(value: Any) -> tuple[int, ...] | None:
    """The shape of nested lists of whole numbers; None if they are ragged or hold others."""
    if isinstance(value, int) and not isinstance(value, bool):
        return () if -MAX_NUMBER <= value <= MAX_NUMBER else None
    if not isinstance(value, list) or not value:
        return None
    shapes = {_shape(part) for part in value}
    inner = shapes.pop()
    return None if shapes or inner is None else (len(value), *inner)
