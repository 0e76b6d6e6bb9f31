"""Sums of a learned evaluation against a refresh, in compiled code, over random plies of random games.

    python benchmarks/learn_sums.py [connect_four] [--plies 1000000] [--seed 1] [--hidden 32] [--search]

Each evaluation is at a random ply, so that the sums come from any other position of any game before it.
With `--search` they are those of the search itself, from random positions: every evaluation of every node is
compared, null moves and singular searches included, until there were so many.
"""

import argparse
import random
import tempfile
import time
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np

import plywise
from plywise.core import learned
from plywise.core.bits import first, mix, rest, right
from plywise.core.compiled import compiled
from plywise.core.evaluation import Evaluation
from plywise.core.layout import Layout, at
from plywise.core.net_file import base_values, evaluation_of_shape, write_net
from plywise.core.outcome import OPEN
from plywise.core.specialise import Changes, Specialiser
from plywise.learn.fit import second_columns
from plywise.learn.shapes import shape_of
from plywise.search.node import evaluate
from plywise.search.specialisation import Specialisation, evaluation_changes
from plywise.search.thread_state import weights_record

WEIGHTS = Layout()
BOARDS, HIDDEN, SEEN = -1, -2, ~0
SECOND = plywise.Table([0])
SEARCH_NODES = 50_000
MOST_PLIES = 40  # before a search


@compiled
def refreshed(position: Any, weights: Any, thread: Any) -> int:
    """The evaluation from nothing, number by number."""
    boards = position.boards()
    total, count = 0, 0
    for i in range(BOARDS):
        word = boards[i] if right(SEEN, i) & 1 != 0 else 0
        while word != 0:
            count += 1
            word = rest(word)
    stage = weights.net_stages[min(count, 255)]
    for k in range(HIDDEN):
        own = other = weights.net_bias[k] + 0
        for i in range(BOARDS):
            word = boards[i] if right(SEEN, i) & 1 != 0 else 0
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


def walk_randomly(
    game: plywise.Game,
    evaluation: Evaluation,
    changes: Changes,
    values: dict[str, Any],
    plies: int,
    seed: int,
) -> int:
    """Play random games in compiled code; return how many evaluations differ from a refresh."""
    assert evaluation.weights is not None
    runner = Specialisation(walk, game, evaluation, evaluation_changes(evaluation), constants=changes)
    thread = runner.new_thread()
    thread.bind("weights", weights_record(evaluation.weights.layout, values, runner.compiled))
    return runner(game.start(), thread, seed, plies, 0)


def _checked(position: Any, weights: Any, memory: Any, ply: int) -> int:
    value = LEARNED(position, weights, memory, ply)  # type: ignore[name-defined] # noqa: F821
    memory.sums_seen += 1
    if value != REFRESHED(position, weights, memory):  # type: ignore[name-defined] # noqa: F821
        memory.sums_wrong += 1
    return int(value)


def search_randomly(
    game: plywise.Game, evaluation: Evaluation, changes: Changes, net: Path, plies: int, seed: int
) -> tuple[int, int]:
    """Search from random positions; return how many evaluations there were, and how many were wrong."""
    assert evaluation.function is not None
    fresh = Specialiser(changes).function(cast(FunctionType, refreshed))
    space = {"__name__": __name__, "LEARNED": compiled(evaluation.function), "REFRESHED": compiled(fresh)}
    function = FunctionType(_checked.__code__, space, "checked")
    memory = evaluation.memory + Layout(("sums_seen", "i8"), ("sums_wrong", "i8"))
    game.evaluations["checked"] = Evaluation("checked", function, evaluation.weights, memory)
    engine = plywise.Engine(game, "checked", hash=16, weights=str(net))
    record, dice = engine.thread_states(1)[0].record, random.Random(seed)
    while record.sums_seen < plies:
        history = game.history()
        for _ in range(dice.randrange(MOST_PLIES)):
            after = history.play(dice.choice(game.moves(history.position)))
            if after.outcome is not None:
                break
            history = after
        engine.search(history, nodes=SEARCH_NODES)
        record = engine.thread_states(1)[0].record  # the first search begins with a new one
    return int(record.sums_seen), int(record.sums_wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--plies", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--search", action="store_true")
    given = parser.parse_args()
    game = plywise.load(given.game)
    shape = shape_of(game, hidden=given.hidden)
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
        "SEEN": (SEEN, shape.seen),
        "SECOND": (SECOND, plywise.Table(second_columns(shape).tolist())),
    }
    start = time.process_time()
    if given.search:
        with tempfile.TemporaryDirectory() as folder:
            net = Path(folder, "net.json")
            write_net(net, game, shape, values, {})
            count, wrong = search_randomly(game, evaluation, changes, net, given.plies, given.seed)
    else:
        count = given.plies
        wrong = walk_randomly(game, evaluation, changes, values, count, given.seed)
    spent, what = time.process_time() - start, "evaluations of searches" if given.search else "plies"
    print(f"{game.name}: {count:,} {what}, {wrong} of them differ from a refresh, {spent:.1f} s")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
