"""Whole games of Polis in compiled code, many a second: for finding weights.

    python benchmarks/polis_games.py ONE.json TWO.json --pairs 100 --nodes 2000 [--without-one a+b]

Two sets of weights (`-` for the shipped ones) play each random opening twice. The search is the
engine's own; only the loop around it is here, so that a game costs no more than its nodes.
"""

import argparse
import math
import time
from typing import Any

import numpy as np

import plywise
from plywise.core.compiled import compiled
from plywise.core.layout import Layout, at
from plywise.core.outcome import LOST, OPEN, WON
from plywise.core.scores import INFINITE
from plywise.search.alphabeta import search_root
from plywise.search.margins import POLL
from plywise.search.specialisation import Specialisation, evaluation_changes
from plywise.search.switches import switches

GAME = plywise.load("polis")
search = compiled(search_root)
LONGEST = 400
SHEET = Layout(
    ("weights", "i8", (2,)),
    ("table", "i8", (2,)),
    ("switches", "i8", (2,)),
    ("swapped", "i8"),
    ("length", "i8"),
    ("words", "i8", (5 * LONGEST,)),
    ("scores", "i8", (LONGEST,)),
)


@compiled
def best_move(position: Any, memory: Any, nodes: int) -> int:
    """The score of a search of `nodes` nodes; its move is in memory.best_root."""
    end = position.moves(memory.moves, 0)
    if end == 0:
        return -INFINITE
    memory.nodes = memory.stopped = 0
    memory.most_nodes = nodes
    memory.next_poll = min(POLL, nodes)
    memory.generation = (memory.generation + 1) % 32
    chosen, result = memory.moves[0], 0
    for depth in range(1, 40):
        for i in range(end):
            memory.order[i] = 1 if memory.moves[i] == chosen else 0
        memory.first_root, memory.end_root, memory.roots_done, memory.all_roots, memory.best_root = (
            0,
            end,
            0,
            1,
            -1,
        )
        memory.guesses = memory.skips = 0
        score = search(position, memory, depth, -INFINITE, INFINITE)
        if memory.stopped != 0:
            break
        chosen, result = memory.best_root, score
        if result > 25000 or result < -25000:
            break
    memory.best_root = chosen
    return result


def game(position: Any, memory: Any, nodes: int, plies: int, spare: int) -> int:
    """Play a game; return Blue's result (1, 0, -1). The sheet gets its positions and scores."""
    sheet = at(memory.log, SHEET, 0)
    clock, length = 0, 0
    memory.past_plies = 0
    while length < plies:
        verdict, turn = position.outcome(), position.turn
        if verdict in (WON, LOST):
            sheet.length = length
            return 1 if (verdict == WON) == (turn == 0) else -1
        key, times = position.key(), 0
        for i in range(memory.past_plies - min(clock, memory.past_plies), memory.past_plies):
            if memory.path[i] == key:
                times += 1
        if times >= 2 or clock >= 100:
            break
        memory.path[memory.past_plies] = key
        memory.reversible[0] = clock
        player = turn ^ sheet.swapped
        memory.weights, memory.table, memory.switches = (
            sheet.weights[player],
            sheet.table[player],
            sheet.switches[player],
        )
        score = best_move(position, memory, nodes)
        if score == -INFINITE:
            sheet.length = length
            return -1 if turn == 0 else 1
        sheet.words[5 * length] = position.blue
        sheet.words[5 * length + 1] = position.red
        sheet.words[5 * length + 2] = position.chariots
        sheet.words[5 * length + 3] = position.stunned
        sheet.words[5 * length + 4] = turn
        sheet.scores[length] = score
        clock = 0 if position.resets(memory.best_root) else clock + 1
        memory.past_plies += 1
        position = position.play(memory.best_root)
        length += 1
    sheet.length = length
    return 0


class Duel:
    """Two players with their own weights."""

    def __init__(self, one: str | None = None, two: str | None = None, *without: list[str]) -> None:
        evaluation = GAME.evaluation()
        self.specialisation = Specialisation(game, GAME, evaluation, evaluation_changes(evaluation))
        self.memory = self.specialisation.new_thread()
        self.engines = [plywise.Engine(GAME, hash=4, weights=path) for path in (one, two)]
        self.sheet = np.zeros(1, np.dtype(list(SHEET.fields)))
        for i, engine in enumerate(self.engines):
            engine.reload_resources()
            self.sheet["weights"][0][i] = engine._weights.ctypes.data
            self.sheet["switches"][0][i] = switches(without[i] if without else ())
        self.engines[0].start(GAME.history()).prepare_thread(self.memory)
        self.memory.bind("log", self.sheet)

    def play(self, position: Any, nodes: int, swapped: bool) -> int:
        for i, engine in enumerate(self.engines):
            engine.table.entries["data"] = 0
            self.sheet["table"][0][i] = engine.table.entries.ctypes.data
        self.memory.record.history[:] = 0
        self.sheet["swapped"] = int(swapped)
        return self.specialisation(position, self.memory, nodes, LONGEST, 0)

    @property
    def seen(self) -> tuple[Any, Any]:
        """The positions of the last game, as rows of words, and their scores."""
        length = int(self.sheet["length"][0])
        return self.sheet["words"][0][: 5 * length].reshape(-1, 5).copy(), self.sheet["scores"][0][
            :length
        ].copy()


def openings(seed: int, plies: int) -> Any:
    """An endless series of random open positions."""
    random = np.random.default_rng(seed)
    while True:
        position = GAME.start()
        for _ in range(plies):
            moves = GAME.moves(position)
            if moves:
                position = position.play(int(random.choice(moves)))
        if GAME.verdict(position) == OPEN:
            yield position


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("one")
    parser.add_argument("two")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--without-one", default="")
    parser.add_argument("--without-two", default="")
    options = parser.parse_args()
    names = [None if name == "-" else name for name in (options.one, options.two)]
    without = [
        [word for word in text.split("+") if word] for text in (options.without_one, options.without_two)
    ]
    duel, scores, started = Duel(names[0], names[1], *without), [], time.process_time()
    for _, position in zip(range(options.pairs), openings(options.seed, options.plies), strict=False):
        for swapped in (False, True):
            blue = duel.play(position, options.nodes, swapped)
            scores.append(0.5 + 0.5 * (-blue if swapped else blue))
    n, mean = len(scores), sum(scores) / len(scores)
    error = math.sqrt(sum((score - mean) ** 2 for score in scores) / max(1, n - 1) / n)
    clipped = min(max(mean, 0.5 / n), 1 - 0.5 / n)
    print(
        f"{options.one} {options.without_one} v {options.two} {options.without_two}, {options.nodes} nodes:"
    )
    print(
        f"  {n} games: +{scores.count(1.0)} ={scores.count(0.5)} -{scores.count(0.0)}, score {mean:.3f} +-"
        f" {error:.3f}, {-400 * math.log10(1 / clipped - 1):+.0f} Elo, {time.process_time() - started:.0f} s"
    )


if __name__ == "__main__":
    main()
