"""What a game without an evaluation learns: a net against mobility, and against the outcome alone.

    python benchmarks/learn_examples.py othello [--minutes 30] [--workers N] [--net FILE] [--pairs 100]
        [--control cpu=0.05] [--plies 4 6 8] [--seed 1]

`othello` or `breakthrough` of `examples/` learns for so long as `plywise learn` does, unless a net is given.
Then the net meets a search whose evaluation is the number of moves, and one that knows the outcome only, with
so many pairs of games in all from random openings of each length.
"""

import argparse
import tempfile
from pathlib import Path

from plywise.arena import InProcess, Match, Processes, TimeControl
from plywise.learn.batches import Threads
from plywise.learn.run import Run
from plywise.learn.run_state import Settings

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", choices=("othello", "breakthrough"))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--net")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--control", default="cpu=0.05")
    parser.add_argument("--plies", type=int, nargs="+", default=[4, 6, 8])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    file, net = EXAMPLES / f"{given.game}.py", given.net
    with tempfile.TemporaryDirectory() as folder:
        if net is None:
            run = Run.create(Path(folder, "run"), Settings(str(file), given.minutes, seed=given.seed))
            run.run(Threads(given.workers), lambda: Processes(given.workers), say=print)
            net = run.data()["file"]
        for opponent in ("mobility", "outcome"):
            for i, plies in enumerate(given.plies):
                match = Match.of(
                    str(file),
                    [f'plywise:evaluator=learned,weights="{net}"', f"plywise:evaluator={opponent}"],
                    openings_from=f"random:{plies}",
                    pairs=(given.pairs + i) // len(given.plies),
                    seed=given.seed + i,
                    control=TimeControl.parse(given.control),
                )
                tally = match.run(InProcess() if given.workers == 1 else Processes(given.workers))
                meeting = tally.meetings[0, 1]
                estimate = meeting.estimate
                error = "" if estimate.error is None else f" +-{estimate.error:.0f}"
                score = f"+{meeting.wins} ={meeting.draws} -{meeting.losses}, {estimate.elo:+.0f}{error} Elo"
                print(f"{given.game}, openings of {plies} plies, net against {opponent}: {score}", flush=True)


if __name__ == "__main__":
    main()
