"""Proven means proven: every mode of the search against the truth of games that nobody wrote."""

import random
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plywise import OPEN, History
from plywise.core.scores import DECISIVE, WIN
from plywise.search.switches import NAMES
from tests.prover.games import DRAWS, LEAST, MOST, Random, Remembered, Shape, any_shape, variant
from tests.prover.prove import (
    CAUSES,
    WHYS,
    Ask,
    Case,
    Known,
    Prover,
    any_case,
    any_margins,
    forced,
    large,
    stops,
    threads_at_once,
)
from tests.prover.solver import Node, Solver, drawn_by_return, nearer, patience_of

COMPILED = Prover()
LONG = (0,)  # games in which one line never ends


# --- the solver and the games are what they say ---------------------------------------------------
class Endless(Exception):
    """The tree of a game is too large to be walked."""


def by_rules(history: History, left: list[int]) -> int:
    """The value of a history by nothing but its rules, over every line of play to its end."""
    left[0] -= 1
    if left[0] < 0:
        raise Endless
    best = -WIN - 1
    for move in history.game.moves(history.position):
        after = history.play(move)
        ended = after.outcome
        if ended is not None:
            score = 0 if ended.winner is None else WIN if ended.winner == history.turn else -WIN
        else:
            score = by_rules(after, left)
            score = score if after.turn == history.turn else -score
        best = max(best, nearer(score))
    return best


def test_the_solver_knows_what_the_rules_of_the_past_say() -> None:
    seen = {"won": 0, "lost": 0, "drawn": 0, "with a past": 0}
    for number in range(600):
        dice = random.Random(number)
        draws = dice.choice([i for i, rule in enumerate(DRAWS) if rule.repetition or 0 < rule.plies < 9])
        shape = replace(any_shape(dice), width=dice.randint(1, 3), levels=dice.randint(2, 4), branch=2)
        if shape.loops and not DRAWS[draws].repetition:
            continue
        game = variant(draws)
        history = History(game, Random(shape.seed))
        for _ in range(dice.randrange(6)):
            then = [history.play(move) for move in game.moves(history.position)]
            then = [one for one in then if one.outcome is None]
            history = dice.choice(then) if then else history
        if not game.moves(history.position):
            continue
        try:
            value = by_rules(history, [2000])
        except Endless:
            continue
        drawn = drawn_by_return(history)
        solved = Solver(game, patience_of(history)).value(history.position, history.clock, drawn)
        assert solved == value, (shape, draws, history.played)
        seen["won" if value > DECISIVE else "lost" if value < -DECISIVE else "drawn"] += 1
        seen["with a past"] += bool(drawn - {history.position})
    assert min(seen.values()) > 20, seen


class LooksOnce(Solver):
    """A solver that may look at a node once only."""

    def __init__(self, game: Any, patience: int) -> None:
        super().__init__(game, patience)
        self.seen: set[Node] = set()

    def after(self, node: Node) -> list[Node]:
        assert node not in self.seen, "what was found out is known"
        self.seen.add(node)
        return super().after(node)


def test_a_large_game_with_a_long_counter_is_solved_by_one_look_at_each_node() -> None:
    """Case 19916 of benchmarks/prove_random_games.py: it was solved anew from every node behind a reset."""
    shape = Shape(
        width=63, levels=6, branch=4, cycles=6, again=2, actions=3, noisy=1, over=0, stuck=3, skips=3,
        opinions=0, chance=3402134,
    )  # fmt: skip
    game = variant(6)
    solver = LooksOnce(game, game.draws.plies)
    for node in range(10):
        solver.value(Remembered(shape.seed, node), 0)
    assert len(solver.seen) > 10_000


def test_scores_by_the_counter_are_scores_by_distance() -> None:
    """Two ways to the same truth: the counter's order, and wins and losses ply by ply."""

    class ByDistance(Solver):
        _score_by_counter = Solver._score_by_distance

    dice, decisive = random.Random(7), 0
    for _ in range(60):
        shape, game = any_shape(dice), variant(dice.choice((3, 4, 5)))
        solvers = Solver(game, game.draws.plies), ByDistance(game, game.draws.plies)
        start = Remembered(shape.seed)
        if solvers[0].facts(start)[1] == OPEN:
            for drawn in (frozenset[Any](), frozenset({start.play(0)})):
                scores = [solver.value(start, 0, drawn) for solver in solvers]
                assert scores[0] == scores[1], shape
            assert solvers[0].known == solvers[1].known, shape
            decisive += sum(score != 0 for score in solvers[0].known.values())
    assert decisive > 1000


