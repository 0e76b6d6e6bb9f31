"""Players of Polis by name: the published minimax at each of the depths that its page speaks of."""

from plywise.core.preset import Preset

DEPTHS = {
    2: "its starting point",
    3: "fast enough in a browser",
    4: "the last that was fast enough in a browser",
    5: "noticeably slower in a browser, it says",
}
PRESETS = tuple(
    Preset(
        f"classic{depth}",
        f"alphabeta,evaluator=classic,depth={depth}",
        f"The published minimax with alpha-beta and its own evaluation, DEPTH {depth}: {words}.",
    )
    for depth, words in DEPTHS.items()
)
