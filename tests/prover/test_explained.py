"""What `explain` says of random games, held against the truth."""

import random
from collections import Counter
from dataclasses import replace

from plywise import History
from plywise.core.scores import Kind, is_decisive, is_sure
from plywise.explain.reasons import AT_MOST, explain
from plywise.search.recorder import ALL_MOVES_SEARCH
from tests.prover.claims import Truth
from tests.prover.games import DRAWS, Random, Shape, any_shape, variant
from tests.prover.prove import Known, any_walks


def root(shape: Shape, draws: int, walk: tuple[int, ...]) -> tuple[History, Truth] | None:
    """The history at the end of a walk, and the truth about it; None where no move is left."""
    shape = shape if DRAWS[draws].repetition else replace(shape, loops=0)
    truth = Known(shape, draws, database=False).root(walk)
    if truth is None or truth.history.outcome is not None:
        return None
    history = History(variant(draws, images=bool(shape.images)), Random(shape.seed))
    for move in truth.history.played:
        history = history.play(move)
    return history, truth


def test_what_is_said_of_every_move_is_true() -> None:
    said: Counter[str] = Counter()
    for number in range(150):
        dice = random.Random(number)
        found = root(any_shape(dice), dice.randrange(len(DRAWS)), any_walks(dice, 1)[0])
        if found is None:
            continue
        history, truth = found
        depth = dice.choice((None, *range(1, 7)))
        nodes = 1500 if depth else dice.randint(2, 800)
        without = dice.choice(((), ("unsound",)))
        asked = dice.choice([None, *history.moves])
        told = explain(history, move=asked, compiled=False, without=without, depth=depth, nodes=nodes)
        for move in told.alternatives:
            place = history.game.read_move(history.position, move.move)
            value, score = truth.values[place], move.score
            said[move.kind] += 1
            if move.kind is Kind.PROVEN:
                assert value == score, (number, move)
            elif move.kind is Kind.EXACT:
                minimax = truth.minimax(move.depth)
                assert minimax is None or minimax[place] == score, (number, move)
            elif move.kind is Kind.BOUND and is_sure(score) and move.bound == AT_MOST:
                assert value <= score or (score < 0 and value < 0), (number, move)
        if told.asked is not None:
            value = truth.values[history.game.read_move(history.position, told.asked.move)]
            said[f"asked, {told.asked.kind}"] += 1
            if told.asked.kind is Kind.PROVEN:
                assert value == told.asked.score, (number, told.asked)
            elif told.asked.kind is Kind.BOUND and is_decisive(told.asked.score):
                assert value * told.asked.score > 0 and abs(value) >= abs(told.asked.score)
    assert min(said[kind] for kind in ("proven", "exact", "bound", "asked, proven")) > 9, said


def test_all_moves_after_the_candidates_are_no_move_of_the_record() -> None:
    """A node whose candidates all lose is searched again with all moves: the record took that for a move."""
    shape = Shape(
        width=6, levels=6, branch=3, cycles=2, again=1, actions=1, midway=1, noisy=1, over=3, stuck=3,
        skips=2, opinions=3, tail=1, stuck_is=2, chance=1153780,
    )  # fmt: skip
    found = root(shape, 0, (2,))
    assert found is not None
    told = explain(found[0], compiled=False, nodes=37)
    assert ALL_MOVES_SEARCH in told.record.rows["why"]
    assert {move.move for move in told.alternatives} <= set(found[0].moves)
