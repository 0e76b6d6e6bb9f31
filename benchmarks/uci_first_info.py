"""How soon UCI sends its first info line after `go`, in a warm engine.

    python benchmarks/uci_first_info.py [GAME] [--rounds 200] [--time 20]

Each round is a search of `--time` milliseconds from another position of one game; the clock runs from the
moment `go` is written until the line is read. The machine must be quiet.
"""

import argparse
import random
import statistics
import subprocess
import sys
import time

import plywise

PLIES = 30  # of the games whose positions are searched


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", nargs="?", default="chess")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--time", type=int, default=20, help="milliseconds a search")
    options = parser.parse_args()
    game, dice = plywise.load(options.game), random.Random(1)
    engine = subprocess.Popen(
        [sys.executable, "-m", "plywise", "uci", options.game],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert engine.stdin is not None and engine.stdout is not None

    def send(line: str) -> None:
        engine.stdin.write(line + "\n")  # type: ignore[union-attr]

    def read_until(word: str) -> None:
        for line in engine.stdout:  # type: ignore[union-attr]
            if line.startswith(word):
                return
        raise SystemExit(f"the engine ended before it sent {word!r}")

    send("uci")
    read_until("uciok")
    firsts: list[float] = []
    history, moves = game.history(), list[str]()
    for round_number in range(-1, options.rounds):  # the first search warms the engine
        if history.outcome is not None or len(moves) >= PLIES:
            history, moves = game.history(), []
        send(f"position startpos moves {' '.join(moves)}" if moves else "position startpos")
        send("isready")
        read_until("readyok")
        began = time.perf_counter()
        send(f"go movetime {options.time}")
        read_until("info depth")
        if round_number >= 0:
            firsts.append(1000 * (time.perf_counter() - began))
        read_until("bestmove")
        move = dice.choice(history.moves)
        history, moves = history.play(move), [*moves, move]
    send("quit")
    engine.wait()
    firsts.sort()
    print(
        f"{options.game}, {len(firsts)} searches: first info line after {statistics.median(firsts):.2f} ms"
        f" (median), 99 % {firsts[int(0.99 * (len(firsts) - 1))]:.2f} ms, most {firsts[-1]:.2f} ms"
    )


if __name__ == "__main__":
    main()
