"""The gain of a second thread: nodes a second, and time to a depth, against one thread in the same run.

python benchmarks/threads.py [GAME] [--threads N] [--depth N]
"""

import argparse
import statistics
import time

import plywise

ROUNDS = 5


def measure(engine: plywise.Engine, history: plywise.History, depth: int) -> tuple[float, float]:
    """Nodes a second and seconds to the depth, from an empty table."""
    engine.clear()
    started = time.perf_counter()
    result = engine.search(history, depth=depth)
    took = time.perf_counter() - started
    return result.nodes / took, took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--depth", type=int, default=18)
    parser.add_argument("--position", default="start")
    options = parser.parse_args()
    game = plywise.load(options.game)
    history = game.history(options.position)
    one, many = (plywise.Engine(game, hash=64, threads=threads) for threads in (1, options.threads))
    alone, together = [], []
    for _ in range(ROUNDS):
        alone.append(measure(one, history, options.depth))
        together.append(measure(many, history, options.depth))
    speeds = max(speed for speed, _ in alone), max(speed for speed, _ in together)
    times = statistics.median(took for _, took in alone), statistics.median(took for _, took in together)
    print(
        f"{options.game}, depth {options.depth}: {options.threads} threads make"
        f" {speeds[1] / speeds[0]:.2f} times the nodes a second of one"
        f" ({speeds[1] / 1e6:.1f} against {speeds[0] / 1e6:.1f} million) and reach the depth"
        f" {times[0] / times[1]:.2f} times as fast ({times[1]:.2f} s against {times[0]:.2f} s, medians)"
    )


if __name__ == "__main__":
    main()
