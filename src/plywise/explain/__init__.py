"""See why: a search laid open as a tree, counted, and told in words."""

from plywise.explain.counting import Compared, Counters, Yardstick, compare, counters, yardstick
from plywise.explain.lesson import Lesson, Place, Step, lesson
from plywise.explain.picture import Icicle, icicle
from plywise.explain.record import BadNode, Iteration, Node, Record, record
from plywise.explain.storing import BadRecord, load, save
from plywise.explain.stubs import Opened, Skipped, opened, skipped

__all__ = [
    "BadNode",
    "BadRecord",
    "Compared",
    "Counters",
    "Icicle",
    "Iteration",
    "Lesson",
    "Node",
    "Opened",
    "Place",
    "Record",
    "Skipped",
    "Step",
    "Yardstick",
    "compare",
    "counters",
    "icicle",
    "lesson",
    "load",
    "opened",
    "record",
    "save",
    "skipped",
    "yardstick",
]
