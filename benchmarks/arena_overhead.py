"""The overhead of the arena: processor time a game without that of the players, and memory.

    python benchmarks/arena_overhead.py [--games 2000] [--recorded 10000]

Tic-tac-toe at depth 1 through two worker processes, with the journal on disk. A meter in the workers
measures the processor time of the players' methods; the rest, with the start of the processes, is the
arena's. Then games are recorded, and the peak memory of the main process and of a worker is shown.
"""

import argparse
import os
import resource
import tempfile
from pathlib import Path

from plywise.arena import GameWriter, Match, Processes, TimeControl, create_journal

PLAYERS = ["plywise:depth=1,name=one", "plywise:depth=1,name=two"]
RANDOM = ["plywise:player=random,name=one", "plywise:player=random,name=two"]

# Python runs this at the start of each worker: it is called sitecustomize.py there.
METER = """
import os, time
from plywise.arena import worker
from plywise.arena.builtin import BuiltinPlayer

spent = 0.0

def metered(method):
    def run(*words):
        global spent
        begun = time.process_time()
        try:
            return method(*words)
        finally:
            spent += time.process_time() - begun
    return run

leave = worker._exit

def tell():
    with open(os.environ["METER"], "a") as file:
        file.write(f"{spent}\\n")
    leave()

for name in ("start_game", "choose", "prepare"):
    setattr(BuiltinPlayer, name, metered(getattr(BuiltinPlayer, name)))
worker._exit = tell
"""


def used() -> float:
    """Processor seconds of this process and of its ended children."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, kinds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--recorded", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sitecustomize.py").write_text(METER, encoding="utf-8")
        before = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = os.pathsep.join(part for part in (name, before) if part)
        os.environ["METER"] = str(folder / "meter")
        begun = used()
        match = Match.of("tic_tac_toe", PLAYERS, pairs=options.games // 2, control=TimeControl(depth=1))
        match.run(Processes(2), create_journal(match, folder / "one"))
        total = used() - begun
        players = sum(map(float, (folder / "meter").read_text(encoding="utf-8").split()))
        print(f"{options.games} games: {total:.1f} s of processor time, {players:.1f} s of it the players'")
        print(f"{(total - players) / options.games * 1000:.2f} ms a game outside the players")
        if not options.recorded:
            return
        os.environ["PYTHONPATH"] = before
        match = Match.of("tic_tac_toe", RANDOM, pairs=options.recorded // 2)
        with GameWriter(match, folder / "games.txt") as writer:
            match.run(Processes(2), create_journal(match, folder / "two"), watch=writer.write)
        own, child = (
            resource.getrusage(kind).ru_maxrss / 1024
            for kind in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        print(f"{match.tally.games} recorded games: at most {own:.0f} MB here and {child:.0f} MB in a worker")


if __name__ == "__main__":
    main()
