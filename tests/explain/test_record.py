"""The record of a search: every node, walked from any side."""

import random

import numpy as np
import pytest

import plywise
from plywise import Engine, Game
from plywise.core.errors import BadLimits
from plywise.explain import BadNode, counters, icicle, record
from plywise.explain.counters import minimal_nodes, tree_sizes
from plywise.explain.record import record_of
from plywise.search.recorder import NULL_SEARCH
from tests.conftest import Scaled, open_positions, sample
from tests.explain.trees import deep, recorded, slow_size


# --- what is recorded -----------------------------------------------------------------------------
def test_a_record_has_the_nodes_that_the_search_counted_and_changes_nothing(
    any_game: Game, scaled: Scaled
) -> None:
    depth = scaled(min(deep(any_game), 4), deep(any_game))
    for history in open_positions(any_game, 2, seed=4):
        plain = plywise.analyse(history, depth=depth, hash=1, compiled=scaled.compiled)
        kept = record(history, depth=depth, hash=1, compiled=scaled.compiled)
        assert len(kept) == kept.nodes == plain.nodes
        assert kept.complete
        assert kept.result == {
            "move": plain.move,
            "score": plain.score,
            "kind": str(plain.kind),
            "depth": plain.depth,
            "line": list(plain.line),
        }


@pytest.mark.thorough("compiles the recorder of each game")
def test_compiled_and_uncompiled_records_are_equal_row_by_row(any_game: Game) -> None:
    if not any_game.compiled:
        pytest.skip("a plain game has no compiled twin to compare with")
    for history in open_positions(any_game, 3, seed=6):
        fast, slow = recorded(history, compiled=True), recorded(history)
        assert len(fast) == len(slow) > 0
        assert (fast.rows == slow.rows).all()


def test_how_nodes_came_and_how_they_ended_is_in_the_record() -> None:
    runners, discs = sample("runners").history("8-8-0"), plywise.load("connect_four").history("4453")
    how, causes, bounds = set(), set(), set()
    fencers = sample("duel").history("0101/6420/0/0")
    for kept in (recorded(runners, depth=9), recorded(discs, depth=7), recorded(fencers, depth=5)):
        for node in (kept.node(i) for i in range(len(kept))):
            how.add(node.how)
            causes.add(node.cause)
            bounds.add(node.bound)
            assert node.alpha < node.beta
            assert node.bound != "lower" or node.value >= node.beta
            assert node.bound != "upper" or node.value <= node.alpha
    assert how >= {"root", "full", "scout", "reduced", "again", "pass", "noisy"}
    assert causes >= {"leaf", "table", "null move", "cut", "over", "draw", "all moves", "standing"}
    assert bounds == {"exact", "lower", "upper"}


def test_a_search_of_the_other_moves_stands_below_the_node_that_asks_for_it() -> None:
    kept = recorded(sample("runners").history(), depth=12)
    found = [node for node in (kept.node(i) for i in range(len(kept))) if node.how == "without"]
    assert found
    for node in found:
        assert node.parent is not None
        above = kept.node(node.parent)
        assert (node.move, node.place, node.ply, node.turn) == ("others", 0, above.ply, above.turn)
        assert kept.past(node.number).text == kept.past(node.parent).text
        assert kept.size[node.number] == slow_size(kept, node.number)
        assert above.number < node.number < above.number + above.nodes
        tried = {child.move for child in kept.children(node.number)}
        assert len(tried) < len(kept.past(node.number).moves)
    assert kept.size[kept.roots].sum() == len(kept)
    picture = icicle(kept, int(kept.roots[-1]), levels=99, share=0)
    bars = {int(node): i for i, node in enumerate(picture.node)}
    for node, i in bars.items():
        if i:
            assert picture.level[i] == picture.level[bars[int(kept.parent[node])]] + 1


def test_a_reduced_move_that_was_searched_again_is_marked() -> None:
    kept = recorded(plywise.load("connect_four").history("4453"), depth=7)
    again = [node for node in (kept.node(i) for i in range(len(kept))) if node.again]
    assert again
    for node in again:
        after = kept.node(node.number + node.nodes)
        assert (after.move, after.parent, after.how) == (node.move, node.parent, "again")
        assert after.depth >= node.depth


