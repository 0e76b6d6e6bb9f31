"""Open the user's saved games, where the home folder cannot be written to as well."""

import os
import tempfile
from pathlib import Path

from plywise.core.cache_folder import find_problem
from plywise.core.endgame_index import data_folder
from plywise.web.store import FILE_NAME, NotSaved, Store


def open_store() -> Store:
    """The user's saved games. Where the system's place for them cannot be written to, a temporary one.

    A folder that somebody has named is another matter: it must work, or they are told.
    """
    try:
        return Store()
    except NotSaved:
        problem = None if os.environ.get("PLYWISE_DATA") else find_problem(data_folder())
        if problem is None:
            raise  # the folder is not the obstacle
        try:
            store = Store(Path(tempfile.mkdtemp(prefix="plywise-")) / FILE_NAME)
        except (NotSaved, OSError):
            store = None
        if store is None:
            raise
        store.notes.append(
            f"games cannot be kept in {problem}; they are in {store.path.parent} for now, and"
            " $PLYWISE_DATA names a lasting place"
        )
        return store
