"""Mistakes that design documents of game programs have made, each with a test that would catch it."""

import plywise
from plywise import Engine
from plywise.core.scores import WIN
from plywise.search.switches import UNSOUND
from tests.conftest import Scaled, open_positions, sample

TTT = plywise.load("tic_tac_toe")


def test_a_side_that_loses_whatever_it_does_still_moves_and_resists_longest() -> None:
    """Infinite scores would leave no move when all of them lose."""
    history = TTT.history("xx.xo...o o")  # x threatens c3 and a1
    for player in ("default", "minimax", "alphabeta", "greedy"):
        result = Engine(TTT, player=player, hash=1).search(history, depth=9)
        assert result.move in history.moves
    assert Engine(TTT, hash=1).search(history).score == 2 - WIN


def test_no_move_at_the_root_is_answered_not_crashed() -> None:
    for text in ("xxxoo.... o", "xoxxoxoxo o"):
        for player in ("default", "minimax", "alphabeta", "greedy", "random"):
            result = Engine(TTT, player=player, hash=1).search(TTT.history(text), depth=3)
            assert result.move is None


def test_the_smaller_side_keeps_the_smaller_value() -> None:
    """MIN that keeps the larger value, or cuts the wrong way round, values these wins wrongly."""
    winning, losing = TTT.history("xx.oo.... x"), TTT.history("xx.o..... o")
    assert Engine(TTT, player="alphabeta").search(winning, depth=2).score == WIN - 1
    assert Engine(TTT, player="alphabeta").search(losing, depth=1).score != WIN - 1
    assert Engine(TTT, player="alphabeta").search(losing, depth=2).move == "c3"  # the block


def test_windows_follow_the_side_and_not_the_ply(scaled: Scaled) -> None:
    """alpha raised at both sides' nodes, or flipped by counting plies, fails where a side acts twice."""
    game = sample("duel")
    minimax, alphabeta = (
        Engine(game, player=player, compiled=scaled.compiled) for player in ("minimax", "alphabeta")
    )
    for history in open_positions(game, scaled(5, 20), seed=77):
        for depth in (1, 2, 3):
            assert alphabeta.search(history, depth=depth).score == minimax.search(history, depth=depth).score


def test_the_child_is_searched_and_not_the_node() -> None:
    """Passing the node on in place of its child would give each move the same value."""
    result = Engine(TTT, player="minimax").search(TTT.history("xx.oo.... x"), depth=3, lines=5)
    assert len({line.score for line in result.lines}) > 1
    assert result.move == "c3"


def test_a_win_now_is_better_than_a_win_later() -> None:
    for off in ((), UNSOUND):
        result = Engine(TTT, hash=1, without=off).search(TTT.history("xx.oo.... x"))
        assert (result.move, result.score) == ("c3", WIN - 1)
