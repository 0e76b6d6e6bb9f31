"""Pruning asks for no permission to pass, and hides no proof from a search that sees the end of the game."""

from dataclasses import replace
from typing import Any, NamedTuple

import pytest

import plywise
from plywise import Kind
from plywise.core.errors import PlywiseError


@pytest.mark.parametrize("part", ["futility", "internal_reduction", "late_move_pruning", "reverse_futility"])
def test_a_game_with_zugzwang_is_pruned(part: str) -> None:
    game = plywise.load("connect_four")  # it has no `can_skip`
    history = game.history("44444")
    margins = {"reverse_futility_margin": 10, "futility_margin": 10, "futility_base": 10}

    def nodes(*without: str) -> int:
        engine = plywise.Engine(game, hash=1, compiled=False, without=without, margins=margins)
        return engine.search(history, depth=6).nodes

    assert nodes(part) != nodes()


def test_what_pruning_hides_is_proven_when_the_game_ends_within_the_depth() -> None:
    game = plywise.load("connect_four")
    history = game.history("3276472541135551724441374556")  # a draw; 14 cells are empty
    results = {
        depth: plywise.Engine(game, hash=1, compiled=False).search(history, depth=depth) for depth in (13, 14)
    }
    assert [result.score for result in results.values()] == [0, 0]
    assert [result.kind for result in results.values()] == [Kind.ESTIMATE, Kind.PROVEN]


@pytest.mark.parametrize("part", ["probcut", "table_cuts"])
def test_a_shallow_search_and_the_table_are_asked_before_a_deep_search(part: str) -> None:
    game = replace(plywise.load("connect_four"), probcut=((4, 2, 100, 0, 5), (5, 3, 100, 0, 5)))
    nodes = [
        plywise.Engine(game, hash=1, compiled=False, without=without, margins={"table_cut_min_depth": 2})
        .search(game.history("44"), depth=8)
        .nodes
        for without in ([], [part])
    ]
    assert nodes[0] != nodes[1]


@pytest.mark.parametrize("row", [(4, 4, 100, 0, 5), (4, 0, 100, 0, 5), (99, 2, 100, 0, 5), (4, 2, 0, 0, 5)])
def test_a_fit_that_makes_no_sense_is_refused(row: tuple[int, ...]) -> None:
    game = replace(plywise.load("connect_four"), probcut=(row,))
    with pytest.raises(PlywiseError, match="the depth must be below 24"):
        plywise.Engine(game, hash=1, compiled=False)


@plywise.game("take_away")
class TakeAway(NamedTuple):
    """Take one to nine; who cannot take loses. Nobody says what a position is worth."""

    turn: int = 0
    left: int = 30

    def moves(self, buffer: Any, n: int) -> int:
        for move in range(1, min(9, self.left) + 1):
            buffer[n] = move
            n += 1
        return n

    def play(self, move: int) -> "TakeAway":
        return TakeAway(1 - self.turn, self.left - move)


def test_a_game_without_an_evaluation_is_searched_without_those_who_trust_it() -> None:
    game: plywise.Game = TakeAway.game  # type: ignore[attr-defined]
    nodes = [
        plywise.Engine(game, hash=1, compiled=False, without=without).search(game.history(), depth=5).nodes
        for without in ([], ["late_move_pruning", "internal_reduction", "singular"])
    ]
    assert nodes[0] == nodes[1]


def test_a_table_that_knows_the_position_does_not_pass_for_the_end_of_the_game() -> None:
    """Entries of an earlier search answer at once: no line is long, and yet pruning goes on."""
    game = plywise.load("connect_four")
    engine = plywise.Engine(game, hash=1, compiled=False)
    engine.search(game.history(), depth=7)
    engine.search(game.history(), depth=5)
    assert engine.thread_states(1)[0].record.proving == 0
