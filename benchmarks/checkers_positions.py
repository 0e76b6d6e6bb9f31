"""Search published positions, with and without the endgame database.

    python benchmarks/checkers_positions.py [--positions positions.tsv] [--seconds 10] [--only Hinkle]

Each line: the published result (and move, if it names one), then ours. The last line counts the scores that
agree, with the database and without, in the same run.
"""

import argparse
import os
import re
import tempfile
from pathlib import Path

import plywise

ORACLE = Path(__file__).resolve().parents[2] / "shared/oracles/checkers/positions.tsv"
CLEAR = 150  # a lead of a man and a half is taken for a win


def agrees(score: int, wanted: str) -> bool:
    return {"win": score >= CLEAR, "loss": score <= -CLEAR, "draw": abs(score) < CLEAR}[wanted]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--positions", type=Path, default=ORACLE)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", action="store_true", help="without the database too")
    given = parser.parse_args()
    game = plywise.load("checkers")
    rows = [row.split("\t") for row in given.positions.read_text().split("\n") if row and row[0] != "#"]
    found = {}
    data = os.environ.get("PLYWISE_DATA", "")
    for how in ("with", "without") if given.without else ("with",):
        if how == "without":
            os.environ["PLYWISE_DATA"] = tempfile.mkdtemp()
        agreed = total = 0
        for fen, wanted, name, *_ in rows:
            if given.only not in name:
                continue
            engine = plywise.Engine(game, hash=256)
            history = game.history(fen)
            pieces = (history.position.own | history.position.other).bit_count()
            result = engine.search(history, time=given.seconds)
            move = re.search(r"\((\d+-\d+)\)", name)
            good = agrees(result.score, wanted)
            agreed, total = agreed + good, total + 1
            print(
                f"{'=' if good else '!'} {pieces:2} pieces, {wanted:4} {move[1] if move else '':6}",
                f"{name[:42]:42} -> {result.move} {result.words} ({result.kind}) depth {result.depth},",
                f"{result.nodes / 1e6:.1f} million nodes, {result.seconds:.2f} s;",
                *result.line[:8],
                flush=True,
            )
        found[how] = f"{agreed} of {total}"
    os.environ["PLYWISE_DATA"] = data
    print("scores that agree:", ", ".join(f"{count} {how} the database" for how, count in found.items()))


if __name__ == "__main__":
    main()
