"""A million recorded nodes: their memory, and the CPU time to show the tree and to open any node.

python benchmarks/explain_speed.py [GAME] [--nodes N]
"""

import argparse
import gc
import json
import random
import time
from pathlib import Path

import plywise
from plywise.explain import counters, icicle, pruned_moves, record


def resident() -> float:
    """Resident memory of this process in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="chess")
    parser.add_argument("--nodes", type=int, default=1_000_000)
    options = parser.parse_args()
    history = plywise.load(options.game).history()
    record(history, nodes=1000, most=1000, hash=1)  # whatever is loaded or compiled once
    before = resident()
    kept = record(history, nodes=options.nodes, most=options.nodes)
    gc.collect()
    started = time.process_time()
    root = max((int(root) for root in kept.roots), key=lambda root: int(kept.size[root]))
    shown = json.dumps(
        {
            "picture": icicle(kept, root).as_dict(),
            "passes": [one.as_dict() for one in kept.iterations()],
            "children": [child.as_dict() for child in kept.children(root)],
            "counters": counters(kept).as_dict(),
        }
    )
    first = time.process_time() - started
    dice, slowest, slowest_pruned = random.Random(1), 0.0, 0.0
    for _ in range(2000):
        node = dice.randrange(len(kept))
        started = time.process_time()
        kept.children(node)
        slowest = max(slowest, time.process_time() - started)
        started = time.process_time()
        pruned_moves(kept, node)
        slowest_pruned = max(slowest_pruned, time.process_time() - started)
    print(
        f"{options.game}, {len(kept):,} nodes: {resident() - before:.0f} MB; first picture and counters in"
        f" {first * 1000:.0f} ms of CPU ({len(shown) / 1000:.0f} kB); of 2,000 random nodes the slowest"
        f" children took {slowest * 1000:.1f} ms, the slowest pruned moves {slowest_pruned * 1000:.1f} ms"
    )


if __name__ == "__main__":
    main()
