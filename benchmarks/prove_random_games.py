"""Every claim of the search against the truth, on random games: a million searches.

    python benchmarks/prove_random_games.py --searches 1000000 --seed 1 --workers 2

Case number n is the same on every machine, so a run can be continued: the last line names the next
seed. It ends with status 1 if a claim was false, and prints code that shows it. To try another commit,
put its source first: PYTHONPATH=/path/to/its/src. See tests/prover for the games and the solver.
"""

import argparse
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.prover.prove import Ask, Case, Prover, any_case, stops

BATCH = 40  # cases between two lines of the log
PLAIN_EVERY = 25  # every 25th case runs in Python, every other one of them in the plain form
STOPS_EVERY = 12  # every 12th case stops a search at every node count
PROVER: list[Prover] = []  # one a process


def case_of(number: int) -> Case:
    """The case with this number."""
    dice = random.Random(number)
    case = any_case(dice, size=1 + number % 4)
    if number % PLAIN_EVERY == 0:
        asks = tuple(replace(ask, nodes=min(ask.nodes or 1000, 1000)) for ask in case.asks[:6])
        plain = number % (2 * PLAIN_EVERY) == 0
        return replace(case, asks=asks, plain=plain, compiled=False, threads=1)
    if number % STOPS_EVERY == 0:
        ask = Ask(case.asks[0].walk, depth=dice.randint(3, 8), lines=dice.randint(1, 4))
        return stops(replace(case, threads=1), ask, 60)
    return case


def run(first: int) -> tuple[int, dict[str, Counter[str]], list[str]]:
    """Check a batch of cases: the number of searches, the counters, and the false claims."""
    if not PROVER:
        PROVER.append(Prover())
    prover, false = PROVER[0], []
    prover.searches, prover.modes, prover.fired, prover.claims = 0, Counter(), Counter(), Counter()
    for number in range(first, first + BATCH):
        try:
            prover.check(case_of(number))
        except Exception as error:
            false.append(f"case {number}: {type(error).__name__}: {error}")
    return prover.searches, {"modes": prover.modes, "fired": prover.fired, "claims": prover.claims}, false


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--searches", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1, help="the number of the first case")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--most-false", type=int, default=20, help="end after so many false claims")
    wanted = parser.parse_args()
    started, searches, wrong, seed = time.perf_counter(), 0, 0, wanted.seed
    totals: dict[str, Counter[str]] = {"modes": Counter(), "fired": Counter(), "claims": Counter()}

    def take(result: Any) -> None:
        nonlocal searches, wrong
        count, counters, false = result
        searches, wrong = searches + count, wrong + len(false)
        for name, counter in counters.items():
            totals[name].update(counter)
        for message in false:
            print(f"FALSE after {time.perf_counter() - started:.1f} s: {message}", flush=True)

    with ProcessPoolExecutor(wanted.workers) as pool:
        while searches < wanted.searches and wrong < wanted.most_false:
            firsts = [seed + i * BATCH for i in range(wanted.workers)]
            for result in pool.map(run, firsts):
                take(result)
            seed += wanted.workers * BATCH
            seconds = time.perf_counter() - started
            print(f"{searches:,} searches, {wrong} false, {seconds:.0f} s, next --seed {seed}", flush=True)
    for name, counter in totals.items():
        print(f"\n{name}")
        for word, count in sorted(counter.items()):
            print(f"  {word:<40}{count:>14,}")
    cases = f"cases {wanted.seed} .. {seed - 1}"
    print(f"\n{searches:,} searches of {cases}: {wrong} false claims; next --seed {seed}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