def test_no_position_returns_after_a_reset() -> None:
    for number in range(60):
        dice = random.Random(number)
        history = History(variant(1), Random(any_shape(dice).seed))
        gone: set[Random] = set()
        recent = {history.position}
        for _ in range(60):
            moves = history.game.moves(history.position)
            if not moves:
                break
            move = dice.choice(moves)
            if history.position.resets(move):
                gone, recent = gone | recent, set()
            history = history.play(move)
            recent.add(history.position)
            assert history.position not in gone


def test_what_is_remembered_is_what_the_rules_say() -> None:
    for number in range(40):
        seed, game = any_shape(random.Random(number)).seed, variant(1)
        todo, seen = [Remembered(seed)], set[Random]()
        while todo and len(seen) < 60:
            position = todo.pop()
            same = Random(*position)
            if same in seen:
                continue
            seen.add(same)
            for _ in range(2):  # computed, then remembered
                moves = game.moves(same)
                assert game.moves(position) == moves
                assert (position.outcome(), position.key()) == (same.outcome(), same.key())  # type: ignore[attr-defined]
                assert [position.play(move) for move in moves] == [same.play(move) for move in moves]
                assert [position.resets(move) for move in moves] == [same.resets(move) for move in moves]
            todo += [position.play(move) for move in moves]


def test_a_search_in_the_callers_thread_is_the_same_search() -> None:
    for number in range(12):
        case = any_case(random.Random(number), searches=1)
        truth = Known(case.shape, 1, database=False).root(case.asks[0].walk)
        if truth is None:
            continue
        told: list[list[object]] = [[], []]
        for own_thread in (True, False):
            engine = COMPILED.engine(replace(case, draws=1, threads=1, own_thread=own_thread))
            for nodes in (20, 200, 2000):
                with nullcontext() if own_thread else threads_at_once():
                    result = engine.search(truth.history, lines=2, depth=6, nodes=nodes)
                told[own_thread].append((result.lines, result.depth, result.nodes))
        assert told[False] == told[True]


# --- the search ---------------------------------------------------------------------------------------
def test_every_mode_keeps_its_word() -> None:
    """Thousands of searches; every technique is seen at work in them."""
    prover = COMPILED
    for number in range(140):
        prover.check(any_case(random.Random(number), size=1 + number % 4))
    for number in range(25):  # these are recorded, and large enough for every technique
        dice = random.Random(1000 + number)
        shape = replace(any_shape(dice, 4), width=10, levels=12, branch=5, skips=3, over=1, opinions=1)
        deep = tuple(Ask((i,), depth=9, nodes=20_000) for i in range(3))
        prover.check(Case(shape, draws=dice.randrange(1, 7), asks=deep, record=True))
    for chance in LONG:
        prover.check(forced(chance))
    for chance in range(6):
        shape = replace(any_shape(random.Random(chance), 2), tail=2, chance=chance)
        asks = tuple(Ask((i,), depth=5) for i in range(4))
        prover.check(Case(shape, draws=chance, asks=asks, record=True, database=True))
    assert prover.searches > 3000
    wanted = [f"why: {word}" for word in WHYS.values()] + [f"cause: {word}" for word in CAUSES.values()]
    wanted += ["root: verification", "root: aspiration re-search", "depth: extension or another action"]
    missing = [word for word in wanted if not prover.fired[word]]
    assert not missing, (missing, prover.fired)
    for limit in ("depth", "nodes", "mate", "time"):
        assert prover.modes[f"limit: {limit}"] > 30
    assert min(prover.claims[kind] for kind in ("proven decisive", "proven", "exact", "bound decisive")) > 30


def test_the_same_in_python_and_in_the_plain_form() -> None:
    prover = Prover(compiled=False)
    for number in range(60):
        case = any_case(random.Random(5000 + number), searches=4, deep=4)
        asks = tuple(replace(ask, nodes=min(ask.nodes or 600, 600)) for ask in case.asks)
        prover.check(replace(case, asks=asks, plain=number % 2 == 0, threads=1))


