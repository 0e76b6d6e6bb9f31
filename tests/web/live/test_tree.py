"""The tree of a game on its own: branches, undo and redo, and the rows of the store."""

import pytest

import plywise
from plywise.play.state import GameState, start_game
from plywise.web.live.tree import GameStatus, GameTree, Node
from plywise.web.schema import Refused


def grow(tree: GameTree, node: Node, *moves: str) -> Node:
    """Play moves from a node; the last node, which is the tip."""
    for move in moves:
        state = node.state.play({node.state.turn: (move,)})
        node = tree.new_node(node, state, [60.0, 60.0])
        tree.add(node)
    tree.tip = node
    return node


@pytest.fixture
def root() -> GameState:
    return start_game(plywise.load("tic_tac_toe"))


@pytest.fixture
def tree(root: GameState) -> GameTree:
    """a1 a2 b1, and a branch b2 from the root, which is the tip."""
    tree = GameTree(root)
    grow(tree, tree.nodes[0], "a1", "a2", "b1")
    grow(tree, tree.nodes[0], "b2")
    return tree


def test_a_tree_comes_back_from_its_rows(tree: GameTree, root: GameState) -> None:
    again = GameTree.from_rows(root, tree.rows(), tree.tip.n)
    assert [node.payload() for node in again.nodes] == [node.payload() for node in tree.nodes]
    assert again.rows() == tree.rows()
    assert again.tip.n == 4
    assert again.nodes[3].cached_state is None, "branches are played through when they are looked at"
    assert again.nodes[3].state.text == tree.nodes[3].state.text


def test_a_new_node_is_in_the_tree_once_it_is_added(tree: GameTree) -> None:
    state = tree.tip.state.play({1: ("c3",)})
    node = tree.new_node(tree.tip, state, None)
    assert node not in tree and len(tree) == 5
    tree.add(node)
    assert node in tree and tree.nodes[4].last_child is node


def test_known_choices_lead_to_the_known_node(tree: GameTree) -> None:
    assert tree.child(tree.nodes[0], {0: ("a1",)}) is tree.nodes[1]
    assert tree.child(tree.nodes[0], {0: ("c3",)}) is None
    assert tree.child(tree.nodes[1], {0: ("b2",)}) is None


def test_undo_and_redo_stop_where_a_person_chooses(tree: GameTree) -> None:
    tree.tip = tree.nodes[3]
    tree.prefer_path_to(tree.tip)
    assert tree.undo_target((0, 1)) is tree.nodes[2]
    assert tree.undo_target((1,)) is tree.nodes[1]
    assert tree.undo_target(()) is tree.nodes[2], "engines only: one move"
    tree.tip = tree.nodes[0]
    assert tree.undo_target((0, 1)) is None
    assert tree.redo_target((0, 1)) is tree.nodes[1]
    assert tree.redo_target((0,)) is tree.nodes[2]
    tree.tip = tree.nodes[3]
    assert tree.redo_target((0, 1)) is None


def test_redo_follows_the_branch_that_was_visited_last(tree: GameTree) -> None:
    tree.tip = tree.nodes[0]
    assert tree.redo_target((0, 1)) is tree.nodes[4]
    tree.prefer_path_to(tree.nodes[2])
    assert tree.redo_target((0, 1)) is tree.nodes[1]
    assert [node.n for node in tree.line_through_tip()] == [0, 4], "on along the main line"


def test_a_node_that_is_not_there_is_refused(tree: GameTree) -> None:
    with pytest.raises(Refused, match="no node 5; its last is 4"):
        tree.node(5)


def test_a_status_comes_back_from_the_store() -> None:
    status = GameStatus(
        hints=2, ended=(None, "agreed"), chosen={1: ("e2e4",)}, marks={3: ("blunder", 0.2)}, orientation=1
    )
    kept = status.to_json(7, [1.5, 2.0])
    assert (kept["tip"], kept["left"], kept["chosen"]) == (7, [1.5, 2.0], {"1": ["e2e4"]})
    assert GameStatus.from_json(kept) == status
    assert GameStatus.from_json({}) == GameStatus(), "files of older versions have fewer keys"
