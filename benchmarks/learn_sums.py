"""Sums of a learned evaluation against a refresh, in compiled code, over random plies of random games.

    python benchmarks/learn_sums.py [connect_four] [--plies 1000000] [--seed 1]

Each evaluation is at a random ply, so that the sums come from any other position of any game before it.
"""

import argparse
import time
from typing import Any

import numpy as np

import plywise
from plywise.core import learned
from plywise.core.bits import first, mix, rest, right
from plywise.core.compiled import compiled
from plywise.core.layout import Layout, at
from plywise.core.net_file import base_values, evaluation_of_shape
from plywise.core.outcome import OPEN
from plywise.learn.fit import second_columns
from plywise.learn.shapes import shape_of
from plywise.search.node import evaluate
from plywise.search.specialisation import Specialisation, evaluation_changes
from plywise.search.thread_state import weights_record

WEIGHTS = Layout()
BOARDS, HIDDEN = -1, -2
SECOND = plywise.Table([0])


@compiled
def refreshed(position: Any, weights: Any, thread: Any) -> int:
    """The evaluation from nothing, number by number."""
    boards = position.boards()
    total, count = 0, 0
    for i in range(BOARDS):
        word = boards[i]
        while word != 0:
            count += 1
            word = rest(word)
    stage = weights.net_stages[min(count, 255)]
    for k in range(HIDDEN):
        own = other = weights.net_bias[k] + 0
        for i in range(BOARDS):
            word = boards[i]
            while word != 0:
                column = i * 64 + first(word)
                word = rest(word)
                own += weights.net_columns[column * HIDDEN + k]
                other += weights.net_columns[SECOND[column] * HIDDEN + k]
        if position.turn != 0:
            own, other = other, own
        own, other = max(0, min(255, own)), max(0, min(255, other))
        total += own * own * weights.net_outputs[2 * stage * HIDDEN + k]
        total += other * other * weights.net_outputs[(2 * stage + 1) * HIDDEN + k]
    return (total // 255 + weights.net_output_bias[stage]) * weights.net_scale // (255 * 64)


def walk(position: Any, thread: Any, seed: int, plies: int, spare: int) -> int:
    """Play random games; return how many evaluations differ from a refresh."""
    start, dice, wrong = position, mix(99, seed), 0
    weights = at(thread.weights, WEIGHTS, 0)
    for n in range(plies):
        dice = mix(dice, n)
        if evaluate(position, thread, right(dice, 50) % 200) != refreshed(position, weights, thread):
            wrong += 1
        end = position.moves(thread.moves, 0) if position.outcome() == OPEN else 0
        if end == 0 or right(dice, 20) % 128 == 0:
            position = start
        else:
            position = position.play(thread.moves[(right(dice, 30) & 65535) % end])
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--plies", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = plywise.load(given.game)
    shape = shape_of(game, hidden=16)
    dice = np.random.default_rng(given.seed)
    values = {
        **base_values(game, shape),
        "net_columns": dice.integers(-90, 90, shape.inputs * shape.hidden).tolist(),
        "net_bias": dice.integers(0, 120, shape.hidden).tolist(),
        "net_outputs": dice.integers(-127, 128, shape.stages * 2 * shape.hidden).tolist(),
        "net_output_bias": dice.integers(-9000, 9000, shape.stages).tolist(),
        "net_stages": [min(shape.stages - 1, i // 5) for i in range(learned.STAGE_COUNT)],
        "net_scale": 100,
    }
    evaluation = evaluation_of_shape(game, shape)
    assert evaluation.weights is not None
    changes: dict[str, tuple[Any, Any]] = {
        "WEIGHTS": (WEIGHTS, evaluation.weights.layout),
        "BOARDS": (BOARDS, shape.boards),
        "HIDDEN": (HIDDEN, shape.hidden),
        "SECOND": (SECOND, plywise.Table(second_columns(shape).tolist())),
    }
    runner = Specialisation(walk, game, evaluation, evaluation_changes(evaluation), constants=changes)
    thread = runner.new_thread()
    thread.bind("weights", weights_record(evaluation.weights.layout, values, runner.compiled))
    start = time.process_time()
    wrong = runner(game.start(), thread, given.seed, given.plies, 0)
    spent = time.process_time() - start
    print(f"{game.name}: {given.plies:,} plies, {wrong} of them differ from a refresh, {spent:.1f} s")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
