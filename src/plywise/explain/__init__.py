"""See why: a search laid open as a tree, counted, and told in words."""

from plywise.explain.counting import Compared, Counters, Yardstick, compare, counters, yardstick
from plywise.explain.lesson import Lesson, Place, Step, lesson
from plywise.explain.picture import Icicle, icicle
from plywise.explain.reasons import (
    Alternative,
    Change,
    Explanation,
    Turning,
    WhyNot,
    explain,
    explained,
    why_not,
    with_why_not,
)
from plywise.explain.record import BadNode, Iteration, Node, Record, record
from plywise.explain.sentences import answer, sentences
from plywise.explain.storing import BadRecord, load, save
from plywise.explain.stubs import Opened, Skipped, opened, skipped

__all__ = [
    "Alternative",
    "BadNode",
    "BadRecord",
    "Change",
    "Compared",
    "Counters",
    "Explanation",
    "Icicle",
    "Iteration",
    "Lesson",
    "Node",
    "Opened",
    "Place",
    "Record",
    "Skipped",
    "Step",
    "Turning",
    "WhyNot",
    "Yardstick",
    "answer",
    "compare",
    "counters",
    "explain",
    "explained",
    "icicle",
    "lesson",
    "load",
    "opened",
    "record",
    "save",
    "sentences",
    "skipped",
    "why_not",
    "with_why_not",
    "yardstick",
]
