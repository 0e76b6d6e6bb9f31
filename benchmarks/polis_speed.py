"""How fast Polis is searched, compiled and not: the same search of the same positions.

    python benchmarks/polis_speed.py [--nodes 1000000]

The uncompiled search visits fewer nodes of the same tree. Both are measured by processor time, so that
other programs do not count.
"""

import argparse
import time

import plywise

GAME = plywise.load("polis")


def speed(engine: plywise.Engine, nodes: int) -> tuple[int, float]:
    """Nodes and seconds of processor time over the bench positions."""
    total, seconds = 0, 0.0
    for position, _ in GAME.bench:
        engine.clear()
        started = time.process_time()
        total += engine.search(GAME.history(position), nodes=nodes).nodes
        seconds += time.process_time() - started
    return total, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nodes", type=int, default=1_000_000, help="nodes a position, compiled")
    parser.add_argument("--evaluator", default="default")
    options = parser.parse_args()
    fast = plywise.Engine(GAME, options.evaluator, hash=16)
    slow = plywise.Engine(GAME, options.evaluator, hash=1, compiled=False)
    fast.search(GAME.history(), nodes=options.nodes)  # compiled and warm
    rates = []
    for label, engine, nodes in (("compiled", fast, options.nodes), ("uncompiled", slow, 1000)):
        total, seconds = speed(engine, nodes)
        rates.append(total / seconds)
        print(f"{label:>10}: {total:,} nodes in {seconds:.2f} s, {rates[-1]:,.0f} a second")
    print(f"     ratio: {rates[0] / rates[1]:,.0f}")


if __name__ == "__main__":
    main()