def test_images_that_share_an_entry_make_nothing_false() -> None:
    """The table takes images for one position; for repetitions and for the solver they are not."""
    prover = Prover(compiled=False)
    for number in range(60):
        case = any_case(random.Random(6000 + number), searches=4, deep=5, size=1 + number % 2)
        asks = tuple(replace(ask, nodes=min(ask.nodes or 600, 600)) for ask in case.asks)
        shape = replace(case.shape, images=1, cycles=max(1, case.shape.cycles))
        prover.check(replace(case, shape=shape, draws=number % len(DRAWS), asks=asks, threads=1))
    assert min(prover.claims[kind] for kind in ("proven decisive", "exact")) > 10


def test_mobility_makes_nothing_false() -> None:
    prover = Prover(compiled=False)
    for number in range(40):
        case = any_case(random.Random(7000 + number), searches=4, deep=4)
        asks = tuple(replace(ask, nodes=min(ask.nodes or 600, 600)) for ask in case.asks)
        prover.check(replace(case, asks=asks, threads=1, mobility=True))
    assert min(prover.claims[kind] for kind in ("proven decisive", "exact")) > 10


def test_no_numbers_of_the_search_make_anything_false() -> None:
    """Margins are tuned: whatever they are, what is pruned by them is not proven."""
    for number in range(40):
        dice = random.Random(9000 + number)
        case = any_case(dice, size=1 + number % 3, deep=7)
        asks = tuple(replace(ask, nodes=min(ask.nodes or 20_000, 20_000)) for ask in case.asks)
        COMPILED.check(replace(case, asks=asks, threads=1, margins=any_margins(dice)))


@pytest.mark.thorough("compiles three more searches")
def test_compiled_searches_with_images_and_mobility_keep_their_word() -> None:
    for number in range(120):
        case = any_case(random.Random(8000 + number), size=1 + number % 4)
        shape = replace(case.shape, images=int(number % 3 > 0))
        COMPILED.check(replace(case, shape=shape, record=False, mobility=number % 3 == 0))


def test_images_are_alike_for_the_rules() -> None:
    seen = {"own image": 0, "another image": 0}
    for number in range(60):
        seed, game = replace(any_shape(random.Random(number)), images=1).seed, variant(1, images=True)
        todo = [Random(seed)]
        for position in todo:
            moves = game.moves(position)
            after = sorted(position.play(move)[:4] for move in moves)
            for image in range(game.symmetries):
                other = position.symmetry(image)
                seen["own image" if other == position else "another image"] += 1
                assert other.symmetry(image) == position
                assert other[:4] == position[:4]
                assert sorted(other.play(move)[:4] for move in game.moves(other)) == after
            todo += [after for after in map(position.play, moves) if after not in todo and len(todo) < 60]
    assert min(seen.values()) > 1000, seen


@pytest.mark.parametrize("part", sorted(NAMES))
def test_each_part_of_the_search_does_something_and_nothing_false(part: str) -> None:
    """With and without one part, from the same empty table: it changes the work of some searches."""
    changed = [COMPILED.compare(large(random.Random(number)), part) for number in range(12)]
    assert any(changed) or any(
        COMPILED.compare(large(random.Random(number)), part) for number in range(12, 100)
    )


@pytest.mark.parametrize("without", [(), ("unsound",)])
def test_a_search_may_be_stopped_at_any_node(without: tuple[str, ...]) -> None:
    for number in range(5):
        dice = random.Random(number)
        shape = any_shape(dice, 2)
        case = Case(shape, draws=number, without=without, table="tiny" if number % 2 else "usual")
        COMPILED.check(stops(case, Ask((2, 1), depth=6, lines=1 + number % 3), 60))


def test_a_stopped_search_that_sees_a_loss_has_not_seen_every_move() -> None:
    """Its best move so far loses, and the position is won: that is no bound. A win that it sees is one."""
    shape = Shape(
        width=4, levels=6, branch=7, cycles=3, again=0, actions=0, midway=1, loops=1, noisy=2, over=1,
        stuck=2, skips=1, opinions=2, tail=2, stuck_is=2, chance=1336812,
    )  # fmt: skip
    prover = Prover(compiled=False)
    prover.check(Case(shape, draws=4, asks=(Ask((5, 3), nodes=5),)))
    assert prover.claims == {"estimate decisive": 1}
    for nodes in range(1, 60):
        prover.check(Case(shape, draws=4, asks=(Ask((5, 3), nodes=nodes),)))
    assert prover.claims["bound decisive"] > 5


