"""Tune the weights of chess on played games (Texel's method with search scores blended in).

    python benchmarks/chess_tune.py play OPENINGS.epd.zip DATA.txt [--seconds S] [--depth N] [--seed N]
    python benchmarks/chess_tune.py fit WEIGHTS.json DATA.txt ... [--lean X] [--blend X]

`play` lets the engine play itself from drawn openings, at first with some random moves, and writes the
quiet positions: FEN, search score and result for the side to move, separated by semicolons
(benchmarks/chess_label.py writes the same with another engine). `fit` changes the weights so that the
evaluation predicts both, by a ridge regression on the expected points. Where there is little data, the
present weights stay.
"""

import argparse
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

import plywise
from chess_gradient import COUNT, Gradient
from chess_weights import write
from plywise.arena import openings
from plywise.core.history import History
from plywise.core.scores import INFINITE
from plywise.games.chess.evaluation import LAYOUT, WEIGHTS

SPREAD = 170.0  # hundredths of a pawn; points = 1 / (1 + exp(-score / SPREAD))


def play(options: argparse.Namespace) -> None:
    """Play games, and write each quiet position with the result for its side to move."""
    chess = plywise.load("chess")
    engine = plywise.Engine(chess, hash=16)
    chance = random.Random(options.seed)
    starts = openings.read(chess, str(options.openings))
    starts = chance.sample(starts, min(4000, len(starts)))
    deadline = time.monotonic() + options.seconds
    games = 0
    engine.search(chess.history(), depth=1)  # sets everything up
    memory = engine.thread_states(1)[0]
    with options.data.open("a") as file:
        while time.monotonic() < deadline:
            history = openings.history(chess, starts[games % len(starts)])
            for _ in range(chance.randrange(2, 6)):
                if history.outcome is None:
                    history = history.play(chance.choice(chess.moves(history.position)))
            for fen, score, points in one_game(engine, memory, history, options.depth):
                file.write(f"{fen};{score};{points:g}\n")
            games += 1
    print(f"{games} games")


def think(engine: Any, memory: Any, history: History, depth: int) -> tuple[int, int]:
    """Score and move of a search in this thread: starting one for each move would take longer."""
    position, record = history.position, memory.record
    engine.start(history).prepare_thread(memory)
    moves = engine.game.moves(position)
    score = 0
    for now in range(1, depth + 1):
        for i, move in enumerate(moves):
            record.moves[i], record.order[i], record.efforts[i] = move, len(moves) - i, 0
        record.first_root, record.end_root, record.roots_done, record.all_roots = 0, len(moves), 0, 1
        record.best_root, record.iteration = -1, now
        score = engine.specialisation(position, memory, now, -INFINITE, INFINITE)
        best = int(record.best_root)
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


def groups(names: list[tuple[str, int]]) -> Any:
    """The group of each weight. Squares that mirror each other share a value, but not for the king."""
    found: dict[tuple[str, int], int] = {}
    result = []
    for name, i in names:
        if name.startswith("squares") and i < 320 and i & 7 > 3:
            i ^= 7
        result.append(found.setdefault((name, i), len(found)))
    return np.array(result)


def features(lines: list[str]) -> tuple[Any, Any, Any]:
    """For each position: how much each weight counts, the score, the result."""
    chess = plywise.load("chess")
    gradient = Gradient()
    design = np.zeros((len(lines), COUNT), np.float16)
    scores, results = np.zeros(len(lines)), np.zeros(len(lines))
    for row, line in enumerate(lines):
        fen, score, points = line.split(";")
        _, design[row] = gradient(chess.parse(fen))
        scores[row], results[row] = float(score), float(points)
    return design, scores, results


def load_features(path: Path) -> tuple[Any, Any, Any]:
    """The features of a file; a file beside it caches them."""
    kept = path.with_suffix(".npz")
    if not kept.exists():
        design, scores, results = features(path.read_text().splitlines())
        np.savez(kept, design=design, scores=scores, results=results)
    with np.load(kept) as found:
        return found["design"], found["scores"], found["results"]


