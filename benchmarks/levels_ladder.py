"""Play each level against the one below it, from random openings with sides swapped.

    python benchmarks/levels_ladder.py chess --levels 1-5 --pairs 20
    python benchmarks/levels_ladder.py skirmish --levels 7-10 --pairs 10 --scale 0.1

In skirmish one army may win on every level; starts with weaker footmen, given by `--start`, show which
side is led better ("25x19 F5,5:100 F18,5:100 A5,13:50 A18,13:50" with health 160, 130, 100, 70).

Prints the share of the points of the upper level for each step. `--scale` multiplies the nodes of
levels that are limited by nodes; a level that is limited by time gets the nodes of `--full`, scaled,
too. `--fit` prints the slope that fits the results best, given the scores of the searches.
"""

import argparse
import math
import random
import time
from dataclasses import replace

from plywise import load
from plywise.core.game import Game
from plywise.play.levels import Level, level
from plywise.play.player import Player
from plywise.play.state import GameState, start_game

Seen = list[tuple[float, float]]  # a score in units for the first side, and its points in the end


def opening(game: Game, dice: random.Random, plies: int, starts: list[str]) -> str:
    """A start that is not over: random plies from one of the given positions."""
    while True:
        text = dice.choice(starts)
        if game.world is not None:
            return text
        state = start_game(game, text)
        for _ in range(plies):
            if state.sides_to_move:
                state = state.play({state.turn: (dice.choice(state.view(state.turn).moves),)})
        if state.sides_to_move:
            return " ".join([text, *(() if "moves" in text else ("moves",)), *played(state, text)])


def played(state: GameState, text: str) -> list[str]:
    given = text.split()[text.split().index("moves") + 1 :] if "moves" in text else []
    return [move for one in state.path[1:] for moves in one.moves.values() for move in moves][len(given) :]


def game_of(text: str, players: tuple[Player, Player], longest: int, seed: int, seen: Seen) -> float:
    """The points of the first side."""
    game = players[0].game
    state = start_game(game, text, seed)
    scores = []
    while state.sides_to_move and state.number < longest:
        choices = {}
        for side in state.sides_to_move:
            chosen = players[side].think(state, side)
            choices[side] = chosen.moves
            if chosen.result is not None and abs(chosen.result.score) < 20000 and state.number > 6:
                scores.append((chosen.result.score if side == 0 else -chosen.result.score) / game.unit)
        state = state.play(choices)
    winner = None if state.outcome is None else state.outcome.winner
    points = 0.5 if winner is None else float(winner == 0)
    seen.extend((score, points) for score in scores[::4])
    return points


def slope(seen: Seen) -> float:
    """The slope whose curve fits the points best, by golden steps over a range of ten thousand."""

    def cost(value: float) -> float:
        total = 0.0
        for score, points in seen:
            chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, value * score))))
            chance = min(max(chance, 1e-9), 1 - 1e-9)
            total -= points * math.log(chance) + (1 - points) * math.log(1 - chance)
        return total

    return min((10 ** (step / 40) for step in range(-120, 41)), key=cost)


def measured(one: Level, scale: float, full: int) -> Level:
    nodes = full if one.seconds is not None else one.nodes
    return replace(one, seconds=None, nodes=None if nodes is None else max(1, round(nodes * scale)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--levels", default="1-10")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--plies", type=int, default=6, help="random plies of an opening")
    parser.add_argument("--longest", type=int, default=200, help="turns after which a game is a draw")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--full", type=int, default=3_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", action="append", default=[])
    parser.add_argument("--fit", action="store_true")
    words = parser.parse_args()
    game = load(words.game)
    low, high = (int(word) for word in words.levels.split("-"))
    starts = words.start or (list(game.starts.values())[1:] if game.world is not None else ["start"])
    warm = Player(game, 1, seed=0)
    warm.pool.prepare()
    warm.pool.ready.wait()
    seen: Seen = []
    for number in range(low + 1, high + 1):
        pair = [measured(level(game, one), words.scale, words.full) for one in (number, number - 1)]
        began, results = time.perf_counter(), []
        for place in range(words.pairs):
            text = opening(game, random.Random(words.seed * 1000 + place), words.plies, starts)
            players = [Player(game, one, seed=words.seed * 1000 + place) for one in pair]
            results.append(game_of(text, (players[0], players[1]), words.longest, place + 1, seen))
            results.append(1 - game_of(text, (players[1], players[0]), words.longest, place + 1, seen))
        won, lost = sum(one == 1 for one in results), sum(one == 0 for one in results)
        share, games = sum(results) / len(results), len(results)
        first, second = sum(results[::2]) / words.pairs, sum(results[1::2]) / words.pairs
        print(
            f"{game.name} {number:2} v {number - 1:2}: {share:6.1%}  +{won} ={games - won - lost} -{lost}"
            f"  as first {first:.0%}, as second {second:.0%}"
            f"  {time.perf_counter() - began:.0f} s",
            flush=True,
        )
    if words.fit:
        print(f"slope {slope(seen):.3f} from {len(seen)} scores")


if __name__ == "__main__":
    main()
