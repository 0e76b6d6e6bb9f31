"""Connect Four positions with known exact scores, solved by proof with the general search.

The files are lists of "COLUMNS SCORE": half the discs the winner could still have placed, plus one.
Compares the nodes and CPU time of the search with the table against the search without reductions.

    python benchmarks/connect_four_solve.py FILE [FILE ...] [--limit N]
"""

import argparse
import time
from pathlib import Path

import plywise
from plywise.core.scores import DECISIVE, WIN


def published(columns: str, score: int) -> int:
    """Our score as the files count it: 22 minus the winner's discs at the end, negative if lost."""
    if abs(score) <= DECISIVE:
        return 0
    played, plies = len(columns), WIN - abs(score)
    if score > 0:
        return 22 - (played // 2 + (plies + 1) // 2)
    return -(22 - ((played + 1) // 2 + plies // 2))


def solve(engine: plywise.Engine, lines: list[str]) -> tuple[int, int, float]:
    """Solve the positions: how many are right and proven, the nodes and the CPU seconds."""
    right = nodes = 0
    seconds = 0.0
    for line in lines:
        columns, wanted = line.split()
        history = engine.game.history(columns)
        engine.clear()
        before = time.process_time()
        result = engine.search(history)
        seconds += time.process_time() - before
        nodes += result.nodes
        right += result.kind == "proven" and published(columns, result.score) == int(wanted)
    return right, nodes, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=1_000_000)
    options = parser.parse_args()
    game = plywise.load("connect_four")
    full = plywise.Engine(game, hash=16)
    bare = plywise.Engine(game, hash=16, without=["reductions"])
    for file in options.files:
        lines = file.read_text().splitlines()[: options.limit]
        right, nodes, seconds = solve(full, lines)
        _, more, longer = solve(bare, lines)
        print(
            f"{file.name}: {right} of {len(lines)} exact and proven, {nodes / len(lines):.0f} nodes and"
            f" {1000 * seconds / len(lines):.2f} ms each; without reductions {more / nodes:.2f} x the"
            f" nodes, {longer / seconds:.2f} x the time"
        )


if __name__ == "__main__":
    main()
