"""Forced mates: whether `analyse --mate N` proves each of a file, with the right distance, and how fast.

    python benchmarks/chess_mates.py MATE1.fen MATE2.fen ... [--every N]

Each file has one FEN a line; the digit in its name is the number of moves to the mate. The search is full
width, without unsound prunings. A mate counts as right if it is proven, not sooner and not later.
"""

import argparse
import re
import time
from pathlib import Path

import plywise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    chess = plywise.load("chess")
    engine = plywise.Engine(chess, hash=64)
    slowest, slowest_fen = 0.0, ""
    for path in options.files:
        found = re.search(r"\d+", path.stem)
        assert found is not None, f"{path.name} does not say how many moves its mates take"
        moves = int(found[0])
        fens = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        proven = right = 0
        spent = time.process_time()
        for fen in fens[:: options.every]:
            engine.clear()
            before = time.process_time()
            result = engine.search(chess.history(fen), mate=moves)
            took = time.process_time() - before
            if took > slowest:
                slowest, slowest_fen = took, fen
            proven += result.plies is not None
            right += result.plies == 2 * moves - 1
            if result.plies != 2 * moves - 1:
                print(f"{path.name}: {fen}: {result.words}, {result.kind}")
        count = len(fens[:: options.every])
        print(
            f"{path.name}: {proven} of {count} proven, {right} at the right distance,"
            f" {time.process_time() - spent:.1f} s of processor time",
            flush=True,
        )
    print(f"slowest: {slowest:.2f} s of processor time, {slowest_fen}")


if __name__ == "__main__":
    main()
