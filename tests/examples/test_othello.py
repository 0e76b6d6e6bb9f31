"""Othello: published counts, a slow twin, passes and the end."""

import pytest

from plywise import Board, History
from plywise.search.specialisation import perft_counter
from tests.conftest import named, walk
from tests.examples import slow_othello

OTHELLO = named("examples/othello")
COUNTS = (4, 12, 56, 244, 1396, 8200)  # as published, passes counted as moves


def test_paths_are_counted_as_published() -> None:
    count = perft_counter(OTHELLO, compiled=False)
    assert tuple(count(OTHELLO.start(), depth) for depth in range(1, 7)) == COUNTS


@pytest.mark.thorough("compiles the game")
def test_more_paths_are_counted_as_published() -> None:
    count = perft_counter(OTHELLO)
    deeper = (55092, 390216, 3005288)  # beyond, published counts also have the games that are over before
    assert tuple(count(OTHELLO.start(), depth) for depth in range(1, 10)) == COUNTS + deeper


def test_whole_games_go_as_in_the_slow_twin() -> None:
    passes = 0
    for seed in range(12):
        last: History | None = None
        for history in walk(OTHELLO, seed, 100):
            assert {move: history.play(move).text for move in history.moves} == slow_othello.moves(
                history.text
            )
            passes += history.moves == ["pass"]
            last = history
        assert last is not None and last.outcome is not None
        black, white = (
            last.text.count("X") - (last.text[-1] == "X"),
            last.text.count("O") - (last.text[-1] == "O"),
        )
        assert last.outcome.winner == (None if black == white else int(white > black))
        assert last.outcome.reason == f"black has {black} discs, white {white}"
    assert passes, "no game of the sample has a pass"


def test_a_side_that_cannot_move_passes_unless_neither_can() -> None:
    one = "OXXXXXX-" + "-" * 56
    assert OTHELLO.history(f"{one} X").moves == ["pass"]
    assert OTHELLO.history(f"{one} X").play("pass").moves == ["h1"]
    over = OTHELLO.history("XXX-----" + "-" * 56 + " O")
    assert over.moves == []
    assert over.outcome is not None and over.outcome.winner == 0


def test_the_boards_are_the_discs_of_each_side() -> None:
    assert OTHELLO.start().boards() == (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)
    board = OTHELLO.board(OTHELLO.start())
    assert isinstance(board, Board)
    assert str(board).splitlines()[3:5] == ["4 . . . O X . . .", "5 . . . X O . . ."]
