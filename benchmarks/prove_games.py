"""Claims of the search on written games: Kalah against a full solver, and lines after a stop in all games.

    python benchmarks/prove_games.py kalah --claims 10000
    python benchmarks/prove_games.py lines --searches 10000

The first checks every proven, exact and bounding line of searches of random Kalah positions; the second
stops searches for several lines at random node counts in all shipped games, the examples and the games of
the tests: lines must be legal, unique and ordered. Both end with status 1 if one was not.
"""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.conftest import SAMPLE_NAMES, open_positions, sample
from tests.prover.claims import Truth, check_lines, check_mate
from tests.prover.solver import Solver

import plywise
from plywise import Engine, Game, Kind, Limits
from plywise.search.switches import UNSOUND

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def kalah(wanted: int, seed: int) -> int:
    game, dice = sample("kalah"), random.Random(seed)
    solver, claims, searches, wrong = Solver(game, 0), 0, 0, 0
    engines = [Engine(game, hash=1), Engine(game, hash=1, without=UNSOUND), Engine(game, hash=1, threads=2)]
    while claims < wanted:
        seed += 1000
        for history in open_positions(game, 100, seed=seed):
            truth = Truth(history, solver)
            for engine in engines:
                for limits in (
                    Limits(mate=dice.randint(1, 5)),
                    Limits(depth=dice.randint(1, 10)),
                    Limits(nodes=dice.randint(1, 900)),
                ):
                    result = engine.search(history, limits, lines=dice.randint(1, 3))
                    searches += 1
                    claims += sum(line.kind is not Kind.ESTIMATE for line in result.lines)
                    try:
                        check_lines(truth, result.lines, truth.moves, result.depth, engine is engines[1])
                        if limits.mate is not None:
                            check_mate(truth, result, truth.moves, limits.mate)
                    except AssertionError as error:
                        wrong += 1
                        print(f"FALSE: {history.text} {limits}: {error}", flush=True)
    print(f"kalah: {claims:,} claims of {searches:,} searches, {wrong} false")
    return wrong


def lines(wanted: int, seed: int) -> int:
    names = [*plywise.shipped(), *SAMPLE_NAMES, *(str(path) for path in sorted(EXAMPLES.glob("*.py")))]
    wrong = 0
    for name in names:
        game: Game = sample(name) if name in SAMPLE_NAMES else plywise.load(name)
        engine, dice, searches, bad = Engine(game, hash=1), random.Random(seed), 0, 0
        while searches < wanted / len(names):
            seed += 1000
            for history in open_positions(game, 100, seed=seed):
                count, nodes = dice.randint(2, 6), dice.choice((20, 200, 2000, 20_000))
                result = engine.search(history, nodes=dice.randint(1, nodes), lines=count)
                searches += 1
                firsts = [line.moves[0] for line in result.lines]
                scores = [line.score for line in result.lines]
                legal = set(firsts) <= set(history.moves)
                unique, ordered = len(set(firsts)) == len(firsts), scores == sorted(scores, reverse=True)
                if not (legal and unique and ordered and len(firsts) <= count):
                    bad += 1
                    print(f"WRONG: {name} {history.text}: {result.lines}", flush=True)
        wrong += bad
        print(f"{game.name}: {searches:,} stopped searches, {bad} with wrong lines", flush=True)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("kalah", "lines"))
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--searches", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    started = time.perf_counter()
    wrong = (
        kalah(wanted.claims, wanted.seed) if wanted.what == "kalah" else lines(wanted.searches, wanted.seed)
    )
    print(f"{time.perf_counter() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
