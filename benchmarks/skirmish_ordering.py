"""How much ordering saves in skirmish: nodes at equal depth, from plain minimax to the whole search.

All columns but the last give the same value (this is checked). Searches with deepening count the nodes of
all their iterations.

    python benchmarks/skirmish_ordering.py [EVALUATOR]
"""

import sys

import plywise
from plywise.search.switches import NAMES, UNSOUND

POSITIONS = {
    "2fv2a": "2fv2a",
    "2fva": "2fva",
    "2fv2a_Obstacles": "2fv2a_Obstacles",
    "2fv1a_Obstacles": "2fv1a_Obstacles",
    "a melee": "25x19 F10,9:100 F14,10:120 A12,12:50 A12,6:39 F1",
}
MINIMAX_TO, UNORDERED_TO, DEEPEST = 4, 6, 6


def main(evaluator: str, deepest: int) -> None:
    game = plywise.load("skirmish")
    ordered = [name for name in NAMES if name != "capture_order"]
    players = {
        "minimax": plywise.Engine(game, evaluator, player="minimax", hash=1),
        "alpha-beta": plywise.Engine(game, evaluator, player="alphabeta", hash=1),
        "seed's order": plywise.Engine(game, evaluator, hash=16, without=ordered),
        "exact search": plywise.Engine(game, evaluator, hash=16, without=UNSOUND),
        "search": plywise.Engine(game, evaluator, hash=16),
    }
    print(f"nodes by ply, evaluator {evaluator}; the ratio is alpha-beta as listed / in the seed's order")
    print(
        f"{'position':16} {'ply':>3}", *(f"{name:>13}" for name in players), f"{'ratio':>7} {'search, s':>10}"
    )
    for name, text in POSITIONS.items():
        history = game.history(text)
        for depth in range(1, deepest + 1):
            results = {}
            for player, engine in players.items():
                if depth > {"minimax": MINIMAX_TO, "alpha-beta": UNORDERED_TO}.get(player, DEEPEST):
                    continue
                engine.clear()
                results[player] = engine.search(history, depth=depth)
            exact = {results[player].score for player in results if player != "search"}
            assert len(exact) == 1, (name, depth, results)
            cells = [f"{results[player].nodes if player in results else '':>13}" for player in players]
            ratio = results["alpha-beta"].nodes / results["seed's order"].nodes
            print(
                f"{name:16} {depth:>3}", *cells, f"{ratio:7.2f} {results['search'].seconds:10.3f}", flush=True
            )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "linear", int(sys.argv[2]) if len(sys.argv) > 2 else DEEPEST)
