"""What the arena itself costs: processor time a game outside the players, and memory.

    python benchmarks/arena_overhead.py [--games 2000] [--recorded 10000]

Tic-tac-toe at depth 1 through worker processes, with the journal on disk; the players' own share is
measured by playing the same games in one process with a clock around each of their moves. Then so many
games are recorded, and the greatest memory of the leading process is shown.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path

from plywise.arena import Control, Here, Match, Processes, Writer, begin
from plywise.arena.own import Own

PLAYERS = ["plywise:depth=1,name=one", "plywise:depth=1,name=two"]
LIMIT = Control(depth=1)


def used() -> float:
    """Processor seconds of this process and of all that it has started and seen end."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, kinds))


def thinking(games: int) -> float:
    """Processor seconds that the players take for the same games."""
    spent = 0.0
    begins, chooses = Own.begin, Own.choose

    def timed(function):
        def run(*words):
            nonlocal spent
            begun = time.process_time()
            try:
                return function(*words)
            finally:
                spent += time.process_time() - begun

        return run

    Own.begin, Own.choose = timed(begins), timed(chooses)
    try:
        Match.of("tic_tac_toe", PLAYERS, pairs=games // 2, control=LIMIT).run(Here())
    finally:
        Own.begin, Own.choose = begins, chooses
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--recorded", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        before = used()
        match = Match.of("tic_tac_toe", PLAYERS, pairs=options.games // 2, control=LIMIT)
        journal = begin(match, Path(folder) / "one")
        match.run(Processes(2), journal)
        total = used() - before
        players = thinking(options.games)
        a_game = (total - players) / options.games * 1000
        print(f"{options.games} games: {total:.1f} s of processor time, {players:.1f} s of it the players'")
        print(f"{a_game:.2f} ms a game outside the players")
        if not options.recorded:
            return
        players_too = ["plywise:player=random,name=one", "plywise:player=random,name=two"]
        match = Match.of("tic_tac_toe", players_too, pairs=options.recorded // 2)
        with Writer(match, Path(folder) / "games.txt") as writer:
            match.run(Processes(2), begin(match, Path(folder) / "two"), watch=writer.write)
        size = (Path(folder) / "two").stat().st_size / 1e6
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(
            f"{match.standing.games} recorded games: {own:.0f} MB at most here, {child:.0f} MB in a worker,"
        )
        print(f"{size:.1f} MB of journal on disk")


if __name__ == "__main__":
    main()
