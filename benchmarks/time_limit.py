"""How exactly a limit by time is kept: the wall time by which searches overrun it.

    python benchmarks/time_limit.py [GAME] [--time 0.1] [--searches 2000] [--threads 1] [--busy 0]

Searches the positions of random games, each within the same time, and prints the overrun: median, 99th
percentile and most, in milliseconds. `--busy` starts so many processes that only count.
"""

import argparse
import multiprocessing
import random
import statistics
import time

import plywise

PLIES = 30  # of a random game


def count() -> None:
    """Keep a processor busy."""
    number = 0
    while True:
        number += 1


def positions(game: plywise.Game, dice: random.Random) -> list[plywise.History]:
    """The positions of a random game that are open and have a choice."""
    history = game.history()
    result: list[plywise.History] = []
    while history.outcome is None and len(result) < PLIES:
        if len(history.moves) > 1:
            result.append(history)
        history = history.play(dice.choice(history.moves))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", nargs="?", default="chess")
    parser.add_argument("--time", type=float, default=0.1, help="seconds a search")
    parser.add_argument("--searches", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--busy", type=int, default=0, help="processes that only count beside it")
    options = parser.parse_args()
    game, dice = plywise.load(options.game), random.Random(1)
    engine = plywise.Engine(game, hash=16, threads=options.threads)
    engine.search(game.history(), nodes=1000)
    others = [multiprocessing.Process(target=count, daemon=True) for _ in range(options.busy)]
    for other in others:
        other.start()
    overruns: list[float] = []
    firsts: list[float] = []
    while len(overruns) < options.searches:
        for history in positions(game, dice)[: options.searches - len(overruns)]:
            begin = time.perf_counter()
            search = engine.start(history, time=options.time)
            if next(search, None) is not None:  # a busy machine may leave no time for the first depth
                firsts.append(1000 * (time.perf_counter() - begin))
            result = search.result()
            took = time.perf_counter() - begin
            if took >= options.time or str(result.kind) != "proven":
                overruns.append(1000 * (took - options.time))
    for other in others:
        other.kill()
    last = sorted(overruns)
    print(
        f"{options.game}, {len(overruns)} searches of {options.time} s, {options.threads} threads:"
        f" overrun median {statistics.median(last):.2f} ms, 99 % {last[int(0.99 * (len(last) - 1))]:.2f} ms,"
        f" most {last[-1]:.2f} ms; first report after {statistics.median(firsts):.2f} ms (median)"
    )


if __name__ == "__main__":
    main()
