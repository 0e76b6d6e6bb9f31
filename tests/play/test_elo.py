"""Strength without steps: an order, bounds, the one chooser, no gifts."""

import random
from itertools import pairwise

import pytest

from plywise import Engine, load
from plywise.core.registry import shipped
from plywise.core.scores import Kind, loss_in, win_in
from plywise.play.elo import MAX_ELO, MAX_SKILL, MIN_ELO, SCALE, level_of_elo, level_of_skill
from plywise.play.levels import Level, level
from plywise.search.limits import Limits
from plywise.search.result import Line

CHESS = load("chess")


def lines(*scores: int) -> tuple[Line, ...]:
    return tuple(Line(score, Kind.ESTIMATE, (str(i),), (i,)) for i, score in enumerate(scores))


# --- the scale ------------------------------------------------------------------------------------
def test_each_point_of_the_scale_is_better_than_the_one_below() -> None:
    for low, high in pairwise(SCALE):
        assert low.elo < high.elo
        assert low.nodes < high.nodes
        assert low.heat > high.heat or low.heat == high.heat == 0


def test_more_elo_never_looks_at_less_or_errs_more() -> None:
    found = [level_of_elo(CHESS, elo) for elo in range(MIN_ELO, MAX_ELO + 1)]
    nodes = [one.nodes or 0 for one in found]
    assert nodes == sorted(nodes)
    for what in ("heat", "margin", "lines"):
        values = [getattr(one, what) for one in found]
        assert values == sorted(values, reverse=True)
    assert all((one.heat == 0) == (one.lines == 1) for one in found)


def test_the_scale_goes_through_its_points_without_steps() -> None:
    for point in SCALE:
        assert level_of_elo(CHESS, point.elo) == point.level(CHESS)
    for elo in range(MIN_ELO, MAX_ELO):
        low, high = level_of_elo(CHESS, elo), level_of_elo(CHESS, elo + 1)
        assert low.nodes is not None and high.nodes is not None
        assert high.nodes <= 1.03 * low.nodes
        assert low.heat - high.heat < 0.01


def test_beyond_the_scale_is_its_end() -> None:
    assert level_of_elo(CHESS, 0) == level_of_elo(CHESS, MIN_ELO)
    assert level_of_elo(CHESS, 9999) == level_of_elo(CHESS, MAX_ELO)


def test_skill_is_the_same_scale_and_its_top_is_no_limit() -> None:
    assert level_of_skill(CHESS, 0) == level_of_skill(CHESS, -1) == level_of_elo(CHESS, MIN_ELO)
    nodes = [one.nodes for skill in range(MAX_SKILL) if (one := level_of_skill(CHESS, skill)) is not None]
    assert len(nodes) == MAX_SKILL and nodes == sorted({*nodes})
    assert level_of_skill(CHESS, MAX_SKILL) is None and level_of_skill(CHESS, MAX_SKILL + 1) is None


@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_game_has_the_scale_in_nodes_and_errors_of_its_own_size(name: str) -> None:
    game = load(name)
    for elo in (MIN_ELO, (MIN_ELO + MAX_ELO) // 2, MAX_ELO):
        one, chess = level_of_elo(game, elo), level_of_elo(CHESS, elo)
        assert one.nodes == chess.nodes
        assert one.heat == pytest.approx(chess.heat * game.level_heat / CHESS.level_heat)


# --- the chooser ----------------------------------------------------------------------------------
def test_only_near_best_moves_are_chosen_and_the_best_most_often() -> None:
    dice, weak = random.Random(1), level_of_elo(CHESS, MIN_ELO)
    chosen = [weak.choose(lines(50, -50, -250, -2000), CHESS, dice, 100) for _ in range(500)]
    assert set(chosen) == {0, 1, 2}
    assert chosen.count(0) > chosen.count(1) > chosen.count(2)


@pytest.mark.parametrize("elo", [point.elo for point in SCALE])
def test_a_win_is_taken_and_a_loss_not_chosen(elo: int) -> None:
    dice, one = random.Random(1), level_of_elo(CHESS, elo)
    assert {one.choose(lines(win_in(3), 500), CHESS, dice, 100) for _ in range(50)} == {0}
    assert {one.choose(lines(0, loss_in(2)), CHESS, dice, 100) for _ in range(50)} == {0}


def test_the_strongest_plays_the_best() -> None:
    dice, strongest = random.Random(1), level_of_elo(CHESS, MAX_ELO)
    assert {strongest.choose(lines(20, 20, 19), CHESS, dice, 100) for _ in range(50)} == {0}


def test_a_line_that_was_looked_at_less_deeply_is_not_preferred() -> None:
    dice, weak = random.Random(1), level_of_elo(CHESS, MIN_ELO)
    chosen = [weak.choose(lines(-300, 2000), CHESS, dice, 100) for _ in range(1000)]
    assert 400 < chosen.count(0) < 600


def test_more_lines_than_the_level_has_are_not_chosen_from() -> None:
    dice, one = random.Random(1), level(CHESS, 7)
    assert one.lines == 2
    assert {one.choose(lines(10, 10, 10, 10), CHESS, dice, 100) for _ in range(100)} == {0, 1}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (Limits(), Limits(3, 100, 1.0)),
        (Limits(5, 500, 5.0, soft=0.5, mate=2), Limits(3, 100, 1.0, soft=0.5, mate=2)),
        (Limits(1, 10, 0.1, infinite=True), Limits(1, 10, 0.1, infinite=True)),
    ],
)
def test_the_narrower_limit_counts(given: Limits, expected: Limits) -> None:
    assert Level(0, "", "", depth=3, nodes=100, seconds=1.0).within(given) == expected


# --- played, uncompiled: the same search, without a compiler's seconds ------------------------------
MATES = [
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "start moves f3 e5 g4",
    # Many captures and checks around it, so that few nodes are left for the mate.
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
]


@pytest.mark.parametrize("text", MATES)
def test_the_weakest_does_not_miss_a_mate_in_one(text: str) -> None:
    weak, start = level_of_elo(CHESS, MIN_ELO), CHESS.history(text)
    result = Engine(CHESS, hash=1, compiled=False).search(start, nodes=weak.nodes, lines=weak.lines)
    for seed in range(5):
        line = result.lines[weak.choose(result.lines, CHESS, random.Random(seed), 100)]
        after = start.play(line.moves[0])
        assert after.outcome is not None and after.outcome.winner == start.turn


# What is offered, and the moves that take it.
HANGING = {
    "start moves e4 Nf6 e5 Ng4": "d1g4",
    "start moves e4 c5 Nf3 d6 d4 Bg4 dxc5 Bxf3": "d1f3 g2f3",
    "start moves e4 e5 Nf3 Nc6 Bb5 a6 Bxc6": "d7c6 b7c6",
    "start moves d4 d5 Nf3 Bh3": "g2h3 h1g1",
}


def test_more_elo_takes_what_is_offered_more_often() -> None:
    shares: list[int] = []
    for elo in (MIN_ELO, 800, 1670):
        one, taken = level_of_elo(CHESS, elo), 0
        for text, best in HANGING.items():
            result = Engine(CHESS, hash=1, compiled=False).search(
                CHESS.history(text), nodes=one.nodes, lines=one.lines
            )
            for seed in range(50):
                line = result.lines[one.choose(result.lines, CHESS, random.Random(seed), 100)]
                taken += line.moves[0] in best.split()
        shares.append(taken)
    assert shares == sorted({*shares}), shares
    assert shares[-1] == 50 * len(HANGING)
