"""Two views of one position: each is what that player alone would find."""

from dataclasses import replace

import pytest

import plywise
from plywise import Engine
from plywise.explain.side_by_side import OTHERS_NODES, view
from plywise.play.seat import read_seat
from tests.conftest import open_positions

NODES = 600


@pytest.mark.parametrize("seat", ["default", "level=2", "default,without=table", "alphabeta,depth=2"])
def test_a_view_has_the_move_the_lines_the_terms_and_the_nodes(seat: str) -> None:
    game = plywise.load("connect_four")
    history = game.history("4433")
    found = view(history, read_seat(game, seat), NODES, compiled=False)
    assert found.move in history.moves and found.lines and found.depth >= 1
    assert found.nodes <= NODES + 10
    assert sum(found.terms.values()) == game.evaluate(history.position)
    assert (found.tree is None) == seat.startswith("alphabeta")
    if found.tree is not None:
        assert (found.tree.right <= 1).all() and len(found.tree) > 1


def test_the_other_lines_are_searched_to_the_depth_of_the_chosen_one() -> None:
    """Scores of two depths do not compare: fewer moves in as many nodes would be searched deeper."""
    game = plywise.load("connect_four")
    history = game.history("4433")
    found = view(history, read_seat(game, "default"), NODES, compiled=False)
    first = Engine(game, hash=4, compiled=False).search(history, nodes=NODES)
    others = [move for move in history.moves if move != first.move]
    alone = Engine(game, hash=4, compiled=False).search(history, depth=first.depth, moves=others, lines=2)
    assert alone.nodes < OTHERS_NODES * NODES, "the depth is what ends it"
    assert found.lines == (*first.lines, *alone.lines)


def test_a_line_that_scores_higher_than_the_chosen_one_is_known() -> None:
    game = plywise.load("connect_four")
    found = view(game.history("4433"), read_seat(game, "default"), NODES, compiled=False)
    low, high = sorted(found.lines, key=lambda line: line.score)[:: len(found.lines) - 1]
    assert low.score < high.score
    assert replace(found, lines=(low, high)).higher == high
    assert replace(found, lines=(high, low)).higher is None
    assert replace(found, lines=(low, replace(low, moves=high.moves))).higher is None, "as high is not higher"
    assert replace(found, lines=()).higher is None


@pytest.mark.parametrize("seat", ["default", "level=1", "level=2", "level=5"])
def test_the_move_has_its_own_line_and_score(seat: str) -> None:
    """A search of few nodes chooses other moves than one of several lines, and a level errs."""
    game = plywise.load("chess")
    for history in open_positions(game, 8, seed=5):
        found = view(history, read_seat(game, seat), 300, compiled=False)
        assert found.line is not None and found.line in found.lines
        assert found.line.moves[0] == found.move
        assert len({line.moves[0] for line in found.lines}) == len(found.lines)


def test_a_switch_changes_the_nodes_and_a_level_its_depth() -> None:
    game = plywise.load("tic_tac_toe")
    history = game.history("..x...... o")
    whole, bare = (
        view(history, read_seat(game, seat), 5000, compiled=False)
        for seat in ("depth=4", "depth=4,without=table+unsound")
    )
    assert whole.nodes < bare.nodes
    assert view(history, read_seat(game, "level=1"), 5000, compiled=False).depth == 1
