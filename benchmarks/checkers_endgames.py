"""Solve the endings of checkers, count every class against the published counts, and time it.

    python benchmarks/checkers_endgames.py [PIECES] [--counts endgame_counts.json] [--file]

Prints the time on one thread for four pieces and on all for PIECES (5), and their ratio by position.
With --file the database is written as well, and every value in it is read back.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import plywise
from plywise.core.endgame_index import value_at
from plywise.endgames import Solver, build, count_verdicts, solve
from plywise.endgames.sweep import HOLE

ORACLE = Path(__file__).resolve().parents[2] / "shared/oracles/checkers/endgame_counts.json"


def timed(solver: Solver, pieces: int, threads: int) -> tuple[Any, float]:
    start = time.perf_counter()
    values = solve(solver, pieces, threads=threads)
    return values, time.perf_counter() - start


def compare(solver: Solver, values: Any, page: Path) -> None:
    """Compare every class with the published counts."""
    slices = {one.name: one for group in solver.index.groups for one in group.slices}
    equal, different = 0, []
    for row in json.loads(page.read_text())["slices"]:
        black, white = row["black"].replace("+", ""), row["white"].replace("+", "")
        for name, side in ((f"{black}-{white}", "black"), (f"{white}-{black}", "white")):
            one, want = slices[name], row[f"{side}_to_move"]
            if one.first + one.size > len(values):
                continue
            found = count_verdicts(values[one.first : one.first + one.size])
            if found == (want["win"], want["loss"], want["draw"]):
                equal += 1
            else:
                different.append(name)
    print(f"counts: {equal} equal, {len(different)} different {different}")


def read_back(solver: Solver, values: Any, pieces: int) -> None:
    """Read a sample of all values back from the file."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        path = build(solver.game, pieces, folder)
        print(f"file: {path.stat().st_size:,} bytes, built in {time.perf_counter() - start:.1f} s")
        data = np.fromfile(path, np.uint8)
        wrong = asked = 0
        dice = np.random.default_rng(1)
        for group in solver.index.up_to(pieces):
            for one in group.slices:
                if one.kept:
                    wanted = solver.probed_values(one, values)
                    for i in dice.integers(0, one.size, 300):
                        if wanted[i] != HOLE:
                            asked += 1
                            wrong += value_at(data, one.number, one.size, int(i)) != wanted[i]
        print(f"read back: {asked} values, {wrong} wrong")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pieces", type=int, nargs="?", default=5)
    parser.add_argument("--counts", type=Path, default=ORACLE)
    parser.add_argument("--file", action="store_true")
    given = parser.parse_args()
    solver = Solver(plywise.load("checkers"))
    four, alone = timed(solver, 4, 1)
    values, all_threads = timed(solver, given.pieces, os.cpu_count() or 1)
    rates = len(four) / alone, len(values) / all_threads
    print(f"4 pieces, 1 thread: {len(four):,} positions in {alone:.1f} s")
    print(
        f"{given.pieces} pieces, {os.cpu_count()} threads: {len(values):,} positions in {all_threads:.1f} s"
    )
    print(f"positions a second: {rates[0]:,.0f} and {rates[1]:,.0f}, ratio {rates[1] / rates[0]:.2f}")
    if given.counts.exists():
        compare(solver, values, given.counts)
    if given.file:
        read_back(solver, values, given.pieces)


if __name__ == "__main__":
    main()
