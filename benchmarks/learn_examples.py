"""What a game without an evaluation learns: a net against mobility, and against the outcome alone.

    python benchmarks/learn_examples.py othello [--minutes 30] [--nodes 300] [--workers N] [--net FILE]
        [--pairs 100] [--control cpu=0.05] [--plies 6] [--seed 1]

`othello` or `breakthrough` of `examples/` learns for so long, unless a net is given. Then the net meets a
search whose evaluation is the number of moves, and one that knows the outcome only, with random openings.
"""

import argparse
import tempfile
from pathlib import Path

from plywise.arena import InProcess, Match, Processes, TimeControl
from plywise.learn.batches import Threads
from plywise.learn.run import Run
from plywise.learn.run_state import Settings

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
MOBILITY = {
    "othello": """

from plywise import evaluation


@evaluation(Othello)
def mobility(position: Othello) -> int:
    own, enemy = (position.black, position.white) if position.turn == 0 else (position.white, position.black)
    return 20 * (popcount(cells_to_play(own, enemy)) - popcount(cells_to_play(enemy, own)))
""",
    "breakthrough": """

from plywise import evaluation
from plywise.core.bits import popcount


@compiled
def white_moves(own: int, enemy: int) -> int:
    straight = left(own, 8) & ~(own | enemy)
    return popcount(straight) + popcount(left(own & NOT_A, 7) & ~own) + popcount(left(own & NOT_H, 9) & ~own)


@compiled
def black_moves(own: int, enemy: int) -> int:
    straight = right(own, 8) & ~(own | enemy)
    steps = right(own & NOT_A, 9) & ~own
    return popcount(straight) + popcount(steps) + popcount(right(own & NOT_H, 7) & ~own)


@evaluation(Breakthrough)
def mobility(position: Breakthrough) -> int:
    ahead = white_moves(position.white, position.black) - black_moves(position.black, position.white)
    return 20 * ahead if position.turn == 0 else -20 * ahead
""",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", choices=MOBILITY)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--nodes", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--net")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--control", default="cpu=0.05")
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{given.game}.py")
        file.write_text((EXAMPLES / file.name).read_text() + MOBILITY[given.game])
        net = given.net
        if net is None:
            settings = Settings(str(file), minutes=given.minutes, nodes=given.nodes, seed=given.seed)
            run = Run.create(Path(folder, "run"), settings)
            run.run(Threads(given.workers), lambda: Processes(given.workers), say=print)
            net = run.data()["file"]
        for opponent in ("mobility", "default"):
            match = Match.of(
                str(file),
                [f'plywise:evaluator=learned,weights="{net}"', f"plywise:evaluator={opponent}"],
                openings_from=f"random:{given.plies}",
                pairs=given.pairs,
                seed=given.seed,
                control=TimeControl.parse(given.control),
            )
            tally = match.run(InProcess() if given.workers == 1 else Processes(given.workers))
            meeting = tally.meetings[0, 1]
            estimate = meeting.estimate
            error = "" if estimate.error is None else f" +-{estimate.error:.0f}"
            score = f"+{meeting.wins} ={meeting.draws} -{meeting.losses}"
            name = "outcome only" if opponent == "default" else opponent
            print(
                f"{given.game}: net against {name}: {score}, {estimate.elo:+.0f}{error} Elo, {given.control}"
            )


if __name__ == "__main__":
    main()
