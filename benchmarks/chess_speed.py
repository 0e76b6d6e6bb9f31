"""Nodes a second with the default evaluation: Plywise against Stockfish, one thread each, in one run.

    python benchmarks/chess_speed.py [--nodes N] [--stockfish PATH]

Both search the same positions for the same number of nodes and are measured by processor time;
Stockfish's start is measured separately and subtracted.
"""

import argparse
import resource
import shutil
import subprocess
import time

import plywise


def stockfish_seconds(path: str, position: str, nodes: int) -> float:
    """Processor seconds of a Stockfish process that searches `nodes` nodes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"position fen {position}\ngo nodes {nodes}\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("bestmove"):
                break
        process.stdin.write("quit\n")
        process.stdin.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=300_000)
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    options = parser.parse_args()
    chess = plywise.load("chess")
    engine = plywise.Engine(chess, hash=16)
    engine.search(chess.history(), depth=2)
    start = chess.history().text
    idle = min(stockfish_seconds(options.stockfish, start, 1) for _ in range(3))
    mine = other = 0.0
    nodes = 0
    for fen, _ in chess.bench:
        history = chess.history(fen)
        engine.clear()
        begun = time.process_time()
        nodes += engine.search(history, nodes=options.nodes).nodes
        mine += time.process_time() - begun
        other += stockfish_seconds(options.stockfish, history.text, options.nodes) - idle
    theirs = options.nodes * len(chess.bench)
    print(
        f"plywise {nodes / mine / 1e6:.2f} million nodes/s, stockfish {theirs / other / 1e6:.2f}, "
        f"ratio {nodes / mine / (theirs / other):.2f}"
    )


if __name__ == "__main__":
    main()
