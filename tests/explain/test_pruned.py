"""What was not searched: each move has its reason, and no cut was wrong."""

import random

import pytest

import plywise
from explain_cuts import check_cuts
from plywise import Engine, Game
from plywise.explain import compare, pruned_moves, search_pruned_move
from plywise.explain.wording import PRUNED_TEXT
from plywise.web.why.wording import node_text
from tests.conftest import Scaled, open_positions, sample
from tests.explain.trees import recorded


def test_every_legal_move_is_searched_or_has_a_reason(any_game: Game, scaled: Scaled) -> None:
    kept = recorded(open_positions(any_game, 1, seed=31)[0])
    dice = random.Random(1)
    for node in dice.sample(range(len(kept)), min(scaled(20, 60), len(kept))):
        left = pruned_moves(kept, node)
        tried = [child.move for child in kept.children(node) if kept.by_move(child.number)]
        position = kept.position(node)
        legal = [any_game.move_text(position, move) for move in any_game.moves(position)]
        assert sorted({*tried, *(one.move for one in left)}) == sorted(legal)  # type: ignore[type-var]
        assert not {one.move for one in left} & set(tried)
        assert all(one.reason in PRUNED_TEXT for one in left)
        if kept.node(node).cause == "all moves" and kept.depth[node] > 0:
            assert {one.reason for one in left} <= {"left out"}


def test_no_cut_was_wrong(any_game: Game, scaled: Scaled) -> None:
    """Skipped siblings, searched without any pruning, never change the value at the parent."""
    checked, wrong = check_cuts(any_game, scaled(4, 12), seed=3, compiled=False, most_depth=2)
    assert wrong == []
    assert checked == scaled(4, 12)


def test_where_a_faster_win_is_known_no_move_is_called_good_enough() -> None:
    kept = recorded(plywise.load("tic_tac_toe").history("x..o.xo.. x"), depth=5)
    ended = [i for i in range(len(kept)) if kept.node(i).cause == "cut" and not kept.node(i).children]
    assert ended, "mate-distance pruning"
    for node in ended:
        assert {one.reason for one in pruned_moves(kept, node)} == {"mate distance"}
        assert node_text(kept, kept.node(node)).startswith("Mate-distance pruning: ")


def test_a_pruned_move_that_is_searched_shows_whether_it_matters() -> None:
    game = plywise.load("connect_four")
    kept = recorded(game.history("44"), depth=5, without=["unsound"])
    engine = Engine(game, hash=1, compiled=False, without=["unsound"])
    cut = [i for i in range(len(kept)) if kept.node(i).cause == "cut" and kept.depth[i] in (1, 2)]
    for node in random.Random(5).sample(cut, 10):
        for pruned in pruned_moves(kept, node):
            shown = search_pruned_move(kept, node, pruned.move, engine)
            assert shown.move == pruned.move == shown.line[0]
            assert shown.with_it == max(shown.value, shown.score)
            assert not shown.matters


def test_a_guess_can_be_found_out() -> None:
    """A move that was left out as hopeless is searched, and its score is what a search of it says."""
    game = plywise.load("chess")
    kept = recorded(game.history(), depth=4)
    engine = Engine(game, hash=1, compiled=False)
    node = next(
        i
        for i in range(len(kept))
        if any(s.reason == "left out" for s in pruned_moves(kept, i)) and kept.depth[i] == 1
    )
    pruned = next(one for one in pruned_moves(kept, node) if one.reason == "left out")
    shown = search_pruned_move(kept, node, pruned.move, engine)
    engine.clear()
    alone = engine.search(kept.past(node), depth=1, moves=[pruned.move])
    assert (shown.score, shown.line) == (alone.score, alone.line)


def test_wins_are_counted_from_the_root() -> None:
    game = sample("pebbles")
    kept = recorded(game.history("9 0"), depth=6, without=["table"])
    engine = Engine(game, hash=1, compiled=False)
    for node in range(len(kept)):
        for pruned in pruned_moves(kept, node):
            shown = search_pruned_move(kept, node, pruned.move, engine)
            if shown.kind == "proven" and kept.cause[node] == 3:
                assert not shown.matters


def test_switches_are_compared_side_by_side() -> None:
    history = plywise.load("connect_four").history()
    rows = compare(history, 6, compiled=False)
    assert [row.name for row in rows][:2] == ["the whole search", "without ordering"]
    whole = plywise.analyse(history, depth=6, hash=16, compiled=False)
    assert (rows[0].nodes, rows[0].score, rows[0].move) == (whole.nodes, whole.score, whole.move)
    alone = plywise.analyse(history, depth=6, hash=16, without=["table"], compiled=False)
    assert rows[2].nodes == alone.nodes
    limited = compare(history, 8, {"few": ()}, most=50, compiled=False)[0]
    assert limited.limited
    assert limited.depth < 8


@pytest.mark.parametrize("field", ["move", "reason"])
def test_skipped_moves_are_plain_data(field: str) -> None:
    kept = recorded(sample("runners").history(), depth=4)
    assert field in pruned_moves(kept, len(kept) - 1)[0].as_dict()