def test_a_finished_game_has_an_empty_record() -> None:
    kept = recorded(plywise.load("connect_four").history("1212121"))
    assert (len(kept), kept.nodes, kept.complete) == (0, 0, True)
    assert kept.iterations() == []
    assert kept.result["move"] is None
    with pytest.raises(BadNode, match="no node 0 in this record: it has no nodes"):
        kept.node(0)


# --- walking --------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["runners", "duel", "pebbles"])
def test_sizes_children_and_paths_fit_each_other(name: str) -> None:
    kept = recorded(sample(name).history(), depth=3)
    for node in random.Random(1).sample(range(len(kept)), min(40, len(kept))):
        assert kept.size[node] == slow_size(kept, node)
        below = [other for other in range(len(kept)) if kept.parent[other] == node]
        assert list(kept.below(node)) == below == [child.number for child in kept.children(node)]
        assert kept.fanout[node] == len(below)
        path = kept.path(node)
        assert path[-1] == node
        assert [int(kept.parent[step]) for step in path] == [-1, *path[:-1]]
        assert kept.node(node).nodes == 1 + sum(kept.size[child] for child in below)


def test_the_position_at_a_node_is_that_of_its_line(any_game: Game) -> None:
    history = open_positions(any_game, 1, seed=8)[0]
    kept = recorded(history)
    dice = random.Random(2)
    for node in [dice.randrange(len(kept)) for _ in range(30)]:
        position = history.position
        for step in kept.path(node)[1:]:
            position = (
                position.skip() if kept.why[step] == NULL_SEARCH else position.play(int(kept.move[step]))
            )
        kept._positions.clear() if dice.random() < 0.3 else None
        assert kept.position(node) == position
        assert kept.past(node).position == position
        assert kept.turn(node) == position.turn
        if "pass" not in kept.line(node):
            played = history
            for text in kept.line(node):
                played = played.play(text)
            assert played.position == position
            assert kept.past(node).clock == played.clock


def test_places_count_the_moves_that_were_tried() -> None:
    kept = recorded(sample("runners").history(), depth=9)
    for node in range(len(kept)):
        moves: list[str | None] = []
        for child in kept.children(node):
            if child.how in ("pass", "without"):
                assert child.place == 0
                continue
            if child.move not in moves:
                moves.append(child.move)
            assert child.place == moves.index(child.move) + 1


def test_iterations_are_the_passes_over_the_root() -> None:
    kept = recorded(plywise.load("connect_four").history(), depth=6)
    passes = kept.iterations()
    assert [one.depth for one in passes] == sorted(one.depth for one in passes)
    assert {one.depth for one in passes} == set(range(1, 7))
    assert sum(one.nodes for one in passes) == len(kept)
    assert passes[-1].value == kept.result["score"]
    assert passes[0].as_dict()["root"] == 0


def test_a_node_that_is_not_there_is_refused() -> None:
    kept = recorded(sample("pebbles").history(), depth=2)
    for node in (-1, len(kept), 10**9):
        with pytest.raises(BadNode, match=f"there is no node {node} in this record: it has nodes 0 to"):
            kept.children(node)
    with pytest.raises(BadNode):
        icicle(kept, len(kept))


def test_a_record_that_is_full_says_so_and_shows_what_is_there() -> None:
    history = sample("runners").history()
    whole, part = recorded(history, depth=7), recorded(history, depth=7, most=50)
    assert (len(part), part.nodes, part.complete) == (50, len(whole), False)
    assert part.missing_text == f"only the first 50 of {len(whole)} nodes were recorded; the rest is not here"
    for field in ("move", "parent", "alpha", "beta", "value", "cause", "bound"):
        assert (part.rows[field] == whole.rows[field][:50]).all()
    assert [node for node in range(50) if part.node(node).cut_short] == part.path(49)
    with pytest.raises(BadNode, match="only the first 50"):
        part.node(60)


def test_an_engine_that_keeps_a_record_gives_it() -> None:
    history = sample("runners").history()
    engine = Engine(history.game, hash=1, compiled=False, record=10_000)
    kept = record_of(engine, history, engine.search(history, depth=5))
    before = kept.rows.copy()
    engine.search(history.play("2"), depth=6)
    assert (kept.rows == before).all()
    with pytest.raises(BadLimits, match="keeps no record"):
        record_of(Engine(history.game, hash=1, compiled=False), history, engine.search(history, depth=1))
    with pytest.raises(BadLimits, match="from 1 up, not 0"):
        record(history, depth=2, most=0)


