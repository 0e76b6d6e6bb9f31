"""Players of checkers by name: the first plan, which counts men by how near the rim they stand."""

from plywise.core.preset import Preset

PRESETS = (
    Preset(
        "ring",
        "alphabeta,evaluator=ring,depth=4",
        "The first plan: alpha-beta without an order of moves, recursion depth 4, men worth more at the rim.",
    ),
)
