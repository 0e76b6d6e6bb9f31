"""Players of chess by name: two formulas on paper, and the four engines of a student project.

The formulas came without a depth, and the project's engines with one that was never written down: all of
these look three turns ahead.
"""

from plywise.core.preset import Preset

PRESETS = (
    Preset(
        "Shannon",
        "alphabeta,evaluator=shannon,depth=3",
        "Alpha-beta, three turns deep, on Shannon's formula of 1949: material, weak pawns, mobility.",
    ),
    Preset(
        "Control",
        "alphabeta,evaluator=control,depth=3",
        "Alpha-beta, three turns deep, on a formula that loves check, the centre and mobility.",
    ),
    Preset("Random", "random", "Any legal move."),
    Preset(
        "HighestScore",
        "greedy,evaluator=material_mate",
        "The move after which its pieces are worth most, or a mate in one; it never sees another answer.",
    ),
    Preset(
        "Minmax",
        "minimax,evaluator=material_mate,depth=3",
        "Every line of three turns, at its end the pieces counted, a mate or a stalemate.",
    ),
    Preset(
        "MinmaxAB",
        "sorted,evaluator=material_mate,depth=3",
        "Minmax with alpha-beta, captures first: major pieces, minor pieces, pawns, then quiet moves.",
    ),
)
