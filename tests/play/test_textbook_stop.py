"""A textbook player that is asked to move now plays the best that it has found, not the first legal move."""

import threading

import pytest

import plywise
from plywise.play.player import player_of_seat
from plywise.play.seat import read_seat
from plywise.play.state import start_game
from tests.conftest import interpreted

GUARD = 20.0  # seconds after which a player without a report is stopped all the same


@pytest.mark.parametrize("player", ["minimax", "alphabeta", "sorted"])
def test_a_deep_textbook_player_that_is_stopped_plays_what_it_has_found(player: str) -> None:
    game = plywise.load("connect_four")
    state = start_game(game, "start moves 1 4 1 4 1")  # the first column must be stopped; it is listed late
    with interpreted():
        who = player_of_seat(game, read_seat(game, f"{player},depth=30"))
        guard = threading.Timer(GUARD, who.stop)
        guard.start()
        chosen = who.think(state, 1, progress=lambda report: report.depth > 1 and who.stop())
        guard.cancel()
    assert chosen.stopped and chosen.moves == ("1",)


def test_a_textbook_player_that_is_not_stopped_plays_as_its_search_alone() -> None:
    game = plywise.load("tic_tac_toe")
    with interpreted():
        who = player_of_seat(game, read_seat(game, "alphabeta,depth=4"))
        state = start_game(game)
        chosen = who.think(state, 0)
        alone = plywise.Engine(game, player="alphabeta", compiled=False).search(state.view(0), depth=4)
    assert chosen.result is not None
    assert (chosen.result.line, chosen.result.nodes, chosen.result.depth) == (alone.line, alone.nodes, 4)
