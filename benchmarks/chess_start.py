"""How long a protocol takes to answer: from the start of the process to `uciok`, to `readyok`, to a move.

    python benchmarks/chess_start.py [--runs N]

The first run may have to compile; the others find everything in the cache. On a busy machine the seconds
of the processor, of the whole run, tell more than those on the wall.
"""

import argparse
import resource
import subprocess
import sys
import time

STEPS = (("uci", "uciok"), ("isready", "readyok"), ("go movetime 100", "bestmove"))


def run() -> list[float]:
    """Seconds from the start of the process to each answer."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "plywise", "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    times = []
    for command, answer in STEPS:
        process.stdin.write(command + "\n")
        process.stdin.flush()
        while not process.stdout.readline().startswith(answer):
            pass
        times.append(time.perf_counter() - began)
    process.stdin.write("quit\n")
    process.stdin.flush()
    process.wait()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=4)
    options = parser.parse_args()
    for i in range(options.runs):
        before = processed()
        times = ", ".join(f"{answer} {took:.2f} s" for (_, answer), took in zip(STEPS, run(), strict=True))
        print(f"run {i + 1}: {times}; processor {processed() - before:.2f} s", flush=True)


def processed() -> float:
    """The processor's seconds that finished runs have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
