"""How many positions of an EPD file, such as Win-at-Chess, are solved within a time each.

    python benchmarks/chess_tactics.py FILE.epd [--time S] [--without PART ...] [--failed]

A position counts as solved if the move chosen at the end is one of its `bm` and none of its `am`.
"""

import argparse
from pathlib import Path

import plywise
from plywise.core.history import History
from plywise.games.chess.epd import read_epd


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--time", type=float, default=0.2)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--failed", action="store_true")
    options = parser.parse_args()
    chess = plywise.load("chess")
    engine = plywise.Engine(chess, hash=16, without=options.without)
    solved = total = nodes = 0
    seconds = 0.0
    depths = []
    limit = {"nodes": options.nodes} if options.nodes else {"time": options.time}
    for line in options.file.read_text(encoding="utf-8").splitlines()[:: options.every]:
        epd = read_epd(line)
        engine.clear()
        result = engine.search(History(chess, epd.position), **limit)
        move = chess.read_move(epd.position, str(result.move))
        good, bad = epd.moves("bm"), epd.moves("am")
        right = (not good or move in good) and move not in bad
        solved += right
        total += 1
        nodes += result.nodes
        seconds += result.seconds
        depths.append(result.depth)
        if options.failed and not right:
            print("failed", line, "played", result.move)
    print(
        f"{options.file.name}: {solved} of {total} solved, "
        f"{nodes / seconds / 1e6:.2f} million nodes/s, mean depth {sum(depths) / total:.1f}"
    )


if __name__ == "__main__":
    main()
