"""Every claim of the search against the truth, on random games: a million searches.

    python benchmarks/prove_random_games.py --searches 1000000 --seed 1 --state prove.json
    python benchmarks/prove_random_games.py --searches 2000000 --state prove.json --resume
    python benchmarks/prove_random_games.py --report prove.json [another.json ...]

Case number n is the same on every machine. The state file says what was done so far, once a minute;
`--resume` goes on from there, and `--report` prints its tables at any time, several files added up. The
run ends with status 1 if a claim was false, and prints code that shows it. To try another commit, put
its source first: PYTHONPATH=/path/to/its/src. See tests/prover for the games and the solver.

Version 0.1.0 fails within seconds. Its modules have other names, which the first prover knows:

    git archive d725db2 tests/__init__.py tests/prover benchmarks | tar x -C FOLDER
    git archive 5b7172c src | tar x -C FOLDER
    cd FOLDER && PYTHONPATH=src python benchmarks/prove_random_games.py --searches 1000
"""

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.prover.games import DRAWS, any_shape
from tests.prover.prove import Ask, Case, Prover, any_case, any_margins, any_walks, forced, large, stops

from plywise.search.switches import NAMES

GAME = 4  # cases of one game, whose truth is found once
SEARCHES = 30  # of a case
BATCH = 40  # cases between two looks at the clock
PYTHON_EVERY = 25  # of so many cases one is searched in Python, every other time in the plain form
STOPS_EVERY = 12  # of so many cases one is a search stopped at every node count
COMPARED_EVERY = 30  # of so many cases one is a large search with and without one part
FORCED_EVERY = 300  # of so many cases one is a game of forced moves, whose line may reach the last ply
WRITE_EVERY = 60.0  # seconds between two states
TABLES = ("modes", "claims", "fired")
PROVER: list[Prover] = []  # one a process


