"""Make the balanced openings that the arena ships: sensible random plies, kept if a search sees no winner.

    python benchmarks/arena_openings.py GAME [--count 200] [--plies 8] [--margin 25] [--nodes 20000]

Each ply is drawn from the moves that a shallow search finds almost as good as the best one, so that the
openings are varied and no nonsense; then a deeper search must judge them within the margin (in hundredths
of the game's unit) and proven neither won nor lost. Positions that were reached before are dropped. Writes
src/plywise/arena/books/GAME.txt and prints how many openings were tried for those that were kept.
"""

import argparse
import random
from pathlib import Path

import plywise
from plywise.core.scores import is_sure

FOLDER = Path(plywise.__file__).with_name("arena") / "books"
CHOICES = 8  # best moves that a ply is drawn from
SHALLOW = 300  # nodes for each of them


def drawn(engine: plywise.Engine, plies: int, spare: int, dice: random.Random) -> plywise.History | None:
    """A game of so many plies, each among the best; None if it is over by then."""
    game = engine.game
    history = game.history()
    while history.length < plies:
        if history.outcome is not None:
            return None
        result = engine.search(history, nodes=SHALLOW * CHOICES, lines=CHOICES)
        best = result.lines[0].score
        good = [line for line in result.lines if best - line.score <= spare and not is_sure(line.score)]
        if not good:
            return None
        history = history.play(dice.choice(good).moves[0])
    return history if history.outcome is None else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--plies", type=int, default=8)
    parser.add_argument("--margin", type=int, default=25)
    parser.add_argument("--spare", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--tries", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder to write to: the shipped one")
    options = parser.parse_args()
    game = plywise.load(options.game)
    shallow, deep = plywise.Engine(game, hash=4), plywise.Engine(game, hash=16)
    dice = random.Random(options.seed)
    kept: dict[int, str] = {}
    tried = 0
    while len(kept) < options.count and tried < options.tries * options.count:
        tried += 1
        shallow.clear()
        history = drawn(shallow, options.plies, options.spare * game.unit // 100, dice)
        if history is None or history.key in kept:
            continue
        deep.clear()
        score = deep.search(history, nodes=options.nodes).score
        if abs(score) * 100 <= options.margin * game.unit:
            kept[history.key] = "start moves " + " ".join(history.played)
    head = (
        f"# Balanced openings of {game.title}: {options.plies} plies, judged by {options.nodes} nodes within"
        f" {options.margin} hundredths.\n# Made by benchmarks/arena_openings.py with seed {options.seed}.\n"
    )
    options.out.mkdir(exist_ok=True)
    (options.out / f"{game.name}.txt").write_text(
        head + "\n".join(sorted(kept.values())) + "\n", encoding="utf-8"
    )
    print(f"{game.name}: {len(kept)} openings of {tried} tried")


if __name__ == "__main__":
    main()
