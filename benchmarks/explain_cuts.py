"""Is every cutoff right? Moves that were cut off, searched by plain minimax, never change their node.

    python benchmarks/explain_cuts.py [--cuts N] [--seed N] [--games NAME ...]

Random positions of every shipped game are searched and recorded with the unsound prunings off. At random
cut nodes, every pruned move is searched to the same depth by textbook minimax, which prunes nothing; then
the value of the node is computed again.
"""

import argparse
import random

import plywise
from explain_why_not import position
from plywise import Engine, Game
from plywise.core.scores import INFINITE, is_decisive
from plywise.explain import Record, pruned_moves, record
from plywise.search.recorder import CUT

DEEP = {"chess": 4, "checkers": 6, "polis": 4, "skirmish": 2, "connect_four": 8, "tic_tac_toe": 6}


def from_root(score: int, ply: int) -> int:
    """A score of a node as seen from the root."""
    if not is_decisive(score):
        return score
    return score - ply if score > 0 else score + ply


def changed(kept: Record, node: int, minimax: Engine) -> str | None:
    """What is wrong with a cutoff; None if the pruned moves do not change the node."""
    value, history, ply = int(kept.value[node]), kept.past(node), int(kept.ply[node])
    best = value
    for pruned in pruned_moves(kept, node):
        result = minimax.search(history, depth=int(kept.depth[node]), moves=[pruned.move])
        best = max(best, from_root(result.score, ply))
    parent = int(kept.parent[node])
    if parent < 0:
        return None if best >= kept.beta[node] else f"node {node} is below its window"
    # The parent's value from its children, each as it was last searched, with this node's new value.
    last: dict[int, int] = {}
    for child in kept.below(parent):
        if kept.by_move(child):
            last[int(kept.move[child])] = child
    sign = {child: 1 if kept.turn(child) == kept.turn(parent) else -1 for child in last.values()}
    worth = [sign[child] * (best if child == node else int(kept.value[child])) for child in last.values()]
    alpha, beta, was = int(kept.alpha[parent]), int(kept.beta[parent]), int(kept.value[parent])
    now = max([-INFINITE, *worth])
    if max(alpha, min(beta, now)) != max(alpha, min(beta, was)):
        return f"{kept.history.text!r} node {node} ({' '.join(kept.line(node))}): parent {was} becomes {now}"
    return None


def check_cuts(
    game: Game, cuts: int, seed: int, compiled: bool = True, most_depth: int = 3, table: bool = True
) -> tuple[int, list[str]]:
    """Check random cut nodes of a game: how many, and what was wrong."""
    dice = random.Random(seed)
    without = ["unsound"] if table else ["unsound", "table"]
    engine = Engine(game, player="minimax", compiled=compiled)
    checked, wrong = 0, []
    while checked < cuts:
        history = position(game, dice)
        depth = min(DEEP.get(game.name, 4), most_depth + 1)
        kept = record(history, depth=depth, without=without, hash=1, compiled=compiled)
        found = [
            node
            for node in range(len(kept))
            if kept.cause[node] == CUT and 0 < kept.depth[node] <= most_depth and kept.fanout[node]
        ]
        # A parent's last visits tell its value only where the node was not searched again afterwards.
        found = [node for node in found if last_visit(kept, node)]
        for node in dice.sample(found, min(3, len(found), cuts - checked)):
            checked += 1
            problem = changed(kept, node, engine)
            if problem is not None:
                wrong.append(problem)
        if len(history.moves) < 2 and not found:
            continue
    return checked, wrong


def last_visit(kept: Record, node: int) -> bool:
    """Whether the node is the last search of its move at its parent."""
    parent = int(kept.parent[node])
    if parent < 0:
        return True
    return not any(child > node and kept.move[child] == kept.move[node] for child in kept.below(parent))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--games", nargs="+", choices=list(plywise.shipped()), default=list(plywise.shipped())
    )
    options = parser.parse_args()
    games = options.games
    total, bad = 0, 0
    for i, name in enumerate(games):
        share = options.cuts // len(games) + (i < options.cuts % len(games))
        if share == 0:
            continue  # an engine without a node to check would be compiled for nothing
        deep = min(3, DEEP[name] - 1)
        checked, wrong = check_cuts(plywise.load(name), share, options.seed, most_depth=deep)
        total, bad = total + checked, bad + len(wrong)
        print(f"{name}: {checked} cut nodes checked, {len(wrong)} wrong", *wrong[:5], sep="\n  ")
    print(f"{total} cut nodes, skipped siblings searched by minimax: {bad} would change their parent")


if __name__ == "__main__":
    main()
