"""A quick match of chess between two settings of the same engine: pairs of games from openings.

    python benchmarks/chess_match.py OPENINGS.epd[.zip] [--pairs N] [--nodes N | --time S]
        [--without PART ...] [--weights FILE]

The options are those of the first player; the second has all parts of the search and the weights as
shipped. Prints the score of the first player and the difference in Elo with its standard error.
"""

import argparse
import math
import random
import zipfile
from pathlib import Path
from typing import Any

import plywise
from plywise.core.history import History


def openings(path: Path, count: int, seed: int) -> list[str]:
    """Positions from a file of EPD lines, drawn by lot."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            text = archive.read(archive.namelist()[0]).decode()
    else:
        text = path.read_text()
    lines = [line.split(";")[0] for line in text.splitlines() if line.strip()]
    return random.Random(seed).sample(lines, min(count, len(lines)))


def game(first: plywise.Engine, second: plywise.Engine, history: History, limit: dict[str, Any]) -> float:
    """The points of the player who begins."""
    players = (first, second) if history.turn == 0 else (second, first)
    begins = 0 if history.turn == 0 else 1
    won = 0
    while True:
        outcome = history.outcome
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner == begins)
        result = players[history.turn].search(history, **limit)
        # A game is called when both sides agree for some moves that it is decided.
        score = result.score if history.turn == 0 else -result.score
        won = won + 1 if score > 1000 and won >= 0 else won - 1 if score < -1000 and won <= 0 else 0
        if abs(won) >= 6:
            return float((won > 0) == (begins == 0))
        history = history.play(str(result.move))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("openings", type=Path)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--time", type=float, default=0.05)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--weights")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chess = plywise.load("chess")
    one = plywise.Engine(chess, hash=16, without=options.without, weights=options.weights)
    two = plywise.Engine(chess, hash=16)
    limit = {"nodes": options.nodes} if options.nodes else {"time": options.time}
    pairs = []
    for fen in openings(options.openings, options.pairs, options.seed):
        start = History(chess, chess.parse(fen))
        points = 0.0
        for flipped in (False, True):
            one.clear()
            two.clear()
            result = game(two, one, start, limit) if flipped else game(one, two, start, limit)
            points += 1 - result if flipped else result
        pairs.append(points / 2)
    mean = sum(pairs) / len(pairs)
    spread = math.sqrt(sum((p - mean) ** 2 for p in pairs) / max(1, len(pairs) - 1) / len(pairs))
    safe = min(max(mean, 0.01), 0.99)
    elo = -400 * math.log10(1 / safe - 1)
    error = 400 / math.log(10) * spread / (safe * (1 - safe))
    print(f"{2 * len(pairs)} games: {mean:.1%} for the first, {elo:+.0f} +- {error:.0f} Elo")


if __name__ == "__main__":
    main()
