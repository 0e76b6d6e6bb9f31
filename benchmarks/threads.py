"""The gain of a second thread: nodes a second, and time to a depth, against one thread in the same run.

    python benchmarks/threads.py [GAME] [--threads N] [--deeper N | --depth N] [--position TEXT] [--rounds N]

Searches the bench positions of the game, `--deeper` turns beyond their depth, or one position. Wall time: the
machine must be quiet.
"""

import argparse
import math
import statistics
import time

import plywise


def measure(engine: plywise.Engine, history: plywise.History, depth: int) -> tuple[int, float]:
    """Nodes, and seconds to the depth, from an empty table."""
    engine.clear()
    started = time.perf_counter()
    result = engine.search(history, depth=depth)
    return result.nodes, time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--deeper", type=int, default=0, help="turns beyond the depth of the bench")
    parser.add_argument("--depth", type=int, help="the same depth for all positions")
    parser.add_argument("--position", help="one position instead of those of the bench")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    game = plywise.load(options.game)
    one, many = (plywise.Engine(game, hash=64, threads=threads) for threads in (1, options.threads))
    for engine in (one, many):
        engine.search(game.history(), depth=2)  # compiled, or loaded, before the first clock starts
    texts = dict(game.bench) if options.position is None else {options.position: 18}
    nodes, seconds, gains = [0, 0], [0.0, 0.0], []
    for text, bench_depth in texts.items():
        history, depth = game.history(text), options.depth or bench_depth + options.deeper
        times: tuple[list[float], list[float]] = [], []
        for _ in range(options.rounds):
            for i, engine in enumerate((one, many)):
                visited, took = measure(engine, history, depth)
                nodes[i], seconds[i] = nodes[i] + visited, seconds[i] + took
                times[i].append(took)
        alone, together = (statistics.median(each) for each in times)
        gains.append(alone / together)
        print(f"{text}, depth {depth}: {alone:.2f} s alone, {together:.2f} s together", flush=True)
    # A busy machine gives two threads no more processors than one: the nodes of both are the part of the gain
    # that it does not change.
    print(f"nodes to the depth: {nodes[1] / nodes[0]:.2f} times those of one thread, all threads together")
    speeds = [nodes[i] / seconds[i] / 1e6 for i in range(2)]
    print(
        f"{options.game}: {options.threads} threads make {speeds[1] / speeds[0]:.2f} times the nodes a second"
        f" of one ({speeds[1]:.2f} against {speeds[0]:.2f} million) and reach the depth"
        f" {math.exp(statistics.fmean(map(math.log, gains))):.2f} times as fast (geometric mean of medians)"
    )


if __name__ == "__main__":
    main()
