"""Every strategy equals plain minimax: on every game, on random positions."""

from dataclasses import replace

import pytest

import plywise
from plywise import Engine, Game, History
from plywise.core.scores import DECISIVE, INFINITE, WIN
from plywise.search.switches import UNSOUND
from tests.conftest import Scaled, open_positions, sample

DEEP = {"tic_tac_toe": 5, "connect_four": 4, "duel": 3, "pebbles": 6, "runners": 6, "chess": 2, "skirmish": 2}
SHALLOW = {"tic_tac_toe": 4, "connect_four": 3, "pebbles": 5, "runners": 5, "checkers": 3}  # else 2


def deep(game: Game, scaled: Scaled) -> int:
    return scaled(SHALLOW.get(game.name, 2), DEEP.get(game.name, 3))


def test_alpha_beta_equals_minimax(any_game: Game, scaled: Scaled) -> None:
    minimax = Engine(any_game, player="minimax", compiled=scaled.compiled)
    alphabeta = Engine(any_game, player="alphabeta", compiled=scaled.compiled)
    for history in open_positions(any_game, scaled(3, 12)):
        for depth in range(1, deep(any_game, scaled) + 1):
            one, two = minimax.search(history, depth=depth), alphabeta.search(history, depth=depth)
            assert (one.score, one.move) == (two.score, two.move), (history, depth)
            assert two.nodes <= one.nodes


def test_sorted_alpha_beta_has_the_values_of_the_unsorted(any_game: Game, scaled: Scaled) -> None:
    plain, sorts = (
        Engine(any_game, player=player, compiled=scaled.compiled) for player in ("alphabeta", "sorted")
    )
    for history in open_positions(any_game, scaled(3, 12), seed=31):
        for depth in range(1, deep(any_game, scaled) + 1):
            one, two = plain.search(history, depth=depth), sorts.search(history, depth=depth)
            assert (one.score, one.kind) == (two.score, two.kind), (history, depth)


@pytest.mark.parametrize("table", [True, False])
def test_the_search_without_unsound_pruning_equals_minimax(
    any_game: Game, table: bool, scaled: Scaled
) -> None:
    off = UNSOUND if table else (*UNSOUND, "table")
    minimax = Engine(any_game, player="minimax", compiled=scaled.compiled)
    exact = Engine(any_game, hash=1, without=off, compiled=scaled.compiled)
    for history in open_positions(any_game, scaled(3, 12), seed=50):
        for depth in range(1, deep(any_game, scaled) + 1):
            result = exact.search(history, depth=depth)
            assert result.score == minimax.search(history, depth=depth).score, (history, depth)
            # A win that takes more plies than turns were searched may not be the shortest: a bound.
            assert result.kind in ("exact", "proven") or DECISIVE < abs(result.score) < WIN - depth


def test_compiled_and_uncompiled_searches_are_the_same(native_game: Game) -> None:
    native, plain = Engine(native_game, hash=1), Engine(native_game, hash=1, compiled=False)
    assert native.specialisation.compiled and not plain.specialisation.compiled
    for history in open_positions(native_game, 6, seed=9):
        for depth in range(1, DEEP.get(native_game.name, 3) + 2):
            one, two = native.search(history, depth=depth), plain.search(history, depth=depth)
            assert (one.move, one.score, one.nodes, one.line) == (two.move, two.score, two.nodes, two.line)


def test_one_thread_is_deterministic(any_game: Game, scaled: Scaled) -> None:
    history = open_positions(any_game, 1, seed=3)[0]
    depth = deep(any_game, scaled) + 1
    runs = [Engine(any_game, hash=1, compiled=scaled.compiled).search(history, depth=depth) for _ in range(2)]
    assert runs[0].nodes == runs[1].nodes
    assert runs[0].lines == runs[1].lines


def test_lines_are_legal_and_lead_to_their_end(any_game: Game, scaled: Scaled) -> None:
    engine = Engine(any_game, hash=1, compiled=scaled.compiled)
    for history in open_positions(any_game, scaled(3, 8), seed=21):
        result = engine.search(history, depth=deep(any_game, scaled) + 1)
        end = history
        for move in result.line:
            end = end.play(move)
        if result.plies is not None:
            assert len(result.line) == result.plies
            assert end.outcome is not None


# --- turns of several actions -----------------------------------------------------------------------
def joint(history: History) -> list[tuple[History, int]]:
    """Every way to play one whole turn, and how many actions it took."""
    found, todo = [], [(history, 0)]
    while todo:
        node, actions = todo.pop()
        if actions and (node.turn != history.turn or node.game.outcome(node.position)):
            found.append((node, actions))
        else:
            todo += [(node.play(move), actions + 1) for move in node.game.moves(node.position)]
    return found


def by_turns(history: History, depth: int) -> int:
    """Minimax over joint moves; a win counts the actions to it. Knows nothing of the search."""
    ended = history.outcome
    if ended is not None:
        return 0 if ended.winner is None else WIN if ended.winner == history.turn else -WIN
    if depth == 0:
        return int(history.position.evaluate())
    best = -INFINITE
    for after, actions in joint(history):
        value = by_turns(after, depth - 1)
        value = value if after.turn == history.turn else -value
        if abs(value) > DECISIVE:
            value -= actions if value > 0 else -actions
        best = max(best, value)
    return best


def test_several_actions_in_a_turn_equal_minimax_over_joint_moves(scaled: Scaled) -> None:
    game = replace(sample("duel"), draws=plywise.Draws())
    exact = Engine(game, hash=1, without=UNSOUND, compiled=scaled.compiled)
    seen = set()
    for history in open_positions(game, 40, seed=5, most=30):
        if history.position.midway():
            continue
        for depth in (1, 2):
            value = by_turns(history, depth)
            assert exact.search(history, depth=depth).score == value, (history, depth)
            seen.add("won" if value > DECISIVE else "lost" if value < -DECISIVE else "open")
    assert {"won", "open"} <= seen


# --- counts of the books ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("player", "distance", "nodes"),
    [
        pytest.param("minimax", False, 549_946, marks=pytest.mark.thorough("half a million nodes in Python")),
        ("alphabeta", False, 18_297),
        ("alphabeta", True, 20_866),
    ],
)
def test_tic_tac_toe_takes_as_many_nodes_as_in_the_books(player: str, distance: bool, nodes: int) -> None:
    game = plywise.load("tic_tac_toe")
    result = Engine(game, player=player, distance=distance).search(game.history())
    assert (result.nodes, result.score, result.kind) == (nodes, 0, "proven")


def test_tic_tac_toe_is_a_draw_by_the_search_too() -> None:
    game = plywise.load("tic_tac_toe")
    result = plywise.analyse(game.history(), hash=1)
    assert (result.score, result.kind, result.plies) == (0, "proven", None)
