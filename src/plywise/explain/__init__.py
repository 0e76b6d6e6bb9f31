"""Explain a search: its recorded tree, its counters, and its reasons in words."""

from typing import TYPE_CHECKING

from plywise.core.renamed import old_names
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
from plywise.explain.why_bad import Continuation, Pieces, WhyBad, why_bad
from plywise.explain.why_bad_wording import why_bad_data, why_bad_sentences
from plywise.explain.wording import explanation_data, explanation_sentences

__all__ = [
    "Alternative",
    "BadNode",
    "BadRecord",
    "Change",
    "Comparison",
    "Continuation",
    "Counters",
    "Explanation",
    "Icicle",
    "Iteration",
    "Lesson",
    "LessonNode",
    "LessonStep",
    "Node",
    "Pieces",
    "PrunedMove",
    "PrunedMoveResult",
    "Record",
    "TreeSizes",
    "TurningPoint",
    "WhyBad",
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
    "why_bad",
    "why_bad_data",
    "why_bad_sentences",
    "why_not",
]

if not TYPE_CHECKING:  # a type checker shall report unknown names
    __getattr__ = old_names(__name__)
