"""Counting chess moves: Plywise against Stockfish (`go perft`) and python-chess, in one run.

    python benchmarks/chess_perft.py [--rounds N] [--stockfish PATH]

Both are measured by processor time, alternately, and the best round of each counts, so that other
work on the machine matters little. Stockfish's start is measured separately and subtracted.
"""

import argparse
import resource
import shutil
import subprocess
import time

import plywise
from plywise.search.specialisation import perft_counter

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BIG = (("start", START, 6, 119060324), ("kiwipete", KIWIPETE, 5, 193690690))
SMALL = (("start", START, 4, 197281), ("kiwipete", KIWIPETE, 3, 97862))


def stockfish_seconds(path: str, commands: str) -> float:
    """Processor seconds of a Stockfish process that runs these commands."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([path], input=commands + "\nquit\n", text=True, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    options = parser.parse_args()
    chess = plywise.load("chess")
    count = perft_counter(chess)
    for name, fen, depth, nodes in BIG:
        position = chess.parse(fen)
        ours, theirs, idle = [], [], []
        for _ in range(options.rounds):
            begun = time.process_time()
            found = count(position, depth)
            ours.append(time.process_time() - begun)
            assert found == nodes, f"{name}: {found} paths instead of {nodes}"
            setup = f"position fen {fen}\n"
            idle.append(stockfish_seconds(options.stockfish, setup + "go perft 1"))
            theirs.append(stockfish_seconds(options.stockfish, setup + f"go perft {depth}"))
        mine, other = min(ours), min(theirs) - min(idle)
        print(
            f"{name} depth {depth}: plywise {nodes / mine / 1e6:.1f} million/s, "
            f"stockfish {nodes / other / 1e6:.1f} million/s, ratio {other / mine:.2f}"
        )
    try:
        import chess as python_chess
    except ImportError:
        print("python-chess is not installed: not compared")
        return

    def paths(board: "python_chess.Board", depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += paths(board, depth - 1)
            board.pop()
        return total

    for name, fen, depth, nodes in SMALL:
        begun = time.process_time()
        assert paths(python_chess.Board(fen), depth) == nodes
        slow = time.process_time() - begun
        position = chess.parse(fen)
        begun = time.process_time()
        for _ in range(20):
            assert count(position, depth) == nodes
        fast = (time.process_time() - begun) / 20
        print(f"{name} depth {depth}: {slow / fast:.0f} times the speed of python-chess")


if __name__ == "__main__":
    main()