def fit(options: argparse.Namespace) -> None:
    """Newton steps on the squared error of the points, with a pull towards the present weights."""
    names = [(name, i) for name, _, (size,) in LAYOUT.fields for i in range(size)]
    present = WEIGHTS.values(options.start)
    start = np.array([present[name][i] for name, i in names], float)
    parts = [load_features(path) for path in options.data]
    scores = np.concatenate([part[1] for part in parts])
    results = np.concatenate([part[2] for part in parts])
    near = np.abs(scores) <= options.most
    shares = np.concatenate([part[0] for part in parts])[near].astype(np.float32)
    scores, results = scores[near], results[near]
    count = len(scores)
    held = np.arange(count) // 200 % 10 == 0  # a tenth of the games only judges the fit

    # The labels may have another unit: the one in which the present weights agree with low scores.
    before = shares @ start.astype(np.float32)
    low = np.abs(scores) < 300
    unit = options.unit or float((before[low] * scores[low]).sum() / (scores[low] ** 2).sum())

    group = groups(names)
    size = int(group.max()) + 1
    design = np.zeros((count, size), np.float32)
    for column, place in enumerate(group):
        design[:, place] += shares[:, column]
    del shares
    origin = np.array([start[group == g].mean() for g in range(size)])
    now = origin.copy()

    def expected(values: Any) -> Any:
        return 1 / (1 + np.exp(-values / SPREAD))

    target = options.blend * expected(scores * unit) + (1 - options.blend) * results

    def error(values: Any, which: Any) -> float:
        return float(((expected(design[which] @ values) - target[which]) ** 2).mean())

    print(f"{count} positions, unit {unit:.2f}; error {error(now, ~held):.5f}, held {error(now, held):.5f}")
    used = (design[~held] != 0).sum(axis=0) >= 30  # the others stay as they are
    train = design[~held][:, used]
    rest = design[~held][:, ~used] @ origin[~used]
    aim = target[~held]
    for _ in range(options.steps):
        points = expected(train @ now[used] + rest)
        slope = (points * (1 - points) / SPREAD).astype(np.float32)
        normal = np.zeros((train.shape[1], train.shape[1]))
        downhill = np.zeros(train.shape[1])
        for i in range(0, len(train), 8192):
            jacobian = train[i : i + 8192] * slope[i : i + 8192, None]
            normal += jacobian.T @ jacobian
            downhill += jacobian.T @ (points - aim)[i : i + 8192]
        # A weight is held by its start as if by `lean` positions more in which it counts once.
        pull = options.lean * float((slope**2).mean())
        step = np.linalg.solve(
            normal + np.diag(np.full(len(downhill), pull)), downhill + pull * (now - origin)[used]
        )
        now[used] -= step
        print(f"fitted {error(now, ~held):.5f}, held back {error(now, held):.5f}", flush=True)
    values: dict[str, list[int]] = {}
    for (name, _), value in zip(names, np.rint(now[group]).astype(int).tolist(), strict=True):
        values.setdefault(name, []).append(value)
    words = options.origin or f"fitted to {count} positions (benchmarks/chess_tune.py)"
    write(values, words, options.weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    play_command = commands.add_parser("play")
    play_command.add_argument("openings", type=Path)
    play_command.add_argument("data", type=Path)
    play_command.add_argument("--seconds", type=float, default=240)
    play_command.add_argument("--depth", type=int, default=5)
    play_command.add_argument("--seed", type=int, default=1)
    play_command.set_defaults(run=play)
    fit_command = commands.add_parser("fit")
    fit_command.add_argument("weights", type=Path)
    fit_command.add_argument("data", type=Path, nargs="+")
    fit_command.add_argument("--lean", type=float, default=100)
    fit_command.add_argument(
        "--most", type=float, default=1000, help="positions with a higher score are left out"
    )
    fit_command.add_argument("--unit", type=float, help="what a hundredth of the labels is worth in ours")
    fit_command.add_argument("--blend", type=float, default=0.8, help="share of the score in the target")
    fit_command.add_argument("--steps", type=int, default=3)
    fit_command.add_argument("--start", help="weights to begin with and to lean on (the shipped ones)")
    fit_command.add_argument("--origin", help="what to write into the file about where it comes from")
    fit_command.set_defaults(run=fit)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
