"""The first minute on the page: analysis on, an empty compile cache, and somebody who plays moves meanwhile.

    python benchmarks/first_minute.py [GAME] [--between SECONDS]

Seconds until the analysis is compiled, beside those of a process that only compiles; and how long the server
takes to answer a move meanwhile. Both are wall time: the machine should be quiet.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.web.page import Page
from tests.web.process import Process

COMPILE = "import sys, plywise; plywise.Engine(plywise.load(sys.argv[1]), hash=1)"


def time_compiler(game: str) -> float:
    """The seconds of a process that compiles a game and does nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        environment = os.environ | {"PLYWISE_CACHE": folder}
        subprocess.run([sys.executable, "-c", COMPILE, game], check=True, env=environment)
        return time.perf_counter() - began


def time_page(game: str, between: float) -> tuple[float, list[float], list[float | None]]:
    """Seconds until the analysis is compiled; seconds of each move until then; the shares of the bar."""
    clicks: list[float] = []
    shares: list[float | None] = []
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLYWISE_CACHE"] = folder
        with Process(Path(folder)) as server, Page(server.port) as page:
            began = time.perf_counter()
            id = page.new(game)
            page.ask("analyse", game=id, node=0)
            compiled = False
            while not compiled:
                if page.states[id]["outcome"] is not None:
                    id = page.new(game)
                move = dice.choice(page.states[id]["view"]["moves"])["move"]
                asked = time.perf_counter()
                page.play(id, move)
                clicks.append(time.perf_counter() - asked)
                page.ask("analyse", game=id, node=page.states[id]["tip"])
                until = time.perf_counter() + between
                while (left := until - time.perf_counter()) > 0 and not compiled:
                    try:
                        page.news.append(page.read(left))
                    except TimeoutError:
                        break
                for news in page.news:
                    if news.get("tell") == "preparing":
                        shares.append(news["share"])
                    compiled |= news.get("tell") == "analysis" and news["compiled"]
                page.news.clear()
            return time.perf_counter() - began, clicks, shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", nargs="?", default="chess")
    parser.add_argument("--between", type=float, default=0.5, help="seconds between two moves")
    given = parser.parse_args()
    alone = time_compiler(given.game)
    took, clicks, shares = time_page(given.game, given.between)
    known = [share for share in shares if share is not None]
    assert known == sorted(known) and all(share <= 1 for share in known)
    print(
        f"{given.game}: compiled in {took:.1f} s with analysis on,"
        f" {alone:.1f} s alone: {took / alone:.2f} times"
    )
    print(
        f"{len(clicks)} moves meanwhile: answered in {1000 * statistics.median(clicks):.0f} ms (median),"
        f" {1000 * max(clicks):.0f} ms at most; {len(known)} steps of the bar"
    )


if __name__ == "__main__":
    main()
