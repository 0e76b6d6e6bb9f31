"""How long it takes to solve positions of a game: nodes, processor time and memory.

python benchmarks/solve.py GAME [POSITION ...] [--hash MB] [--threads N]
"""

import argparse
import time

import plywise
from plywise.search.solving import Solver


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("positions", nargs="*", default=["start"])
    parser.add_argument("--hash", type=int, default=2048)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    game = plywise.load(options.game)
    for text in options.positions:
        solver = Solver(game, hash=options.hash, threads=options.threads)
        before = time.process_time()
        found = solver.solve(game.history(text))
        took = time.process_time() - before
        winner = "nobody" if found.winner is None else game.sides[found.winner]
        print(
            f"{game.name} {text}: {winner} wins ({found.kind}), {found.nodes} nodes,"
            f" {took:.1f} s of processor time, {found.nodes / took / 1e6:.2f} million a second",
            flush=True,
        )


if __name__ == "__main__":
    main()
