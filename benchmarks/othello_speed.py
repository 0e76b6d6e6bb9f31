"""Othello by textbook alpha-beta against easyAI, in one run: nodes a second on the same tree.

    pip install easyAI
    python benchmarks/othello_speed.py

Both search an opening position with the same moves in the same order and the same evaluation (discs), without
a table; that they visit as many nodes is checked in a run of its own, so that counting takes no measured
time. easyAI copies the game for each move, as its own games do, or takes moves back where the author writes
how. CPU time is the best of several interleaved runs; the compiled search is repeated within a run.
"""

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plywise
from plywise.core.bits import left, popcount

EXAMPLE = Path(__file__).parents[1] / "examples" / "othello.py"
START = "start moves f5 d6 c3 d3 c4 f4"
DEPTH, ROUNDS, REPEATED = 7, 3, 20
WIN = 10_000


def discs(position: Any) -> int:
    """The evaluation: discs ahead."""
    ahead = popcount(position.black) - popcount(position.white)
    return ahead if position.turn == 0 else -ahead


def easy_ai(start: Any, depth: int) -> tuple[dict[str, Callable[[], object]], Callable[[], int]]:
    """Searches by easyAI over the functions of the example, and its count of nodes."""
    from easyAI import AI_Player, Negamax, TwoPlayerGame

    rules = sys.modules[type(start).__module__]
    cells_to_play, discs_to_turn, nothing = rules.cells_to_play, rules.discs_to_turn, rules.PASS
    own, enemy = (start.black, start.white) if start.turn == 0 else (start.white, start.black)

    class Copied(TwoPlayerGame):  # type: ignore[misc]
        made = 0

        def __init__(self) -> None:
            self.players = [AI_Player(None), AI_Player(None)]
            self.current_player, self.own, self.enemy = 1, own, enemy

        def possible_moves(self) -> list[int]:
            cells = cells_to_play(self.own, self.enemy)
            return [i for i in range(64) if cells >> i & 1] or [nothing]

        def make_move(self, move: int) -> None:
            if move != nothing:
                disc = left(1, move)
                turned = discs_to_turn(self.own, self.enemy, disc)
                self.own, self.enemy = self.own | disc | turned, self.enemy & ~turned
            self.own, self.enemy = self.enemy, self.own

        def is_over(self) -> bool:
            return not cells_to_play(self.own, self.enemy) and not cells_to_play(self.enemy, self.own)

        def scoring(self) -> int:
            return popcount(self.own) - popcount(self.enemy)

    class Unmade(Copied):
        def __init__(self) -> None:
            super().__init__()
            self.past: list[tuple[int, int]] = []

        def make_move(self, move: int) -> None:
            self.past.append((self.own, self.enemy))
            super().make_move(move)

        def unmake_move(self, move: int) -> None:
            self.own, self.enemy = self.past.pop()

    class Counted(Unmade):
        def make_move(self, move: int) -> None:
            Copied.made += 1
            super().make_move(move)

    def search(kind: type[Copied]) -> object:
        return Negamax(depth, win_score=WIN)(kind())

    def nodes() -> int:
        Copied.made = 0
        search(Counted)
        return Copied.made + 1

    return {"easyAI": lambda: search(Copied), "easyAI, moves taken back": lambda: search(Unmade)}, nodes


def seconds(search: Callable[[], object]) -> float:
    before = time.process_time()
    search()
    return time.process_time() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depth", type=int, default=DEPTH, help="7: no game is over by then")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    game = plywise.load(str(EXAMPLE))
    plywise.evaluation(game.author, "discs")(discs)
    engine = plywise.Engine(game, player="alphabeta", evaluator="discs")
    history = game.history(START)

    def own() -> None:
        for _ in range(REPEATED):
            engine.search(history, depth=options.depth)

    visited = engine.search(history, depth=options.depth).nodes
    if importlib.util.find_spec("easyAI") is None:
        print(f"{visited} nodes; easyAI is not installed and left out (pip install easyAI)")
        return
    others, count = easy_ai(history.position, options.depth)
    counted = count()
    if counted != visited:
        sys.exit(f"the trees differ: {visited} nodes by Plywise, {counted} by easyAI")
    best = dict.fromkeys(("Plywise", *others), float("inf"))
    for _ in range(options.rounds):
        best["Plywise"] = min(best["Plywise"], seconds(own) / REPEATED)
        for name, search in others.items():
            best[name] = min(best[name], seconds(search))
    for name, taken in best.items():
        ratio = "" if name == "Plywise" else f", Plywise {taken / best['Plywise']:.0f} times as many"
        speed = visited / taken / 1000
        print(f"{name}: {visited} nodes in {1000 * taken:.2f} ms, {speed:.1f} thousand/s{ratio}")


if __name__ == "__main__":
    main()
