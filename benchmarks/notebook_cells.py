"""How long a notebook waits for what it shows, and how heavy that is.

python benchmarks/notebook_cells.py [GAME] [--nodes N] [--rounds N]

Searches the game's start once (uncompiled, so that nothing is compiled), then draws the history, the result
and the record again and again. Each time is also given in nodes of that search.
"""

import argparse
import time
from collections.abc import Callable

import plywise
from plywise.explain import record

HEAVIEST = 60_000  # bytes of a cell's output
SLOWEST = 0.2  # seconds


def best_time(draw: Callable[[], str], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        draw()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and weight of what a notebook shows.")
    parser.add_argument("game", nargs="?", default="chess")
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    history = plywise.load(options.game).history()
    start = time.perf_counter()
    result = plywise.analyse(history, nodes=options.nodes, lines=3, compiled=False)
    searching = time.perf_counter() - start
    kept = record(history, nodes=options.nodes, compiled=False)
    print(f"{options.game}: a search of {result.nodes:,} nodes takes {searching:.2f} s")
    for name, draw in (
        ("history", history._repr_html_),
        ("result", result._repr_html_),
        ("record", kept._repr_html_),
    ):
        seconds, weight = best_time(draw, options.rounds), len(draw().encode())
        kept_well = "" if weight < HEAVIEST and seconds < SLOWEST else "  TOO MUCH"
        print(
            f"{name:8} {1000 * seconds:7.2f} ms (as long as {seconds / searching * result.nodes:.1f} nodes)"
            f" {weight / 1000:6.1f} KB{kept_well}"
        )


if __name__ == "__main__":
    main()
