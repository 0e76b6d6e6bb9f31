"""What each technique of the search is worth in each game: nodes to a depth, and a match at equal nodes.

    python benchmarks/screen_switches.py [GAME ...] [--nodes 2000] [--pairs 200] [--fewer 0]
        [--techniques a+b] [--sprt 0,20] [--workers 1] [--out FILE]

Each technique is switched off alone. The ratio is the nodes to the depth of the bench (`--fewer` turns less)
without it and with it: above 1 it saves nodes. The match is played by the search with it against the search
without it at fixed nodes a move, in pairs from random openings: above 0 it is worth having. With `--sprt` it
ends when a sequential test of these two Elo has decided; `+` and `-` say how. A technique that changes no
node of the bench is not played. Results are added to the file, and what is there is not measured again. The
table is printed as Markdown.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import plywise
from plywise.search.switches import NAMES

# What every search has; without them it is another program.
BASIC = {"table", "quiescence", "candidates"}
OPENINGS = {"checkers": "starts"}  # ballots; elsewhere random plies
RANDOM = "random:6"
VERDICTS = {"stronger": "+", "not stronger": "-"}  # of a sequential test; open: it had no pairs left
CALLS = {"chess": ["--call-win", "3,800", "--call-draw", "40,8,10"], "checkers": ["--call-win", "3,800"]}
MOST = 20  # times the nodes with all techniques: a search that takes more is stopped
BENCH_NODES = 100_000  # where a game has no bench of its own: the depth that these nodes reach


def depths(game: plywise.Game, fewer: int) -> list[tuple[str, int]]:
    """Positions of the game, each with a depth to search them to."""
    if game.bench:
        return [(text, max(1, depth - fewer)) for text, depth in game.bench]
    engine, history = plywise.Engine(game, hash=64), game.history()
    result: list[tuple[str, int]] = []
    for _ in range(4):
        engine.clear()
        found = engine.search(history, nodes=BENCH_NODES)
        result.append((history.text, max(1, found.depth - fewer)))
        for move in found.line[:4]:
            if history.outcome is None:
                history = history.play(move)
    return result


def count(
    game: plywise.Game,
    searches: list[tuple[str, int]],
    without: tuple[str, ...] = (),
    most: int | None = None,
) -> int:
    """The nodes of all searches, `most` of each at most."""
    engine, nodes = plywise.Engine(game, hash=64, without=without), 0
    for text, depth in searches:
        engine.clear()
        nodes += engine.search(game.history(text), depth=depth, nodes=most).nodes
    return nodes


def play(name: str, technique: str, options: argparse.Namespace) -> dict[str, Any]:
    """The match of the search with a technique against the one without it."""
    player = f"plywise:nodes={options.nodes}"
    short = plywise.load(name).name
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "plywise", "match", name, player, f"{player},without={technique}"]
        command += ["--pairs", str(options.pairs), "--openings", OPENINGS.get(short, RANDOM)]
        command += ["--workers", str(options.workers), "--file", str(Path(folder) / "match"), "--json"]
        command += ["--longest", "200", *CALLS.get(short, [])]
        if options.sprt:
            command += ["--sprt", options.sprt, "--logistic"]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    answer = json.loads(done.stdout)
    meeting: dict[str, Any] = answer["meetings"][0]
    verdict = answer["sprt"]["verdict"] if options.sprt else ""
    return {**meeting, "verdict": VERDICTS.get(verdict, "")}


def cell(row: dict[str, Any]) -> str:
    """One row of results as a cell of the table."""
    if "elo" not in row:
        return f"{row['ratio']:.2f}" if row["ratio"] != 1 else "-"
    elo = "all won" if row["elo"] is None else f"{row['elo']:+.0f}"
    error = "" if row["error"] is None else f" +- {row['error']:.0f}"
    games = row["wins"] + row["draws"] + row["losses"]
    return f"{row['ratio']:.2f}, {elo}{error} in {games} {row.get('verdict', '')}".strip()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    games = ["checkers", "polis", "connect_four", "chess", "skirmish"]
    parser.add_argument("games", nargs="*", default=games)
    parser.add_argument("--nodes", type=int, default=2000, help="a move")
    parser.add_argument("--pairs", type=int, default=200, help="of games; 0: only the nodes to a depth")
    parser.add_argument("--fewer", type=int, default=0, help="turns below the depth of the bench")
    parser.add_argument("--techniques", default="", help="only these, with + between them")
    parser.add_argument("--sprt", default="", help="ELO0,ELO1 of a sequential test")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("screen.jsonl"))
    options = parser.parse_args()
    names = options.techniques.split("+") if options.techniques else [n for n in NAMES if n not in BASIC]
    known: dict[tuple[str, str], dict[str, Any]] = {}
    if options.out.exists():
        for line in options.out.read_text().splitlines():
            row = json.loads(line)
            known[row["game"], row["technique"]] = row
    for name in options.games:
        game = plywise.load(name)
        searches = depths(game, options.fewer)
        base = count(game, searches)
        for technique in names:
            row = known.get((game.name, technique), {})
            if not row:
                ratio = count(game, searches, (technique,), MOST * base // len(searches)) / base
                row = {"game": game.name, "technique": technique, "ratio": ratio, "nodes": options.nodes}
            if row["ratio"] != 1 and options.pairs > 0 and "elo" not in row:
                met = play(name, technique, options)
                score = {key: met[key] for key in ("wins", "draws", "losses", "elo")}
                row.update(score, error=met["elo_error"], verdict=met["verdict"])
            if row != known.get((game.name, technique)):
                known[game.name, technique] = row
                with options.out.open("a") as file:
                    file.write(json.dumps(row) + "\n")
            print(game.name, technique, cell(row), file=sys.stderr, flush=True)
    titles = [plywise.load(name).name for name in options.games]
    print(f"| technique | {' | '.join(titles)} |\n|{' --- |' * (len(titles) + 1)}")
    for technique in names:
        print(f"| {technique} | {' | '.join(cell(known[title, technique]) for title in titles)} |")


if __name__ == "__main__":
    main()
