"""What learning costs: a node with a net, self-play, and the fit. Processor time of one thread.

    python benchmarks/learn_speed.py [chess] [--nodes 120000] [--games 64] [--positions 400000] [--rounds 3]
        [--teacher uci:stockfish] [--labels 500]

With a teacher, only the speed of its labels is measured: processor time of both programs together.

A node is compared with one of another evaluation (`material` in chess) in alternating rounds of the same
number of nodes; the trees differ, so the figure is the difference of two averages.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

import plywise
from plywise.core import learned
from plywise.core.net_file import Shape, write_net
from plywise.learn.fit import FloatNet, Positions, Trainer
from plywise.learn.selfplay import SelfPlay
from plywise.learn.shapes import shape_of
from plywise.learn.teacher import Teacher


def nanoseconds(engine: plywise.Engine, texts: list[str], nodes: int) -> float:
    """Processor time a node."""
    spent, visited = 0.0, 0
    for text in texts:
        engine.clear()
        start = time.process_time()
        visited += engine.search(engine.game.history(text), nodes=nodes).nodes
        spent += time.process_time() - start
    return 1e9 * spent / visited


def fit_net(rows: np.ndarray, shape: Shape) -> tuple[FloatNet, float]:
    """A net of one epoch, and how many positions a second it took."""
    trainer = Trainer(shape)
    targets = ((1 - 2 * rows["turn"]) * np.sign(rows["score"]) + 1) / 2
    data = Positions(
        np.ascontiguousarray(rows["boards"]),
        rows["turn"].astype(np.int64),
        np.zeros(len(rows), np.int64),
        targets.astype(np.float32),
        np.zeros(len(rows), np.float32),
    )
    few = Positions(*(part[:100] for part in data.arrays()))
    net = FloatNet.random(shape, 1)
    list(trainer.fit(net, few, few, 1, epochs=1))  # compiles
    start = time.process_time()
    *_, (_, net) = trainer.fit(net, data, few, 1, epochs=1)
    return net, len(rows) / (time.process_time() - start)


def measure_teacher(game: plywise.Game, text: str, count: int) -> None:
    """Let another program label the positions of some games."""
    shape = shape_of(game)
    rows = SelfPlay(game, shape, whole=True).play(1, range(max(4, count // 20)), 200)[:count]
    teacher = Teacher(game, text, shape)
    teacher.label(rows[:1])  # starts it
    start = sum(os.times()[:4])
    labelled = teacher.label(rows)
    teacher.close()
    spent = sum(os.times()[:4]) - start
    print(f"teacher {text}: {len(rows) / spent:,.0f} positions/s, {len(labelled)} of {len(rows)} labelled")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="?", default="chess")
    parser.add_argument("--nodes", type=int, default=120_000)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--positions", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--teacher")
    parser.add_argument("--labels", type=int, default=500)
    given = parser.parse_args()
    game = plywise.load(given.game)
    if given.teacher is not None:
        measure_teacher(game, given.teacher, given.labels)
        return
    shape = shape_of(game)
    player = SelfPlay(game, shape)
    start = time.process_time()
    rows = player.play(1, range(given.games), 1000)
    spent = time.process_time() - start
    kept = len(rows) // game.symmetries
    print(f"self-play: {kept / spent:,.0f} kept positions/s at {player.nodes / kept:,.0f} nodes each")
    many = np.tile(rows, -(-given.positions // len(rows)))[: given.positions]
    net, speed = fit_net(many, shape)
    print(f"fit: {speed:,.0f} positions/s, {shape.inputs} inputs, {shape.hidden} x 2 hidden")
    texts = [text for text, _ in game.bench]
    other = "material" if "material" in game.evaluations else "default"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "net.json")
        write_net(path, game, shape, net.values([0] * learned.STAGE_COUNT, 270), {})
        engines = {
            other: plywise.Engine(game, other, hash=16),
            "learned": plywise.Engine(game, "learned", hash=16, weights=str(path)),
        }
        times: dict[str, list[float]] = {name: [] for name in engines}
        for _ in range(given.rounds):
            for name, engine in engines.items():
                times[name].append(nanoseconds(engine, texts, given.nodes))
    middle = {name: statistics.median(found) for name, found in times.items()}
    difference = middle["learned"] - middle[other]
    words = ", ".join(f"{name} {ns:.0f} ns" for name, ns in middle.items())
    print(f"a node: {words}, {difference:+.0f} ns; ratio {middle['learned'] / middle[other]:.2f}")


if __name__ == "__main__":
    main()
