"""Does "why not M?" agree with a search of M alone? On random positions of every shipped game.

    python benchmarks/explain_why_not.py [--positions N] [--seed N] [--games NAME ...]

Each answer is compared with a fresh search, without a recorder, restricted to M at the same depth: its
score, its kind and its line.
"""

import argparse
import random
import time

import plywise
from plywise import Engine, Game, History
from plywise.explain.reasons import why_not

DEEP = {"chess": 6, "checkers": 8, "polis": 4, "skirmish": 2, "connect_four": 9, "tic_tac_toe": 5}


def position(game: Game, dice: random.Random) -> History:
    """A position of a random game that is not over, with its history."""
    while True:
        history = game.history()
        for _ in range(dice.randrange(60)):
            moves = game.moves(history.position)
            if history.outcome is not None or not moves:
                break
            history = history.play(dice.choice(moves))
        if history.outcome is None:
            return history


def differences(game: Game, positions: int, seed: int) -> list[str]:
    """The answers that differ, a line each."""
    dice, depth = random.Random(seed), DEEP[game.name]
    recording, plain = Engine(game, hash=4, record=1000), Engine(game, hash=4)
    found = []
    for _ in range(positions):
        history = position(game, dice)
        move = dice.choice(history.moves)
        recording.clear()
        best = recording.search(history, depth=depth)
        asked = why_not(recording, history, best, move)
        plain.clear()
        alone = plain.search(history, depth=max(1, best.depth), moves=[move])
        if (asked.score, asked.kind, asked.line) != (alone.score, alone.kind, alone.line):
            found.append(f"{history.text} {move}: {asked.score} {asked.line}, not {alone.score} {alone.line}")
        elif asked.chosen != (move == best.move) or (
            asked.reply is not None and asked.reply not in alone.line
        ):
            found.append(f"{history.text} {move}: the answer {asked.reply} is not in the line")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--games", nargs="+", choices=list(plywise.shipped()), default=list(plywise.shipped())
    )
    options = parser.parse_args()
    games = options.games
    bad = 0
    for i, name in enumerate(games):
        share = options.positions // len(games) + (i < options.positions % len(games))
        if share == 0:
            continue  # an engine without a position would be compiled for nothing
        started = time.process_time()
        wrong = differences(plywise.load(name), share, options.seed)
        bad += len(wrong)
        took = time.process_time() - started
        print(f"{name}, depth {DEEP[name]}: {share} positions, {len(wrong)} differ ({took:.0f} s of CPU)")
        print(*wrong[:5], sep="\n", end="\n" if wrong else "")
    print(
        f"{options.positions} positions over {len(games)} games:"
        f" {bad} answers differ from a restricted search"
    )


if __name__ == "__main__":
    main()
