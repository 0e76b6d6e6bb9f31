"""The default agent against another over many dice seeds, on every course map, in one run.

python benchmarks/skirmish_agents.py [SEEDS [OTHER]]
"""

import sys
import time

from plywise.agents.skirmish import make_agent, play_episode
from plywise.games.skirmish.dice import Dice
from plywise.games.skirmish.maps import NAMES, course_map
from plywise.games.skirmish.units import ARCHERS, FOOTMEN


def main(seeds: int, other: str) -> None:
    print(f"{'map':16} {'agent':10} {'won':>7} {'turns':>17} {'health left':>17} {'seconds':>8}")
    for name in NAMES:
        means = []
        for leader in ("plan", other):
            footmen, started = make_agent(leader), time.perf_counter()
            played = [
                play_episode(
                    course_map(name), footmen, make_agent("scripted", ARCHERS, seed=seed), Dice(seed)
                )
                for seed in range(seeds)
            ]
            won = sum(one.outcome.winner == FOOTMEN for one in played)
            turns, health = [one.turns for one in played], [one.health[FOOTMEN] for one in played]
            means.append(sum(turns) / seeds)
            spread = [f"{min(v)}..{max(v)} ({sum(v) / seeds:.1f})" for v in (turns, health)]
            seconds = time.perf_counter() - started
            print(
                f"{name:16} {leader:10} {f'{won}/{seeds}':>7} {spread[0]:>17} {spread[1]:>17} {seconds:8.1f}",
                flush=True,
            )
        print(f"{name:16} {other} needs {means[1] / means[0]:.2f} times the turns of plan")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50, sys.argv[2] if len(sys.argv) > 2 else "search")
