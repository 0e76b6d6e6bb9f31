"""Connect Four against other Python libraries, in one run: nodes a second, and time to a depth.

    pip install easyAI open_spiel
    python benchmarks/connect_four_speed.py

Each library searches the start position with the same evaluation: easyAI and Plywise on the same
bitboards, OpenSpiel over its own C++ game. Nodes are counted in a separate run, so that counting
takes no measured time; CPU time is the best of several interleaved runs.
"""

import argparse
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import plywise
from plywise.games.connect_four.rules import CELLS, ConnectFour, four, middle, open_fours

ROUNDS = 3
DEPTH = 10  # of easyAI and of the plain form
SPIEL_DEPTH = 8
OWN_DEPTH = 18
OTHERS = ("easyAI", "OpenSpiel")


def evaluate_bitboards(own: int, other: int) -> int:
    """The evaluation of the shipped game in Python, for all libraries."""
    empty = CELLS & ~(own | other)
    threats = open_fours(own, empty).bit_count() - open_fours(other, empty).bit_count()
    return 10 * threats + middle(own) - middle(other)


@plywise.game("plain_four", most_moves=7)
class PlainFour:
    """The same bitboards as a plain Python class."""

    __slots__ = ("other", "own", "turn")

    def __init__(self, own: int = 0, other: int = 0, turn: int = 0) -> None:
        self.own, self.other, self.turn = own, other, turn

    def __hash__(self) -> int:
        return hash((self.own, self.other))

    def __eq__(self, them: object) -> bool:
        return isinstance(them, PlainFour) and (self.own, self.other) == (them.own, them.other)

    def moves(self) -> list[int]:
        both = self.own | self.other
        return [x for x in (3, 2, 4, 1, 5, 0, 6) if not both >> (7 * x + 5) & 1]

    def play(self, move: int) -> "PlainFour":
        both = self.own | self.other
        return PlainFour(self.other, self.own | (both + (1 << 7 * move)) & CELLS & ~both, 1 - self.turn)

    def outcome(self) -> int:
        if four(self.other):
            return plywise.LOST
        return plywise.DRAWN if self.own | self.other == CELLS else plywise.OPEN

    def evaluate(self) -> int:
        return evaluate_bitboards(self.own, self.other)


def easy_ai() -> tuple[Callable[[], object], Callable[[], int]]:
    """A search by easyAI with its table, and its count of nodes."""
    from easyAI import AI_Player, Negamax, TwoPlayerGame
    from easyAI.AI.TranspositionTable import TranspositionTable

    class Game(TwoPlayerGame):  # type: ignore[misc]
        made = 0

        def __init__(self) -> None:
            self.players = [AI_Player(None), AI_Player(None)]
            self.current_player, self.own, self.other = 1, 0, 0

        def possible_moves(self) -> list[int]:
            both = self.own | self.other
            return [x for x in (3, 2, 4, 1, 5, 0, 6) if not both >> (7 * x + 5) & 1]

        def make_move(self, move: int) -> None:
            both = self.own | self.other
            self.own |= (both + (1 << 7 * move)) & CELLS & ~both
            self.own, self.other = self.other, self.own

        def unmake_move(self, move: int) -> None:
            self.own, self.other = self.other, self.own
            column = self.own >> 7 * move & 63 | self.other >> 7 * move & 63
            self.own &= ~(1 << 7 * move + column.bit_length() - 1)

        def is_over(self) -> bool:
            return four(self.other) or self.own | self.other == CELLS

        def scoring(self) -> int:
            return -10_000 if four(self.other) else evaluate_bitboards(self.own, self.other)

        def ttentry(self) -> tuple[int, int]:
            return self.own, self.other

    class Counted(Game):
        def make_move(self, move: int) -> None:
            Game.made += 1
            super().make_move(move)

    def search(kind: type[Game] = Game) -> object:
        return Negamax(DEPTH, tt=TranspositionTable())(kind())

    def nodes() -> int:
        Game.made = 0
        search(Counted)
        return Game.made + 1

    return search, nodes


def open_spiel() -> tuple[Callable[[], object], Callable[[], int]]:
    """Alpha-beta by OpenSpiel over its Connect Four, and its count of nodes."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("connect_four")

    def value(state: Any) -> int:
        """For the first player, from the columns played: the cheapest way to the bitboards."""
        own = other = 0
        for column in state.history():
            both = own | other
            own, other = other, own | (both + (1 << 7 * column)) & CELLS & ~both
        return (
            evaluate_bitboards(own, other) if state.current_player() == 0 else -evaluate_bitboards(own, other)
        )

    def search() -> object:
        return minimax.alpha_beta_search(game, value_function=value, maximum_depth=SPIEL_DEPTH)

    def nodes() -> int:
        made, plain = 0, minimax._alpha_beta

        def counted(*args: object, **named: object) -> object:
            nonlocal made
            made += 1
            return plain(*args, **named)

        minimax._alpha_beta = counted
        try:
            search()
        finally:
            minimax._alpha_beta = plain
        return made

    return search, nodes


def seconds(search: Callable[[], object]) -> float:
    before = time.process_time()
    search()
    return time.process_time() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depth", type=int, default=DEPTH, help="of the plain form and of other programs")
    parser.add_argument("--own-depth", type=int, default=OWN_DEPTH, help="of the compiled form")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    contenders: dict[str, tuple[Callable[[], object], int]] = {}
    for hash in (4, 64):
        engine = plywise.Engine(ConnectFour.game, hash=hash)  # type: ignore[attr-defined]

        def own(engine: plywise.Engine = engine) -> object:
            engine.clear()
            return engine.search(engine.game.history(), depth=options.own_depth)

        contenders[f"plywise, {hash} MB"] = (
            own,
            engine.search(engine.game.history(), depth=options.own_depth).nodes,
        )
    plain_game = PlainFour.game  # type: ignore[attr-defined]
    plain = plywise.Engine(plain_game, hash=4)

    def plain_search() -> object:
        plain.clear()
        return plain.search(plain_game.history(), depth=options.depth)

    plain.clear()
    contenders["plywise, plain form"] = (
        plain_search,
        plain.search(plain_game.history(), depth=options.depth).nodes,
    )
    for name, module, make in (("easyAI", "easyAI", easy_ai), ("OpenSpiel", "pyspiel", open_spiel)):
        if importlib.util.find_spec(module) is None:
            print(f"{name} is not installed and left out (pip install {name.lower()})")
            continue
        search, count = make()
        contenders[name] = search, count()
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(options.rounds):
        for name, (search, _) in contenders.items():
            best[name] = min(best[name], seconds(search))
    speeds = {name: nodes / best[name] for name, (_, nodes) in contenders.items()}
    for name, (_, visited) in contenders.items():
        ratio = "".join(
            f"  {speeds[name] / speeds[other]:7.1f} x {other}"
            for other in ("easyAI", "OpenSpiel")
            if other in speeds
        )
        print(f"{name:20} {visited:9} nodes {best[name]:8.3f} s {speeds[name] / 1000:9.0f} thousand/s{ratio}")
    if "easyAI" in best:
        print(
            f"depth {options.depth} in the plain form takes"
            f" {best['plywise, plain form'] / best['easyAI']:.2f} of the CPU time of easyAI"
        )


if __name__ == "__main__":
    main()