def test_a_side_that_wins_by_having_no_move_wins_a_ply_sooner() -> None:
    shape = Shape(
        width=6, levels=6, branch=3, cycles=0, again=2, actions=2, midway=1, loops=1, urgent=1, noisy=1,
        over=3, stuck=3, skips=2, opinions=1, tail=1, stuck_is=2, chance=1168237,
    )  # fmt: skip
    Prover(compiled=False).check(Case(shape, draws=2, asks=(Ask(depth=9, lines=4),)))


def test_a_line_that_comes_to_the_front_speaks_for_all_moves() -> None:
    """The second line is proven to win in 4; the first move only looks worse, and wins in 3."""
    shape = Shape(
        width=8, levels=6, branch=4, cycles=0, again=2, actions=1, midway=1, loops=1, noisy=2, over=2,
        stuck=2, skips=3, opinions=1, chance=1197224,
    )  # fmt: skip
    Prover(compiled=False).check(Case(shape, draws=1, asks=(Ask((7,), depth=4, lines=2),)))


def test_a_database_is_not_believed_where_the_counter_may_end_the_game_first() -> None:
    shape = Shape(
        width=12, levels=10, branch=3, cycles=1, again=0, actions=2, midway=0, loops=1, urgent=0, noisy=2,
        over=0, stuck=2, skips=3, opinions=3, tail=3, stuck_is=1, chance=266687,
    )  # fmt: skip
    case = Case(shape, draws=3, asks=(Ask((7,), depth=2),), without=("unsound",), database=True)
    prover = Prover(compiled=False)
    prover.check(case)
    assert prover.claims["exact"] == 1  # of a loss in 6 plies, which the counter of 5 plies may forestall


def test_a_search_of_more_turns_than_a_row_can_hold_is_recorded() -> None:
    shape = Shape(width=8, cycles=1, branch=1, loops=1, urgent=1, noisy=0, over=2, stuck=0, chance=3517224)
    prover = Prover(compiled=False)
    case = Case(shape, draws=1, asks=(Ask(nodes=1000),), without=("unsound", "table"), record=True)
    prover.check(case)
    log = prover.engine(case).log
    assert log is not None
    assert log["depth"].max() == 127
    assert log["depth"].min() >= 0


def shapes() -> st.SearchStrategy[Shape]:
    small = {"width": 8, "levels": 10, "branch": 5}
    return st.builds(
        Shape,
        **{name: st.integers(LEAST.get(name, 0), small.get(name, most)) for name, most in MOST.items()},
    )


def asks() -> st.SearchStrategy[Ask]:
    few = st.integers(0, 7)
    return st.builds(
        Ask,
        walk=st.lists(few, max_size=6).map(tuple),
        depth=st.integers(1, 6),
        nodes=st.none() | st.integers(1, 3000),
        mate=st.none() | st.integers(1, 3),
        lines=st.integers(1, 4),
        moves=st.lists(few, max_size=2).map(tuple),
    )


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    shape=shapes(),
    draws=st.integers(0, len(DRAWS) - 1),
    asked=st.lists(asks(), min_size=1, max_size=4).map(tuple),
    without=st.sampled_from([(), ("unsound",), ("unsound", "table"), *((name,) for name in sorted(NAMES))]),
    table=st.sampled_from(["usual", "tiny"]),
)
def test_whatever_hypothesis_thinks_of(
    shape: Shape, draws: int, asked: tuple[Ask, ...], without: tuple[str, ...], table: str
) -> None:
    COMPILED.check(Case(shape, draws, asked, without, table))


def test_a_bound_by_distance_allows_for_a_side_that_wins_by_having_no_move() -> None:
    shape = Shape(
        width=3, levels=8, branch=5, cycles=4, again=1, actions=1, midway=1, urgent=1, noisy=1, over=0,
        stuck=1, skips=1, opinions=0, stuck_is=2, chance=636064,
    )  # fmt: skip
    first, second = (6, 4, 7), (6, 3, 2)
    asks = (
        Ask(walk=first, depth=5),
        Ask(walk=first, depth=7, lines=3),
        Ask(walk=first, depth=3),
        Ask(walk=first, depth=8),
        Ask(walk=first, nodes=243, mate=2),
        Ask(walk=first, nodes=91),
        Ask(walk=second, nodes=5000, moves=(1, 0, 7)),
    )
    Prover().check(Case(shape, draws=6, asks=asks))
