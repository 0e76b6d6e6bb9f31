"""Names that the documents of 0.1.0 import: still found, with a DeprecationWarning.

The package has none of the old modules as files; a finder that Python asks last makes them from the table.
"""

import importlib
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

# Old modules: where their names are now, and what those are called that have other names.
MODULES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "plywise.core.words": (("plywise.core.bits", "plywise.core.compiled", "plywise.core.layout"), {}),
    "plywise.play.records": (("plywise.play.game_text",), {"staged": "state_from_history"}),
    "plywise.play.stage": (
        ("plywise.play.state", "plywise.core.wording"),
        {"Stage": "GameState", "begin": "start_game", "rebuild": "restore_game", "spoken": "line_labels"},
    ),
    "plywise.play.strength": (
        ("plywise.play.elo",),
        {
            "STRONGEST": "MAX_ELO",
            "WEAKEST": "MIN_ELO",
            "of_elo": "level_of_elo",
            "of_skill": "level_of_skill",
        },
    ),
    "plywise.web.serving": (("plywise.web.server",), {"open_house": "open_hub"}),
}
# Packages whose public names changed: the old ones, and what they are called now.
NAMES: dict[str, dict[str, str]] = {
    "plywise.arena": {
        "Control": "TimeControl",
        "Here": "InProcess",
        "Rules": "AdjudicationRules",
        "Standing": "Tally",
        "Writer": "GameWriter",
        "begin": "create_journal",
    },
    "plywise.explain": {
        "Compared": "Comparison",
        "Opened": "PrunedMoveResult",
        "Place": "LessonNode",
        "Skipped": "PrunedMove",
        "Step": "LessonStep",
        "Turning": "TurningPoint",
        "Yardstick": "TreeSizes",
        "answer": "explanation_data",
        "explained": "explain_result",
        "opened": "search_pruned_move",
        "sentences": "explanation_sentences",
        "skipped": "pruned_moves",
        "with_why_not": "add_why_not",
        "yardstick": "tree_sizes",
    },
}


def old_names(package: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package: its old public names."""

    def find(name: str) -> Any:
        if name not in NAMES[package]:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        new = NAMES[package][name]
        _warn(f"{package}.{name}", f"{package}.{new}")
        return getattr(sys.modules[package], new)

    return find


class OldModules:
    """Finds the modules of the table, where no file has the name, and makes them."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, OldModules) if name in MODULES else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType | None:
        return None

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        places, names = MODULES[module.__name__]
        _warn(module.__name__, places[0])
        found = [importlib.import_module(place) for place in places]

        def find(name: str) -> Any:
            for place in found:
                if hasattr(place, names.get(name, name)):
                    return getattr(place, names.get(name, name))
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

        module.__getattr__ = find  # type: ignore[method-assign]


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=3)


def install() -> None:
    """Let Python find the old modules."""
    if OldModules not in sys.meta_path:
        sys.meta_path.append(OldModules)
