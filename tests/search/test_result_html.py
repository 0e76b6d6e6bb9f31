"""What a notebook shows of a result."""

import re
from dataclasses import replace

import plywise
from plywise import Game, Kind
from plywise.search.result_html import KIND_TEXT
from tests.conftest import open_positions

HEAVIEST = 60_000  # bytes of a cell's output


def test_a_result_shows_the_move_its_lines_and_how_far_to_trust_them(any_game: Game) -> None:
    for history in open_positions(any_game, 2, seed=3):
        result = plywise.analyse(history, depth=1, lines=2, hash=1, compiled=False)
        shown = result._repr_html_()
        assert result.history is history
        assert shown.count("<tr>") == 1 + len(result.lines)
        assert KIND_TEXT[result.kind] in shown
        assert len(shown.encode()) < HEAVIEST


def test_a_chess_result_is_written_as_players_write_it() -> None:
    history = plywise.load("chess").history("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    shown = plywise.analyse(history, depth=1, moves=["e1g1"], compiled=False)._repr_html_()
    assert "<b>Chess: O-O, White +" in shown
    assert shown.count("<polygon") == 1  # the arrow's head


def test_each_line_has_an_arrow_and_the_best_one_lies_on_top() -> None:
    history = plywise.load("tic_tac_toe").history("x...o.... x")
    result = plywise.analyse(history, depth=1, lines=3, compiled=False)
    inks = re.findall(r'r="42" fill="none" stroke="(#\w+)"', result._repr_html_())
    assert inks == ["#33739e", "#33739e", "#0f8a7c"]


def test_a_finished_game_says_how_it_ended() -> None:
    history = plywise.load("connect_four").history("1212121")
    shown = plywise.analyse(history, depth=2, compiled=False)._repr_html_()
    assert "x wins: x has four in a row" in shown
    assert "<table" not in shown


def test_a_result_without_its_history_is_a_table() -> None:
    """As 0.1.0 made them, and as scripts may."""
    history = plywise.load("connect_four").history("4453")
    result = plywise.analyse(history, depth=2, compiled=False)
    bare = replace(result, history=None)
    assert bare == result
    shown = bare._repr_html_()
    assert "<svg" not in shown
    assert " ".join(result.line) in shown


def test_every_kind_has_its_words() -> None:
    assert set(KIND_TEXT) == set(Kind)
