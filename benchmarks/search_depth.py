"""How deep a search of so many nodes looks: the mean depth over openings of a game.

    python benchmarks/search_depth.py GAME [--nodes 1000000] [--count 10] [--openings SOURCE]

The openings are those of `plywise match` (checkers: the ballots), evenly chosen; each search begins with an
empty table. Nothing depends on the speed of the machine.
"""

import argparse
import statistics

import plywise
from plywise.arena import openings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--openings", help="as in `plywise match`")
    options = parser.parse_args()
    game = plywise.load(options.game)
    texts = openings.read(game, options.openings or ("starts" if game.name == "checkers" else None))
    engine, depths = plywise.Engine(game, hash=64), []
    for text in texts[:: max(1, len(texts) // options.count)][: options.count]:
        engine.clear()
        depths.append(engine.search(openings.history(game, text), nodes=options.nodes).depth)
    print(f"{game.name}, {options.nodes} nodes: mean depth {statistics.fmean(depths):.1f} {depths}")


if __name__ == "__main__":
    main()
