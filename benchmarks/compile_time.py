"""Processor time of compiling the search of games from an empty cache, beside Numba's own way.

    python benchmarks/compile_time.py [GAME ...] [--rounds N]

Each compilation is a process of its own; imports count. Numba's own way links and optimises every function
by itself and has the front end as Numba ships it. Best of several interleaved rounds. Without names: every
shipped game that is compiled (tic-tac-toe is plain), and an example of the size of a user's game.
"""

import argparse
import os
import subprocess
import sys
import tempfile

GAMES = ["chess", "checkers", "polis", "skirmish", "connect_four", "examples/breakthrough.py"]
COMPILE = """
import contextlib, sys, plywise
import plywise.native.compiler as compiler
if sys.argv[2] == "own":
    compiler.quick_front_end = compiler.link_late = contextlib.nullcontext
engine = plywise.Engine(plywise.load(sys.argv[1]), hash=1)
assert engine.specialisation.compiled and not engine.specialisation.native.cached
"""


def measure(game: str, way: str) -> float:
    """The processor seconds of one process that compiles a game."""
    before = os.times()
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PLYWISE_CACHE": folder}
        subprocess.run([sys.executable, "-c", COMPILE, game, way], check=True, env=environment)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for game in options.games:
        rounds = [(measure(game, "quick"), measure(game, "own")) for _ in range(options.rounds)]
        quick, own = (min(times) for times in zip(*rounds, strict=True))
        print(
            f"{game:26} {quick:6.2f} s CPU, Numba's own way {own:6.2f} s: {own / quick:.2f} times", flush=True
        )


if __name__ == "__main__":
    main()
