"""Speed of checkers: perft paths a second, compared with Stockfish's in chess, and nodes a second.

python benchmarks/checkers_speed.py [--stockfish /usr/games/stockfish] [--seconds 5]
"""

import argparse
import shutil
import subprocess
import time

import plywise
from plywise.search.specialisation import perft_counter

POSITIONS = (
    "start",
    "W:W15,17,18,19,22,26,27,28,30,32:B1,3,6,8,9,10,11,12,13,20",
    "W:WK4,9,K13,27,32:B3,5,K10,28",
)


def stockfish_rate(program: str) -> float:
    """Stockfish's paths of chess a second, without the time to start and stop."""

    def run(*commands: str) -> float:
        start = time.perf_counter()
        subprocess.run(
            [program], input="\n".join([*commands, "quit"]), text=True, capture_output=True, check=True
        )
        return time.perf_counter() - start

    bare = min(run("isready") for _ in range(3))
    return 119_060_324 / (min(run("isready", "go perft 6") for _ in range(3)) - bare)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    parser.add_argument("--seconds", type=float, default=5)
    given = parser.parse_args()
    game = plywise.load("checkers")
    count = perft_counter(game)
    count(game.start(), 4)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        paths = count(game.start(), 11)
        times.append(time.perf_counter() - start)
    rate = paths / min(times)
    print(f"checkers perft 11: {paths:,} paths, {rate / 1e6:.1f} million a second")
    if shutil.which(given.stockfish):
        chess = stockfish_rate(given.stockfish)
        print(
            f"stockfish chess perft 6: {chess / 1e6:.1f} million a second;"
            f" ratio {rate / chess:.2f} (wanted: 0.2)"
        )
    rates = {}
    for evaluator in ("ring", "default"):
        engine = plywise.Engine(game, evaluator, hash=64)
        nodes = seconds = 0.0
        for text in POSITIONS:
            start, used = time.perf_counter(), time.process_time()
            result = engine.search(game.history(text), time=given.seconds)
            nodes, seconds = nodes + result.nodes, seconds + time.process_time() - used
            print(f"  {evaluator}: {result.move} {result.words} depth {result.depth}", end="")
            print(f" {result.nodes / (time.perf_counter() - start) / 1e6:.2f} million nodes a second")
        rates[evaluator] = nodes / seconds
    ratio = rates["default"] / rates["ring"]
    for evaluator in rates:
        print(f"search, {evaluator}: {rates[evaluator] / 1e6:.2f} million nodes a second of processor time")
    print(f"default to ring: {ratio:.2f}")


if __name__ == "__main__":
    main()
