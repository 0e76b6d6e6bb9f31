"""The cost of the recorder: CPU time of the same search with and without it, alternately.

    python benchmarks/explain_cost.py [GAME] [--nodes N] [--rounds N]

Without a record (`record=0`) the search is compiled from a source without the recorder's lines, so it
costs nothing. With one, it writes 24 bytes a node.
"""

import argparse
import statistics
import time

import plywise
from plywise import Engine, History


def measure(engine: Engine, history: History, nodes: int) -> float:
    """CPU seconds of a search of `nodes` nodes, from an empty table."""
    engine.clear()
    started = time.process_time()
    engine.search(history, nodes=nodes)
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="chess")
    parser.add_argument("--position", default="start")
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    game = plywise.load(options.game)
    history = game.history(options.position)
    off, on = Engine(game, hash=16), Engine(game, hash=16, record=options.nodes)
    for engine in (off, on):
        measure(engine, history, options.nodes)
    pairs = [
        (measure(off, history, options.nodes), measure(on, history, options.nodes))
        for _ in range(options.rounds)
    ]
    ratio = statistics.median(slow / fast for fast, slow in pairs)
    best = min(slow for _, slow in pairs) / min(fast for fast, _ in pairs)
    bytes_each = on.log.dtype.itemsize if on.log is not None else 0
    print(
        f"{options.game}, {options.nodes:,} nodes, {options.rounds} pairs: recording takes {ratio:.3f} times"
        f" the CPU (median of the pairs; {best:.3f} by the best runs), {bytes_each} bytes a node"
    )


if __name__ == "__main__":
    main()
