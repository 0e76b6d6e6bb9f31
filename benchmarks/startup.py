"""Time from the start of a process to its first move, as a multiple of importing Numba; and of imports alone.

    python benchmarks/startup.py

The cache is warm. Best of several interleaved runs, wall time and CPU time of the process.
"""

import os
import subprocess
import sys
import time

ROUNDS = 7
FIRST_MOVE = (
    "import plywise; game = plywise.load('connect_four'); "
    "print(plywise.analyse(game.history(), depth=6, hash=16).move)"
)
COMMANDS = {
    "import numba": ["-c", "import numba"],
    "first depth-6 move, library": ["-c", FIRST_MOVE],
    "first depth-6 move, command": ["-m", "plywise", "analyse", "connect_four", "--depth", "6"],
    "import plywise": ["-c", "import plywise"],
    "plywise games": ["-m", "plywise", "games"],
    "python alone": ["-c", ""],
}


def run(arguments: list[str]) -> tuple[float, float]:
    """Wall and CPU seconds of one process."""
    before, started = os.times(), time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - started, os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, spent


def main(rounds: int) -> None:
    for arguments in COMMANDS.values():
        run(arguments)
    best = dict.fromkeys(COMMANDS, (9000000000.0, 9000000000.0))
    for _ in range(rounds):
        for name, arguments in COMMANDS.items():
            wall, spent = run(arguments)
            best[name] = min(best[name][0], wall), min(best[name][1], spent)
    base = best["import numba"]
    for name, (wall, spent) in best.items():
        print(
            f"{name:30} {wall:6.3f} s wall {spent:6.3f} s CPU: "
            f"{wall / base[0]:5.2f} and {spent / base[1]:5.2f} times importing Numba"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
