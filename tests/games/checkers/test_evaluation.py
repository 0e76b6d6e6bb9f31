"""The evaluations: `ring` as the first plan defines it, and the default's fairness."""

import json
from types import SimpleNamespace

import pytest

import plywise
from plywise.games.checkers.evaluation import fill_above, fill_below, ring, rows, trained
from plywise.games.checkers.squares import SQUARES, board_of, squares_of
from tests.games.checkers import slow
from tests.games.checkers.random_positions import thrown

GAME = plywise.load("checkers")
WEIGHTS = GAME.evaluation("default").weights


def turned(fen):
    """The same position with the board turned around and the colours changed."""
    side, white, black = fen.split(":")

    def other(places):
        return ",".join(
            ("K" if place.startswith("K") else "") + str(33 - int(place.lstrip("K"))) for place in places
        )

    swapped = {"B": "W", "W": "B"}[side]
    return f"{swapped}:W{other(black[1:].split(','))}:B{other(white[1:].split(','))}"


def test_ring_counts_rim_men_four_and_kings_five():
    for fen in thrown(21, 300):
        board, side = slow.read(fen)
        score = 0
        for (y, x), piece in board.items():
            worth = 5 if piece.isupper() else max(abs(x - 3.5), abs(y - 3.5)) + 0.5
            score += worth if piece.lower() == side else -worth
        assert ring(GAME.parse(fen)) == score, fen


def test_ring_gives_a_king_for_two_rim_men():
    assert ring(GAME.parse("B:W5,12:BK18")) < 0


def test_both_sides_are_judged_alike():
    weights = SimpleNamespace(**WEIGHTS.values())
    for fen in thrown(22, 400):
        position, mirror = GAME.parse(fen), GAME.parse(turned(fen))
        assert ring(position) == ring(mirror)
        assert trained(position, weights) == trained(mirror, weights), fen
    assert trained(GAME.start(), weights) == weights.turn


@pytest.mark.thorough("compiles the game")
def test_compiled_and_uncompiled_judge_alike():
    fast, plain = plywise.Engine(GAME, hash=1), plywise.Engine(GAME, hash=1, compiled=False)
    for fen in thrown(23, 12):
        history = GAME.history(fen)
        if history.outcome is None:
            one, two = (engine.search(history, depth=2) for engine in (fast, plain))
            assert (one.score, one.move, one.nodes) == (two.score, two.move, two.nodes)


def test_a_man_is_worth_about_a_hundred_and_a_king_more():
    weights = SimpleNamespace(**WEIGHTS.values())
    assert GAME.unit == 100
    assert 60 <= weights.man <= 140
    assert weights.king > weights.man
    ahead = trained(GAME.parse("B:W21,22,24,29,30:B1,2,3,9,11,12"), weights)
    assert ahead > 40


def test_rows_are_cut_out_of_the_board():
    for pair in range(7):
        for square in range(1, 33):
            where = square - 1 - 4 * pair
            expected = 1 << where if 0 <= where < 8 else 0
            assert rows(board_of([square]), pair) == expected


def test_what_stands_before_a_man():
    for square in range(1, 33):
        row, column = slow.cell(square)
        ahead = [n for n in range(1, 33) if slow.cell(n)[0] - row >= abs(slow.cell(n)[1] - column)]
        for target in range(1, 33):
            man = board_of([square])
            assert bool(fill_below(board_of([target])) & man) == (target in ahead)
            assert bool(fill_above(man) & board_of([target])) == (target in ahead)
    assert squares_of(SQUARES) == list(range(1, 33))


def test_the_weights_say_where_they_come_from():
    page = json.loads(WEIGHTS.path.read_text())
    assert page["unit"]
    assert page["origin"]
