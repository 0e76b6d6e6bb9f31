"""Tune the weights of chess on games of its own (Texel's method with search scores blended in).

    python benchmarks/chess_tune.py play OPENINGS.epd.zip DATA.csv [--seconds S] [--depth N] [--seed N]
    python benchmarks/chess_tune.py fit DATA.csv WEIGHTS.json [--lean X]

`play` lets the engine play itself from drawn openings, with some moves at random at first, and writes
the quiet positions: FEN, search score for the side to move, result for the side to move. `fit` moves
the weights so that the evaluation foretells both, by a ridge regression on the points expected; it
leans on the present weights where the data say little.
"""

import argparse
import csv
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.chess_match import openings
from benchmarks.chess_weights import write

import plywise
from plywise.core.history import History
from plywise.core.scores import INFINITE
from plywise.games.chess.evaluation import LAYOUT, WEIGHTS
from plywise.games.chess.terms import Traced, traced
from plywise.search.engine import _set_stop
from plywise.search.limits import Limits

SPREAD = 170.0  # hundredths of a pawn; points = 1 / (1 + exp(-score / SPREAD))


def play(options: argparse.Namespace) -> None:
    """Self-play; each position with the result as its side to move saw it."""
    chess = plywise.load("chess")
    engine = plywise.Engine(chess, hash=16)
    chance = random.Random(options.seed)
    starts = openings(options.openings, 4000, options.seed)
    deadline = time.monotonic() + options.seconds
    games = 0
    engine.search(chess.history(), depth=1)  # sets everything up
    memory = engine._memories[0]
    _set_stop(engine._flags, 0)
    with options.data.open("a", newline="") as file:
        rows = csv.writer(file)
        while time.monotonic() < deadline:
            history = History(chess, chess.parse(starts[games % len(starts)]))
            for _ in range(chance.randrange(2, 6)):
                if history.outcome is None:
                    history = history.play(chance.choice(chess.moves(history.position)))
            rows.writerows(one_game(engine, memory, history, options.depth))
            games += 1
    print(f"{games} games")


def think(engine: Any, memory: Any, history: History, depth: int) -> tuple[int, int]:
    """Score and move of a search in this thread: starting one for each move would take longer."""
    position, record = history.position, memory.record
    engine._prepare(memory, history, Limits())
    moves = engine.game.moves(position)
    score = 0
    for now in range(1, depth + 1):
        for i, move in enumerate(moves):
            record.moves[i], record.order[i], record.efforts[i] = move, len(moves) - i, 0
        record.first, record.last, record.done, record.whole = 0, len(moves), 0, 1
        record.best, record.iteration = -1, now
        score = engine.runner(position, memory, now, -INFINITE, INFINITE)
        best = int(record.best)
        moves.remove(best)
        moves.insert(0, best)
    return score, moves[0]


def one_game(engine: Any, memory: Any, history: History, depth: int) -> list[tuple[str, int, float]]:
    seen: list[tuple[str, int, int]] = []
    decided = 0
    while history.outcome is None and history.length < 240 and decided < 4:
        position, turn = history.position, history.turn
        score, move = think(engine, memory, history, depth)
        if position.gain(move) == 0 and not position.urgent() and abs(score) < 1500:
            seen.append((position.text(), score, turn))
        decided = decided + 1 if abs(score) > 1500 else 0
        history = History(engine.game, position.play(move), history, move)
    outcome = history.outcome
    if decided >= 4:
        points = float((score > 0) == (turn == 0))
    elif outcome is None or outcome.winner is None:
        points = 0.5
    else:
        points = float(outcome.winner == 0)
    return [(fen, score, points if turn == 0 else 1 - points) for fen, score, turn in seen]


def fit(options: argparse.Namespace) -> None:
    """Newton steps on the squared error of the points, with a pull towards the present weights."""
    chess = plywise.load("chess")
    names = [(name, i) for name, _, (size,) in LAYOUT.fields for i in range(size)]
    column = {key: k for k, key in enumerate(names)}
    weights = Traced()
    start = np.array([weights.values[name][i] for name, i in names], float)
    places, times, rows, targets, offsets = [], [], [], [], []
    with options.data.open(newline="") as file:
        for row, (fen, score, points) in enumerate(csv.reader(file)):
            whole = traced(chess.parse(fen), weights)
            for key, count in whole.parts.items():
                places.append(column[key])
                times.append(count)
                rows.append(row)
            expected = 1 / (1 + np.exp(-int(score) / SPREAD))
            targets.append(options.blend * expected + (1 - options.blend) * float(points))
            offsets.append(whole.value)
    count = len(targets)
    target = np.array(targets)
    held = np.arange(count) % 10 == 0  # every tenth position only judges the fit
    design = np.zeros((count, len(names)), np.float32)
    design[rows, places] = times
    used = (design[~held] != 0).sum(axis=0)
    now = start.copy()

    def error(values: Any, which: Any) -> float:
        points = 1 / (1 + np.exp(-(design[which] @ values) / SPREAD))
        return float(((points - target[which]) ** 2).mean())

    print(
        f"{count} positions; error before: fitted {error(now, ~held):.5f}, held back {error(now, held):.5f}"
    )
    train = design[~held].astype(float)
    for _ in range(8):
        points = 1 / (1 + np.exp(-(train @ now) / SPREAD))
        slope = points * (1 - points) / SPREAD
        jacobian = train * slope[:, None]
        gradient = jacobian.T @ (points - target[~held])
        # A weight that was seen n times is held by its start as if by `lean` observations more.
        pull = options.lean * (slope.mean() ** 2) * np.maximum(1.0, (train**2).mean(axis=0))
        step = np.linalg.solve(jacobian.T @ jacobian + np.diag(pull + 1e-9), gradient + pull * (now - start))
        now -= step
        print(f"fitted {error(now, ~held):.5f}, held back {error(now, held):.5f}")
    now[used < 20] = start[used < 20]
    values: dict[str, list[int]] = {}
    for (name, _), value in zip(names, np.rint(now).astype(int).tolist(), strict=True):
        values.setdefault(name, []).append(value)
    write(
        values, f"tuned on {count} quiet positions of self-play (benchmarks/chess_tune.py)", options.weights
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("play")
    one.add_argument("openings", type=Path)
    one.add_argument("data", type=Path)
    one.add_argument("--seconds", type=float, default=240)
    one.add_argument("--depth", type=int, default=5)
    one.add_argument("--seed", type=int, default=1)
    one.set_defaults(run=play)
    two = commands.add_parser("fit")
    two.add_argument("data", type=Path)
    two.add_argument("weights", type=Path, default=WEIGHTS.path)
    two.add_argument("--lean", type=float, default=300)
    two.add_argument("--blend", type=float, default=0.7, help="share of the search score in the target")
    two.set_defaults(run=fit)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