def case_of(number: int) -> Case:
    """The case of that number."""
    game, dice = random.Random(number // GAME), random.Random(number)
    shape, draws = any_shape(game, 1 + number // GAME % 4), game.randrange(len(DRAWS))
    database, walks = game.random() < 0.25 and shape.tail > 0, any_walks(game, 5)
    shape = replace(shape, images=int(game.random() < 0.3))
    case = any_case(dice, SEARCHES, walks=dice.sample(walks, 3))
    threads = case.threads if dice.random() < 0.15 else 1  # others take several times as long
    case = replace(case, shape=shape, draws=draws, database=database, threads=threads)
    margins = any_margins(dice) if dice.random() < 0.2 else ()
    case = replace(case, mobility=game.random() < 0.1, margins=margins)
    # A third of the histories begin later: the same root with another past, on the same table.
    pasts = (dice.choice((0, 0, len(ask.walk))) for ask in case.asks)
    case = replace(case, asks=tuple(replace(a, since=past) for a, past in zip(case.asks, pasts, strict=True)))
    if number % PYTHON_EVERY == 1:
        asks = tuple(replace(ask, nodes=min(ask.nodes or 1000, 1000)) for ask in case.asks[::3])
        plain = number % (2 * PYTHON_EVERY) == 1
        mobility = case.mobility and not plain  # the plain form has its own evaluation only
        return replace(case, asks=asks, plain=plain, compiled=False, threads=1, mobility=mobility)
    if number % STOPS_EVERY == 0:
        ask = Ask(case.asks[0].walk, depth=dice.randint(3, 8), lines=dice.randint(1, 4))
        return stops(replace(case, threads=1), ask, 60)
    return case


def prove(prover: Prover, number: int) -> None:
    """Check the case of that number."""
    if number % FORCED_EVERY == 5:
        prover.check(forced(number // FORCED_EVERY))
    elif number % COMPARED_EVERY == 2:
        prover.compare(large(random.Random(number)), list(NAMES)[number // COMPARED_EVERY % len(NAMES)])
    else:
        prover.check(case_of(number))


class Batch(NamedTuple):
    """What happened in some cases, from the first up to the one before `after`."""

    after: int
    searches: int
    tables: dict[str, Counter[str]]
    false: list[str]


def run(first: int, most_false: int) -> Batch:
    """Check a batch of cases, until so many have a false claim."""
    if not PROVER:
        PROVER.append(Prover())
    prover, false, started, number = PROVER[0], list[str](), time.perf_counter(), first
    prover.searches, prover.modes, prover.fired, prover.claims = 0, Counter(), Counter(), Counter()
    while number < first + BATCH and len(false) < most_false:
        try:
            prove(prover, number)
        except Exception as error:
            false.append(f"case {number}: {type(error).__name__}: {error}")
            print(f"FALSE {time.perf_counter() - started:.1f} s into the batch: {false[-1]}", flush=True)
        number += 1
    tables = {"modes": prover.modes, "fired": prover.fired, "claims": prover.claims}
    return Batch(number, prover.searches, tables, false)


class State:
    """What was done: the cases, the searches in them, the false claims, the time, and the tables."""

    def __init__(self, seed: int) -> None:
        self.runs = [[seed, seed]]  # the first case, and the next
        self.searches, self.false, self.seconds, self.processor = 0, list[str](), 0.0, 0.0
        self.tables: dict[str, Counter[str]] = {name: Counter() for name in TABLES}

    @classmethod
    def read(cls, path: Path) -> "State":
        state = cls(0)
        state.__dict__.update(json.loads(path.read_text()))
        state.tables = {name: Counter(table) for name, table in state.tables.items()}
        return state

    def write(self, path: Path) -> None:
        part = path.with_name(f".{path.name}.part")
        part.write_text(json.dumps(self.__dict__, indent=1))
        os.replace(part, path)

    def take(self, batch: Batch) -> None:
        """Add a batch."""
        self.searches, self.false = self.searches + batch.searches, self.false + batch.false
        self.runs[-1][1] = batch.after
        for name, table in batch.tables.items():
            self.tables[name].update(table)

    def add(self, other: "State") -> None:
        """Add what another run did."""
        self.runs, self.false = self.runs + other.runs, self.false + other.false
        self.searches += other.searches
        self.seconds, self.processor = self.seconds + other.seconds, self.processor + other.processor
        for name, table in other.tables.items():
            self.tables[name].update(table)

    @property
    def sentence(self) -> str:
        cases = ", ".join(f"{first:,} .. {after - 1:,}" for first, after in self.runs)
        rate = self.searches / max(self.processor, 0.001)
        return (
            f"{self.searches:,} searches of cases {cases}: {len(self.false)} false claims"
            f" ({self.seconds:,.0f} s, {rate:,.0f} a second of processor time)"
        )

    def report(self) -> str:
        """The tables; a technique that a row of the recorder does not name shows by the nodes it saves."""
        lines = []
        for name in TABLES:
            lines.append(name)
            lines += [f"  {word:<40}{count:>14,}" for word, count in sorted(self.tables[name].items())]
            lines.append("")
        lines += [
            "fired counts nodes of recorded searches. What leaves no node behind (futility, late moves,",
            "exchanges, internal reductions, ...) is counted by searches: those whose number of nodes",
            "changes without it, from the same empty table.",
            "",
            *self.false,
            self.sentence,
        ]
        return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--searches", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1, help="the number of the first case")
    parser.add_argument("--last", type=int, default=sys.maxsize, help="end with the batch of this case")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--most-false", type=int, default=20, help="end after so many false claims")
    parser.add_argument("--state", type=Path, help="keep what was done in this file")
    parser.add_argument("--resume", action="store_true", help="go on where the state ends")
    parser.add_argument("--report", type=Path, nargs="+", help="print the tables of states, added up")
    wanted = parser.parse_args()
    if wanted.report:
        state = State.read(wanted.report[0])
        for path in wanted.report[1:]:
            state.add(State.read(path))
        print(state.report())
        return 1 if state.false else 0
    if wanted.resume and (wanted.state is None or not wanted.state.exists()):
        parser.error("--resume needs the --state file of an earlier run")
    state = State.read(wanted.state) if wanted.resume else State(wanted.seed)
    go_on(state, wanted)
    print(f"\n{state.report()}")
    return 1 if state.false else 0


def go_on(state: State, wanted: Any) -> None:
    """Run batches until there are enough searches, or too many false claims."""
    pool = ProcessPoolExecutor(wanted.workers) if wanted.workers > 1 else None
    last, written, spent = time.perf_counter(), 0.0, processor_time()
    try:
        while state.searches < wanted.searches and len(state.false) < wanted.most_false:
            seed = state.runs[-1][1]
            if seed > wanted.last:
                break
            if pool is None:
                state.take(run(seed, wanted.most_false - len(state.false)))
            else:  # whole batches, so that no case between two of them is left out
                firsts = [seed + i * BATCH for i in range(wanted.workers)]
                for batch in pool.map(run, firsts, [BATCH] * len(firsts)):
                    state.take(batch)
            now, used = time.perf_counter(), processor_time()
            state.seconds, state.processor = state.seconds + now - last, state.processor + used - spent
            last, spent = now, used
            if now - written > WRITE_EVERY:
                written = now
                print(state.sentence, flush=True)
                if wanted.state is not None:
                    state.write(wanted.state)
    finally:
        if wanted.state is not None:
            state.write(wanted.state)
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def processor_time() -> float:
    """Seconds of processor time of this process and of workers that have ended."""
    return sum(os.times()[:4])


if __name__ == "__main__":
    sys.exit(main())
