"""Play points of the scale of strength against each other and programs of known rating; rate them all.

    python benchmarks/strength_scale.py games.jsonl --meet nodes=1000,heat=0.1 nodes=3000 --pairs 30
    python benchmarks/strength_scale.py games.jsonl --meet nodes=9000 "xboard:hoichess -x,control=40/10"
    python benchmarks/strength_scale.py games.jsonl --ladder --pairs 20 --anchor nodes=2000@1670

A point is given by its nodes and its heat, a program as in `plywise match`. All games are added to the
file, one a line; the table has all games in it, with 95 % errors. `--ladder` plays each point of the scale
against the next. The results are in strength_scale.md.
"""

import argparse
import json
import random
import resource
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from plywise import load
from plywise.arena.adjudication import AdjudicationRules
from plywise.arena.builtin import BuiltinPlayer
from plywise.arena.external import make_engine
from plywise.arena.openings import history, read
from plywise.arena.player_spec import parse
from plywise.arena.rating import rate
from plywise.arena.setup import Setup
from plywise.arena.single_game import play_game
from plywise.arena.time_control import TimeControl
from plywise.core.game import Game
from plywise.play.elo import SCALE, ScalePoint

RULES = AdjudicationRules(win=(5, 1000), draw=(40, 8, 10), longest=400)


def seat(game: Game, text: str) -> Any:
    """Make a player."""
    if text.startswith(("xboard:", "uci:")):
        spec = parse(text)
        return make_engine(game, spec, Setup(game.name, (spec,), TimeControl(), margin=1.0))
    own = BuiltinPlayer(game, parse("plywise"), TimeControl())
    words = dict(word.split("=") for word in text.split(","))
    own.level = ScalePoint(0, int(words["nodes"]), float(words.get("heat", 0))).level(game)
    own.prepare()
    return own


def meet(game: Game, texts: list[str], pairs: int, seed: int, file: Path) -> None:
    """Play pairs of games, each from its own opening."""
    seats = [seat(game, text) for text in texts]
    order = read(game)
    random.Random(f"{seed} {texts}").shuffle(order)
    began, points, took = time.perf_counter(), [], [0.0, 0.0]
    for number in range(pairs):
        start = history(game, order[number % len(order)])
        for first in (0, 1):
            dice = random.Random(f"{seed} {texts} {number} {first}")
            sides = (first, 1 - first)
            seeds = [dice.getrandbits(32) for _ in sides]
            done = play_game((seats[first], seats[1 - first]), start, "", sides, rules=RULES, seeds=seeds)
            points.append(done.points(0))
            for side, work in zip(sides, done.work, strict=True):
                took[side] += work.seconds
            row = {"players": texts, "points": done.points(0), "how": done.how, "plies": len(done.moves)}
            with file.open("a") as out:
                out.write(json.dumps(row) + "\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for one in seats:
        one.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"{texts[0]} v {texts[1]}: {sum(points)} of {len(points)}, {took[0]:.0f} + {took[1]:.0f} s"
        f" of thinking in {time.perf_counter() - began:.0f} s; {spent:.0f} s of processor by a program",
        flush=True,
    )


def table(file: Path, anchor: str | None) -> None:
    """The ratings of all players, from the weakest up."""
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    names = list(dict.fromkeys(name for row in rows for name in row["players"]))
    counts = Counter((*row["players"], row["points"]) for row in rows)
    met = {(one, other) for one, other, _ in counts}
    results = {
        (names.index(one), names.index(other)): (
            counts[one, other, 1.0],
            counts[one, other, 0.5],
            counts[one, other, 0.0],
        )
        for one, other in met
    }
    name, _, elo = (anchor or f"{names[0]}@0").rpartition("@")
    at = next(i for i, one in enumerate(names) if name in one)
    ratings = rate(len(names), results, at, float(elo))
    for name, one in sorted(zip(names, ratings, strict=True), key=lambda pair: pair[1].elo or 0.0):
        print(f"{one.elo or 0:7.0f} +- {one.error or 0:3.0f}  {one.games:4} games {one.points:6}  {name}")
    print(f"{len(rows)} games; not ended by the rules: {Counter(row['how'] for row in rows)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path, help="where the games are kept")
    parser.add_argument("--meet", nargs=2, action="append", default=[], metavar="PLAYER")
    parser.add_argument("--ladder", action="store_true")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--anchor", help="NAME@ELO: a part of a player's name and its rating")
    words = parser.parse_args()
    points = [f"nodes={one.nodes}" + (f",heat={one.heat}" if one.heat else "") for one in SCALE]
    for texts in [*words.meet, *(pairwise(points) if words.ladder else ())]:
        meet(load("chess"), list(texts), words.pairs, words.seed, words.file)
    table(words.file, words.anchor)


if __name__ == "__main__":
    main()
