"""A match of this version of Plywise against another one, each in an environment of its own.

    python benchmarks/version_match.py GAME OTHER_PYTHON [--cpu S | --nodes N] [--pairs N] [--workers N]
        [--seed N] [--openings SOURCE] [--state FILE] [--other-cache FOLDER]
        [--without a+b] [--margins a:1+b:2] [--factor F]

OTHER_PYTHON is the interpreter of the environment in which the other version is installed. Both players are
processes of their own; `--cpu` is processor time a move, and both are stopped in the same way (see
version_player.py), so a busy machine matters little. Pairs are played from balanced openings (checkers: the
ballots) with sides swapped; what both see as won, and in chess as drawn, is called so. Each pair is added to
the state file when it is done, and a match that was killed goes on from there. `--without` and `--margins`
are options of this version; `--factor` gives it so many times the limit of the other one, to see what more
time would be worth.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import plywise
from plywise.arena import openings
from plywise.arena.adjudication import AdjudicationRules, Adjudicator
from plywise.arena.statistics import from_pairs

PLAYER = Path(__file__).with_name("version_player.py")
NAMES = ("this", "other")
# Games whose scores are in men: there a lead decides. In checkers an even ending is won by who sees farther,
# so no draw is called.
CALLS = {
    "chess": AdjudicationRules(win=(3, 800), draw=(40, 8, 10), longest=400),
    "checkers": AdjudicationRules(win=(3, 800), longest=400),
}


class Player:
    """A process that plays one version, and what its moves took."""

    def __init__(
        self, python: str, game: str, cache: str | None, options: dict[str, Any], limit: dict[str, Any]
    ) -> None:
        self.options, self.limit = options, limit
        self.process = subprocess.Popen(
            [python, str(PLAYER), game],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **({"PLYWISE_CACHE": cache} if cache else {})},
        )

    def move(self, task: dict[str, Any]) -> dict[str, Any]:
        """What the player answers."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps({**task, **self.limit, "options": self.options}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"a player is gone, with status {self.process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer


def play(game: plywise.Game, players: dict[str, Player], first: str, opening: str) -> dict[str, Any]:
    """One game with `first` to move in the opening: the points of this version, and the work."""
    history, moves = openings.history(game, opening), opening if "moves" in opening else f"{opening} moves"
    second = NAMES[1 - NAMES.index(first)]
    sides = {history.turn: first, 1 - history.turn: second}
    calls, seen = Adjudicator(CALLS.get(game.name, AdjudicationRules())), set[str]()
    work = {name: Counter[str]() for name in NAMES}
    while (outcome := history.outcome or calls.outcome(history.length)) is None:
        side, name = history.turn, sides[history.turn]
        answer = players[name].move({"position": moves, "new": name not in seen})
        seen.add(name)
        work[name].update(
            moves=1,
            microseconds=round(answer["cpu"] * 1e6),
            depth=answer["depth"],
            nodes=answer["nodes"],
        )
        calls.add_score(side, answer["score"])
        history = history.play(answer["move"])
        moves += f" {answer['move']}"
    points = 1 if outcome.winner is None else 2 * int(sides[outcome.winner] == "this")
    return {"points": points, "plies": history.length, "reason": outcome.reason, "moves": moves, "work": work}


def report(pairs: list[dict[str, Any]]) -> str:
    """The match so far in three lines."""
    games = [game for pair in pairs for game in pair["games"]]
    points = [game["points"] for game in games]
    classes = Counter(sum(game["points"] for game in pair["games"]) for pair in pairs)
    found = from_pairs([classes[i] for i in range(5)])
    lines = [
        f"{len(games)} games: +{points.count(2)} ={points.count(1)} -{points.count(0)},"
        f" {found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}] Elo (95 %, by pairs)"
    ]
    for name in NAMES:
        work: Counter[str] = sum((Counter(game["work"][name]) for game in games), Counter())
        moves, seconds = max(1, work["moves"]), max(1, work["microseconds"]) / 1e6
        lines.append(
            f"  {name}: {1e3 * seconds / moves:.1f} ms of processor time, depth {work['depth'] / moves:.1f},"
            f" {work['nodes'] / moves:,.0f} nodes a move, {work['nodes'] / seconds / 1e6:.2f} million nodes/s"
        )
    return "\n".join(lines)


def read_state(path: Path | None, setting: dict[str, Any]) -> list[dict[str, Any]]:
    """The pairs that were played before; the file must be of the same match."""
    if path is None or not path.exists():
        if path is not None:
            path.write_text(json.dumps(setting) + "\n")
        return []
    first, *rest = path.read_text().splitlines()
    if json.loads(first) != setting:
        raise SystemExit(f"{path} is of another match: {first}")
    return [json.loads(line) for line in rest]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("other", help="the interpreter with the other version")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--cpu", type=float, help="seconds of processor time a move")
    parser.add_argument("--nodes", type=int, help="nodes a move")
    parser.add_argument("--workers", type=int, default=1, help="games at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--openings", help="as in `plywise match`")
    parser.add_argument("--state", type=Path)
    parser.add_argument("--other-cache", help="where the other version keeps its compiled code")
    parser.add_argument("--without", default="")
    parser.add_argument("--margins", default="")
    parser.add_argument("--factor", type=float, default=1)
    options = parser.parse_args()
    if (options.cpu is None) == (options.nodes is None):
        parser.error("say --cpu or --nodes")
    game = plywise.load(options.game)
    source = options.openings or ("starts" if game.name == "checkers" else None)
    texts = openings.read(game, source, seed=options.seed)
    random.Random(options.seed).shuffle(texts)
    limit = {"cpu": options.cpu, "nodes": options.nodes}
    own: dict[str, Any] = {}
    if options.without:
        own["without"] = options.without.split("+")
    if options.margins:
        own["margins"] = {n: int(v) for n, v in (pair.split(":") for pair in options.margins.split("+"))}
    setting = {"game": game.name, "openings": source, "seed": options.seed, **limit, "options": own}
    own_limit = limit
    if options.factor != 1:
        setting["factor"] = options.factor
        own_limit = {
            "cpu": options.cpu and options.cpu * options.factor,
            "nodes": options.nodes and round(options.nodes * options.factor),
        }
    pairs = read_state(options.state, setting)
    numbers = [i for i in range(options.pairs) if i not in {pair["number"] for pair in pairs}]
    lock, local = threading.Lock(), threading.local()

    def play_pair(number: int) -> None:
        if not hasattr(local, "players"):
            local.players = {
                "this": Player(sys.executable, game.name, None, own, own_limit),
                "other": Player(options.other, game.name, options.other_cache, {}, limit),
            }
        opening = texts[number % len(texts)]
        pair = {
            "number": number,
            "opening": opening,
            "games": [play(game, local.players, name, opening) for name in NAMES],
        }
        with lock:
            pairs.append(pair)
            if options.state is not None:
                with options.state.open("a") as file:
                    file.write(json.dumps(pair) + "\n")
            print(report(pairs), flush=True)

    with ThreadPoolExecutor(options.workers) as pool:
        list(pool.map(play_pair, numbers))
    if not numbers:
        print(report(pairs))


if __name__ == "__main__":
    main()
