"""Nine men's morris: a slow twin of the rules, mills, jumps and the end."""

import random

import pytest

from plywise.search.specialisation import perft_counter
from tests.conftest import named, walk

MORRIS = named("examples/morris")
RINGS = ("a7 d7 g7 g4 g1 d1 a1 a4", "b6 d6 f6 f4 f2 d2 b2 b4", "c5 d5 e5 e4 e3 d3 c3 c4")


def slow_lines() -> list[list[str]]:
    """The sides of the three rings, and the lines across them."""
    rings = [ring.split() for ring in RINGS]
    sides = [[ring[i], ring[i + 1], ring[(i + 2) % 8]] for ring in rings for i in (0, 2, 4, 6)]
    return sides + [[ring[i] for ring in rings] for i in (1, 3, 5, 7)]


LINES = slow_lines()


def is_mill(men: dict[str, str], point: str) -> bool:
    return any(point in line and len({men.get(name) for name in line}) == 1 for line in LINES)


def slow_moves(text: str) -> set[str]:
    """The legal moves of a game that goes on."""
    cells, placed, side, *taking = text.split()
    points = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
    men = {name: cell for name, cell in zip(points.split(), cells, strict=True) if cell != "."}
    if taking:
        theirs = [name for name, man in men.items() if man != side]
        return {f"x{name}" for name in theirs if not is_mill(men, name)} or {f"x{name}" for name in theirs}
    empty = set(points.split()) - set(men)
    if int(placed) < 18:
        return empty
    own = [name for name, man in men.items() if man == side]
    if len(own) == 3:
        return {one + other for one in own for other in empty}
    pairs = {(line[i], line[j]) for line in LINES for i, j in ((0, 1), (1, 0), (1, 2), (2, 1))}
    return {one + other for one in own for other in empty if (one, other) in pairs}


def test_whole_games_go_as_in_the_slow_twin() -> None:
    ends, jumps, takes = set(), 0, 0
    for seed in range(25):
        *going, last = walk(MORRIS, seed, 400)
        for history in going:
            assert set(history.moves) == slow_moves(history.text), history.text
            for move in random.Random(seed).sample(history.moves, 1):
                after = history.play(move)
                # A mill that was not there before means another act of the same side.
                takes += after.turn == history.turn
                assert (after.turn == history.turn) == after.text.endswith("takes")
                if after.turn == history.turn:
                    assert not move.startswith("x")
            jumps += len(history.moves) > 40
        if last.outcome is not None:
            ends.add(last.outcome.reason.partition(" ")[2])
    assert {"has two men left"} <= ends
    assert jumps and takes


def test_a_mill_takes_a_man_that_stands_in_none() -> None:
    history = MORRIS.history("start moves a7 b6 d7 d6 g7")
    assert history.turn == 0 and history.moves == ["xb6", "xd6"]
    mills = MORRIS.history("ww.bbb.................. 6 w").play("g7")
    assert mills.moves == ["xb6", "xd6", "xf6"]  # all stand in a mill, so any may be taken
    assert mills.play("xb6").turn == 1


def test_who_is_shut_in_or_has_two_men_left_has_lost() -> None:
    shut = MORRIS.history("wbw......b....b......wbw 18 w")
    assert shut.outcome is not None
    assert (shut.outcome.winner, shut.outcome.reason) == (1, "white has no move")
    two = MORRIS.history("bb.ww..................b 18 w")
    assert two.outcome is not None
    assert (two.outcome.winner, two.outcome.reason) == (1, "white has two men left")


def test_paths_without_mills_are_counted_by_hand() -> None:
    count = perft_counter(MORRIS, compiled=False)
    assert [count(MORRIS.start(), depth) for depth in (1, 2, 3)] == [24, 24 * 23, 24 * 23 * 22]


@pytest.mark.thorough("compiles the game")
def test_paths_are_the_same_compiled() -> None:
    native = perft_counter(MORRIS)
    assert native.specialisation.compiled
    assert native(MORRIS.start(), 4) == 24 * 23 * 22 * 21
    middle = MORRIS.parse("wbw.b.w...bw..b.b.w.b.wb 18 w")
    assert native(middle, 5) == perft_counter(MORRIS, compiled=False)(middle, 5)
