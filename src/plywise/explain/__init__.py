"""Explain a search: its recorded tree, its counters, and its reasons in words."""

from typing import TYPE_CHECKING

from plywise.core.deprecated import deprecated_names
from plywise.explain.counters import Comparison, Counters, TreeSizes, compare, counters, tree_sizes
from plywise.explain.icicle import Icicle, icicle
from plywise.explain.lesson import Lesson, LessonNode, LessonStep, lesson
from plywise.explain.pruned import PrunedMove, PrunedMoveResult, pruned_moves, search_pruned_move
from plywise.explain.reasons import (
    Alternative,
    Change,
    Explanation,
    TurningPoint,
    WhyNot,
    add_why_not,
    explain,
    explain_result,
    why_not,
)
from plywise.explain.record import BadNode, Iteration, Node, Record, record
from plywise.explain.record_file import BadRecord, load, save
from plywise.explain.wording import explanation_data, explanation_sentences

__all__ = [
    "Alternative",
    "BadNode",
    "BadRecord",
    "Change",
    "Comparison",
    "Counters",
    "Explanation",
    "Icicle",
    "Iteration",
    "Lesson",
    "LessonNode",
    "LessonStep",
    "Node",
    "PrunedMove",
    "PrunedMoveResult",
    "Record",
    "TreeSizes",
    "TurningPoint",
    "WhyNot",
    "add_why_not",
    "compare",
    "counters",
    "explain",
    "explain_result",
    "explanation_data",
    "explanation_sentences",
    "icicle",
    "lesson",
    "load",
    "pruned_moves",
    "record",
    "save",
    "search_pruned_move",
    "tree_sizes",
    "why_not",
]

_NAMES_OF_0_1 = {
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
}

if not TYPE_CHECKING:  # a type checker shall report unknown names
    __getattr__ = deprecated_names(__name__, _NAMES_OF_0_1)
