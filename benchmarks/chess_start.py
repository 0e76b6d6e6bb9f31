"""How long a protocol takes to answer: from the start of the process to `uciok`, to `readyok`, to a move.

    python benchmarks/chess_start.py [--runs N]

The first run may have to compile; the others find everything in the cache. On a busy machine the
processor time of the whole run says more than the wall time.
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
        before = processor_seconds()
        times = ", ".join(f"{answer} {took:.2f} s" for (_, answer), took in zip(STEPS, run(), strict=True))
        print(f"run {i + 1}: {times}; processor {processor_seconds() - before:.2f} s", flush=True)


def processor_seconds() -> float:
    """Processor seconds of the finished runs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
