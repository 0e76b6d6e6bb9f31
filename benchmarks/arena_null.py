"""A player against itself: the match must not find it stronger.

    python benchmarks/arena_null.py [--game connect_four] [--games 1000] [--time 0.01] [--slice 240]

The games are kept in a file. A run ends after --slice seconds; call it again to continue. Prints the Elo
difference with its 95 % interval, and whether the interval contains 0.
"""

import argparse
import time
from pathlib import Path

from plywise.arena import Journal, Match, Processes, TimeControl, create_journal


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--time", type=float, default=0.01)
    parser.add_argument("--slice", type=float, default=240)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path, default=Path("arena_null.match"))
    options = parser.parse_args()
    if options.file.exists():
        journal = Journal.resume(options.file)
        match = Match.resume(journal)
    else:
        players = ["plywise:hash=1,name=old", "plywise:hash=1,name=the same"]
        control = TimeControl(time=options.time)
        match = Match.of(
            options.game,
            players,
            pairs=options.games // 2,
            control=control,
            seed=options.seed,
            openings_from="random:6",
            margin=5.0,  # on a busy machine the clock is not the question
        )
        journal = create_journal(match, options.file)
    until = time.monotonic() + options.slice
    match.run(Processes(options.workers), journal, stopped=lambda: time.monotonic() > until)
    print(match.report())
    estimate = match.tally.meetings[0, 1].estimate
    if estimate.error is None:
        print("no variance: nothing can be said")
    else:
        inside = estimate.low <= 0 <= estimate.high
        print(f"the interval {estimate.low:+.1f} to {estimate.high:+.1f} {'holds' if inside else 'misses'} 0")


if __name__ == "__main__":
    main()
