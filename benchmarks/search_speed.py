"""Nodes a second, and time to a depth, of this source tree against another one of Plywise.

    python benchmarks/search_speed.py [OTHER] [--games checkers ...] [--nodes 300000 | --depth 11]
        [--rounds 5] [--without LIST] [--other-without LIST] [--margins NAME:NUMBER+...]

OTHER is the `src` folder of the other tree, for example of a `git worktree`; without it the tree meets
itself, which shows the noise. Each tree searches in a process of its own, in turns, the bench positions of
each game; the shortest processor time of all rounds counts, so a busy machine matters little. Other prunings
make other nodes: to compare the same work at a node, switch off on both sides what one of them lacks, and
give this tree the other one's margins.
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import plywise
from plywise.search.limits import Limits

OWN = Path(plywise.__file__).resolve().parents[1]


@dataclass
class Measure:
    """One search: what it visited, and the processor time that it took."""

    nodes: int
    seconds: float
    depth: int


def work() -> None:
    """Search what comes by standard input, a line each: game, limits, switches, margins, position."""
    engines: dict[tuple[str, ...], plywise.Engine] = {}
    for line in sys.stdin:
        name, limit, without, margins, text = line.rstrip("\n").split("|")
        if (name, without, margins) not in engines:
            game = plywise.load(name)
            own = dict(pair.split(":") for pair in margins.split("+")) if margins else {}
            options = {"margins": {key: int(value) for key, value in own.items()}} if own else {}
            parts = without.split(",") if without else []
            engines[name, without, margins] = plywise.Engine(game, hash=64, without=parts, **options)  # type: ignore[arg-type]
        engine = engines[name, without, margins]
        engine.clear()
        kind, number = limit.split("=")
        limits = Limits(depth=int(number)) if kind == "depth" else Limits(nodes=int(number))
        began = time.process_time()
        result = engine.search(engine.game.history(text), limits)
        print(result.nodes, time.process_time() - began, result.depth, flush=True)


class Tree:
    """A process that searches with one source tree."""

    def __init__(self, source: Path, without: str, margins: str) -> None:
        self.without, self.margins = without, margins
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work"],
            env={**os.environ, "PYTHONPATH": str(source)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def search(self, game: str, limit: str, text: str) -> Measure:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("|".join((game, limit, self.without, self.margins, text)) + "\n")
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        if len(words) != 3:
            raise SystemExit("a process ended; its error is above")
        return Measure(int(words[0]), float(words[1]), int(words[2]))


def fastest(tree: Tree, game: str, limit: str, texts: list[str], best: dict[str, Measure]) -> None:
    """One round over all positions; `best` keeps the fastest search of each."""
    for text in texts:
        found = tree.search(game, limit, text)
        if text not in best or found.seconds < best[text].seconds:
            best[text] = found


def total(best: dict[str, Measure]) -> Measure:
    every = list(best.values())
    return Measure(
        sum(one.nodes for one in every),
        sum(one.seconds for one in every),
        sum(one.depth for one in every) // len(every),
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("other", type=Path, nargs="?", default=OWN)
    parser.add_argument("--games", nargs="*", default=["checkers", "polis", "connect_four", "chess"])
    parser.add_argument("--nodes", type=int, default=300_000)
    parser.add_argument("--depth", type=int)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--without", default="", help="parts that are switched off here")
    parser.add_argument("--other-without", default="", help="and in the other tree, by its own names")
    parser.add_argument("--margins", default="", help="margins of this tree")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work()
        return
    if not (options.other / "plywise").is_dir():
        parser.error(f"{options.other}: not the src folder of a tree of Plywise")
    limit = f"nodes={options.nodes}" if options.depth is None else f"depth={options.depth}"
    here = Tree(OWN, options.without, options.margins)
    there = Tree(options.other.resolve(), options.other_without, "")
    for name in options.games:
        texts = [text for text, _ in plywise.load(name).bench_searches]
        ours: dict[str, Measure] = {}
        theirs: dict[str, Measure] = {}
        for _ in range(options.rounds):
            fastest(there, name, limit, texts, theirs)
            fastest(here, name, limit, texts, ours)
        own, other = total(ours), total(theirs)
        speed, other_speed = own.nodes / own.seconds, other.nodes / other.seconds
        print(
            f"{name} {limit}: {speed / 1e6:.2f} million nodes a second, mean depth {own.depth},"
            f" {own.seconds:.2f} s; the other tree {other_speed / 1e6:.2f},"
            f" {other.depth}, {other.seconds:.2f} s;"
            f" speed {speed / other_speed:.2f}, time {own.seconds / other.seconds:.2f} of the other's",
            flush=True,
        )


if __name__ == "__main__":
    main()