# --- the picture ----------------------------------------------------------------------------------
def test_bars_lie_under_their_parents_and_are_as_wide_as_the_nodes_below() -> None:
    kept = recorded(plywise.load("connect_four").history(), depth=6)
    root = int(kept.roots[-1])
    picture = icicle(kept, root, levels=4, share=0.01)
    bars = {int(node): i for i, node in enumerate(picture.node)}
    assert bars[root] == 0 and picture.left[0] == 0 and picture.right[0] == 1
    for node, i in bars.items():
        assert picture.right[i] - picture.left[i] == pytest.approx(kept.size[node] / kept.size[root])
        assert picture.level[i] == kept.ply[node] <= 4
        assert kept.size[node] >= 0.01 * kept.size[root]
        below = range(node, node + int(kept.size[node]))
        assert bool(picture.folded[i]) == any(child not in bars for child in below)
        if node != root:
            parent = bars[int(kept.parent[node])]
            assert picture.left[parent] <= picture.left[i] and picture.right[i] <= picture.right[parent]
    drawn = picture.as_dict()
    assert len(drawn["node"]) == len(picture) == len(drawn["left"])
    everything = icicle(kept, root, levels=99, share=0)
    assert len(everything) == kept.size[root]
    assert not everything.folded.any()


# --- counters -------------------------------------------------------------------------------------
def test_counters_agree_with_counting_one_by_one() -> None:
    kept = recorded(sample("runners").history(), depth=9)
    nodes = [kept.node(i) for i in range(len(kept))]
    cuts = first = 0
    for node in nodes:
        tried = [child for child in kept.children(node.number) if kept.by_move(child.number)]
        if node.cause == "cut" and node.depth > 0 and tried:
            cuts += 1
            first += tried[-1].place == 1
    found = counters(kept)
    assert (found.cuts, found.first_cuts) == (cuts, first)
    assert found.nodes == len(kept) == sum(found.causes.values())
    assert found.quiescence == sum(node.depth <= 0 for node in nodes)
    assert found.passes == sum(node.how == "pass" for node in nodes)
    assert found.again == sum(node.how == "again" for node in nodes)
    assert found.ordering == first / cuts
    parts = [counters(kept, one.root) for one in kept.iterations()]
    assert sum(part.cuts for part in parts) == cuts
    assert sum(part.first_cuts for part in parts) == first


def test_the_branching_factor_is_the_growth_of_the_iterations() -> None:
    kept = recorded(plywise.load("connect_four").history(), depth=6)
    nodes: dict[int, int] = {}
    for one in kept.iterations():
        nodes[one.depth] = nodes.get(one.depth, 0) + one.nodes
    assert counters(kept).branching == pytest.approx((nodes[6] / nodes[4]) ** 0.5)
    assert counters(recorded(sample("pebbles").history(), depth=1)).branching is None


@pytest.mark.parametrize(
    ("name", "depth"), [("connect_four", 5), ("duel", 2), ("takers", 4), ("tic_tac_toe", 4)]
)
def test_plain_minimax_is_counted_exactly(name: str, depth: int) -> None:
    game = sample(name) if name in ("duel", "takers") else plywise.load(name)
    history = game.history()
    found = tree_sizes(history, depth, compiled=False)
    assert found.counted
    assert found.minimax == plywise.analyse(history, depth=depth, player="minimax", compiled=False).nodes
    assert found.minimal == minimal_nodes(found.moves, depth) < found.minimax


def test_what_is_too_much_to_count_is_carried_on() -> None:
    history = plywise.load("connect_four").history()
    guess, truth = tree_sizes(history, 6, most=3000, compiled=False), 1 + sum(7**i for i in range(1, 7))
    assert not guess.counted
    assert guess.minimax == pytest.approx(truth, rel=0.05)


def test_alpha_beta_needs_at_least_the_minimal_tree() -> None:
    """In a tree whose every position has seven moves, ordered by luck."""
    history = plywise.load("connect_four").history()
    for depth in range(1, 6):
        nodes = plywise.analyse(history, depth=depth, player="alphabeta", compiled=False).nodes
        assert nodes >= minimal_nodes(7, depth)


def test_the_rows_are_small() -> None:
    kept = recorded(sample("pebbles").history(), depth=2)
    assert kept.rows.dtype.itemsize == 24
    assert kept.size.dtype == np.int32
