"""Two views of one position: each is what that player alone would find."""

import pytest

import plywise
from plywise import Engine
from plywise.explain.side_by_side import view
from plywise.play.seat import read_seat

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


def test_the_lines_are_those_of_a_search_of_its_own() -> None:
    game = plywise.load("connect_four")
    history = game.history("4433")
    found = view(history, read_seat(game, "default"), NODES, compiled=False)
    alone = Engine(game, hash=4, compiled=False).search(history, nodes=NODES, lines=3)
    assert [line.moves for line in found.lines] == [line.moves for line in alone.lines]


def test_a_switch_changes_the_nodes_and_a_level_its_depth() -> None:
    game = plywise.load("tic_tac_toe")
    history = game.history("..x...... o")
    whole, bare = (
        view(history, read_seat(game, seat), 5000, compiled=False)
        for seat in ("depth=4", "depth=4,without=table+unsound")
    )
    assert whole.nodes < bare.nodes
    assert view(history, read_seat(game, "level=1"), 5000, compiled=False).depth == 1
