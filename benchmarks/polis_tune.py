"""Find the weights of the default evaluation of Polis from games that it plays against itself.

    python benchmarks/polis_tune.py play games.npz --minutes 4 --nodes 2000
    python benchmarks/polis_tune.py fit weights.json games.npz [more.npz ...]

`play` keeps quiet positions with the result of the game and the score of the search. `fit` turns them
into counts (the evaluation is linear in its weights) and changes the weights so that the evaluation,
through a logistic curve, predicts both. It starts from the shipped weights, or those of --weights, and
prints how much better it predicts. Then try the new weights in a match: polis_games.py weights.json -
"""

import argparse
import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from plywise.core.scores import is_sure
from polis_games import GAME, Duel, openings

EVALUATION = GAME.evaluation("default")
assert EVALUATION.weights is not None
FIELDS = {name: tuple(shape[0]) if shape else () for name, _, *shape in EVALUATION.weights.layout.fields}
SIZE = sum(int(np.prod(shape)) for shape in FIELDS.values())
SCALE = 150.0  # an evaluation of this much means 73 % of the points
TRUST = 0.6  # how much the result counts; the rest is the search's own score


def units() -> SimpleNamespace:
    """Weights that make the evaluation return its counts."""
    rows, result, at = np.eye(SIZE, dtype=np.int16), SimpleNamespace(), 0
    for name, shape in FIELDS.items():
        n = int(np.prod(shape))
        setattr(result, name, rows[at : at + n] if shape else rows[at])
        at += n
    return result


def flat(values: dict[str, Any]) -> Any:
    return np.concatenate([np.ravel(values[name]) for name in FIELDS]).astype(float)


def counts(position: Any, weights: SimpleNamespace) -> Any:
    assert EVALUATION.function is not None
    return np.asarray(EVALUATION.function(position, weights), np.int16)


def quiet(position: Any) -> bool:
    return not position.urgent() and position.noisy({}, 0) == 0


def play(options: argparse.Namespace) -> None:
    duel, random = Duel(options.weights, options.weights), np.random.default_rng(options.seed)
    started = time.perf_counter()
    rows: list[Any] = []
    results: list[float] = []
    scores: list[float] = []
    games = 0
    for opening in openings(options.seed, options.plies):
        blue = 0.5 + 0.5 * duel.play(opening, options.nodes, False)
        for words, score in zip(*duel.seen, strict=True):
            # Neighbouring positions of a game tell almost the same: not all are needed.
            if random.random() > 0.6 or is_sure(int(score)):
                continue
            position = GAME.position(*map(int, words))
            if quiet(position):
                rows.append(words)
                results.append(blue if position.turn == 0 else 1 - blue)
                scores.append(float(score))
        games += 1
        if time.perf_counter() - started > 60 * options.minutes:
            break
    positions = np.array(rows, np.int64)
    np.savez_compressed(options.file, positions=positions, results=np.array(results), scores=np.array(scores))
    print(f"{games} games, {len(rows)} quiet positions")


def fit(options: argparse.Namespace) -> None:
    data = [np.load(name) for name in options.files]
    one = units()
    positions = [GAME.position(*map(int, words)) for part in data for words in part["positions"]]
    rows = np.array([counts(position, one) for position in positions], np.float32)
    results = np.concatenate([part["results"] for part in data])
    scores = np.concatenate([part["scores"] for part in data])
    target = TRUST * results + (1 - TRUST) / (1 + np.exp(-scores / SCALE))
    assert EVALUATION.weights is not None
    before = flat(EVALUATION.weights.values(options.weights))
    weights = before.copy()
    chosen = np.random.default_rng(1).random(len(rows)) < 0.9
    train, test = (rows[chosen], target[chosen]), (rows[~chosen], results[~chosen])
    mean, square = np.zeros(SIZE), np.zeros(SIZE)
    for step in range(1, options.steps + 1):
        some = np.random.default_rng(step).integers(len(train[0]), size=4096)
        x, y = train[0][some], train[1][some]
        guess = 1 / (1 + np.exp(-(x @ weights) / SCALE))
        slope = x.T @ (guess - y) / len(x) + options.hold * (weights - before) / SCALE
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights -= (
            2.0
            * (1 - step / options.steps)
            * (mean / (1 - 0.9**step))
            / (np.sqrt(square / (1 - 0.999**step)) + 1e-6)
        )
    for label, w in (("before", before), ("after", weights)):
        guess = 1 / (1 + np.exp(-(test[0] @ w) / SCALE))
        print(f"{label}: squared error {np.mean((guess - test[1]) ** 2):.4f} of positions left out")
    values: dict[str, Any] = {}
    at = 0
    for name, shape in FIELDS.items():
        n = int(np.prod(shape))
        part = np.rint(weights[at : at + n]).astype(int)
        values[name] = part.tolist() if shape else int(part[0])
        at += n
    page = {
        "unit": "hundredths of a dog",
        "origin": f"{len(rows)} quiet positions of self-play, fitted by benchmarks/polis_tune.py",
        "values": values,
    }
    lines = json.dumps(page).replace('"values": {', '"values": {\n    ').replace('], "', '],\n    "')
    Path(options.file).write_text(lines + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["play", "fit"])
    parser.add_argument("file")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", help="weights to begin with, if not the shipped ones")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--hold", type=float, default=0.0005, help="how firmly weights keep to the old")
    options = parser.parse_args()
    {"play": play, "fit": fit}[options.what](options)


if __name__ == "__main__":
    main()
