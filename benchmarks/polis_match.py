"""A match of two players of Polis from random openings, each played twice with sides swapped.

    python benchmarks/polis_match.py default,time=0.2 classic,player=alphabeta,depth=4 --pairs 50
    python benchmarks/polis_match.py default,nodes=20000 classic,nodes=20000 --pairs 100

A player is an evaluator and, after commas, options of the engine (player, weights, without=a+b) and
one limit for each move (time, nodes, depth).
"""

import argparse
import math
import random
import time
from collections.abc import Iterator
from typing import Any

import plywise
from plywise.core.history import History
from plywise.core.outcome import OPEN, WON

GAME = plywise.load("polis")
LIMITS = {"time": float, "nodes": int, "depth": int}


class Player:
    """An engine and its limit for a move."""

    def __init__(self, text: str) -> None:
        evaluator, *options = text.split(",")
        given: dict[str, Any] = dict(option.split("=", 1) for option in options)
        self.limit = {name: kind(given.pop(name)) for name, kind in LIMITS.items() if name in given}
        if "without" in given:
            given["without"] = given["without"].split("+")
        self.engine = plywise.Engine(GAME, evaluator, hash=16, **given)
        self.nodes = self.moves = self.depth = 0

    def move(self, history: History) -> Any:
        result = self.engine.search(history, **self.limit)
        self.nodes, self.moves, self.depth = (
            self.nodes + result.nodes,
            self.moves + 1,
            self.depth + result.depth,
        )
        return result


def openings(count: int, plies: int, seed: int) -> Iterator[History]:
    """Random openings of the same length in which the game is not over."""
    random_ = random.Random(seed)
    while count:
        history = GAME.history()
        for _ in range(plies):
            moves = GAME.moves(history.position)
            if moves:
                history = after(history, random_.choice(moves))
        if GAME.outcome(history.position) is None:
            count -= 1
            yield history


def after(history: History, move: int) -> History:
    return History(GAME, history.position.play(move), history, move)


def play(history: History, players: tuple[Player, Player]) -> tuple[float, History]:
    """The score of the first side (1, 0.5 or 0) and the game."""
    for player in players:
        player.engine.clear()
    while True:
        verdict, turn = history.position.outcome(), history.turn
        if verdict != OPEN:
            return float((verdict == WON) == (turn == 0)), history
        if history.clock >= GAME.draws.plies or history.repetitions >= GAME.draws.repetition:
            return 0.5, history
        result = players[turn].move(history)
        if result.move is None:
            return float(turn), history
        history = after(history, result.number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--plies", type=int, default=4, help="random moves before the players begin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=4.5, help="stop after a pair when this is over")
    options = parser.parse_args()
    one, two = Player(options.first), Player(options.second)
    started, scores, lengths = time.perf_counter(), [], []
    for history in openings(options.pairs, options.plies, options.seed):
        for players, sign in (((one, two), 1), ((two, one), -1)):
            score, end = play(history, players)
            scores.append(score if sign > 0 else 1 - score)
            lengths.append(end.length)
        if time.perf_counter() - started > 60 * options.minutes:
            break
    n, mean = len(scores), sum(scores) / len(scores)
    error = math.sqrt(max(1e-9, sum((score - mean) ** 2 for score in scores)) / max(1, n - 1) / n)
    wins, draws, losses = (scores.count(value) for value in (1.0, 0.5, 0.0))
    clipped = min(max(mean, 0.5 / n), 1 - 0.5 / n)
    print(f"{options.first} v {options.second}")
    print(f"{n} games: +{wins} ={draws} -{losses}, score {mean:.3f} +- {error:.3f},", end=" ")
    print(f"{-400 * math.log10(1 / clipped - 1):+.0f} Elo, {sum(lengths) / n:.0f} plies a game")
    for player in (one, two):
        print(f"  {player.nodes / player.moves:,.0f} nodes a move, depth {player.depth / player.moves:.1f}")
    print(f"  {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
