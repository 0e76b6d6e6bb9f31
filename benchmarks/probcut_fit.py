"""Fit ProbCut for a game: how a shallow search foretells a deep one.

    python benchmarks/probcut_fit.py GAME [--positions 300] [--depth 12] [--nodes 2000000]

Positions come from games of quick searches with random moves in between. Each is searched turn by turn
without ProbCut; the score of every depth is kept. For each depth a line is fitted, score = slope * shallow +
offset, and the spread of what is left. Prints the rows for `@game(probcut=...)`, in hundredths, scores in
hundredths of the unit; the last column is the correlation, which is no part of the row.
"""

import argparse
import random
from collections.abc import Iterator

import numpy as np

import plywise
from plywise.core.scores import MAX_EVALUATION

MOST_UNITS = 10  # a score beyond this says that the game is decided


def positions(game: plywise.Game, engine: plywise.Engine, dice: random.Random) -> Iterator[plywise.History]:
    """Positions of games in which every fourth move is random."""
    while True:
        history = game.history()
        for ply in range(200):
            if history.outcome is not None:
                break
            if ply < 6 or dice.random() < 0.25:
                history = history.play(dice.choice(history.moves))
            else:
                move = engine.search(history, nodes=1000).move
                assert move is not None
                history = history.play(move)
            if ply >= 6 and dice.random() < 0.2 and history.outcome is None:
                yield history


def scores(engine: plywise.Engine, history: plywise.History, depth: int, nodes: int) -> dict[int, int]:
    """The score of each finished depth, for the side to move."""
    engine.clear()
    result: dict[int, int] = {}
    with engine.start(history, depth=depth, nodes=nodes) as search:
        for report in search:
            if report.lines and not report.place:
                result[report.depth] = report.lines[0].score
    return result


def shallow_depth(depth: int) -> int:
    """Half the depth, a turn more where the side to move at the leaves would be another one."""
    half = depth // 2
    return half if (depth - half) % 2 == 0 else half + 1 if half + 1 < depth else half


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--nodes", type=int, default=2_000_000, help="of one search, at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game, dice = plywise.load(options.game), random.Random(options.seed)
    engine = plywise.Engine(game, hash=64, without=["probcut"])
    unit = engine.evaluation.unit
    seen: list[dict[int, int]] = []
    for history in positions(game, plywise.Engine(game, hash=4), dice):
        seen.append(scores(engine, history, options.depth, options.nodes))
        if len(seen) >= options.positions:
            break
    most = min(MAX_EVALUATION, MOST_UNITS * unit)
    for depth in range(3, options.depth + 1):
        shallow = shallow_depth(depth)
        pairs = [(found[shallow], found[depth]) for found in seen if depth in found and shallow in found]
        pairs = [pair for pair in pairs if max(map(abs, pair)) < most]
        if len(pairs) < 3:
            continue
        x, y = np.array(pairs, float).T
        slope, offset = np.polyfit(x, y, 1) if x.std() > 0 else (1.0, 0.0)
        spread = float((y - slope * x - offset).std())
        correlation = float(np.corrcoef(x, y)[0, 1]) if x.std() > 0 and y.std() > 0 else 0.0
        row = [depth, shallow, *(round(100 * value) for value in (slope, offset / unit, spread / unit))]
        print(f"({', '.join(map(str, row))}),  # {len(pairs)} positions, correlation {correlation:.3f}")


if __name__ == "__main__":
    main()
