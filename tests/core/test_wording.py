"""Scores, counts and results are worded in one place."""

import ast
from pathlib import Path

import pytest

import plywise
from plywise.core.outcome import Outcome
from plywise.core.scores import DATABASE_WIN, Kind, loss_in, win_in
from plywise.core.wording import (
    count_text,
    large_number,
    plies_text,
    result_text,
    score_text,
    side_score_text,
)

SOURCE = Path(plywise.__file__).parent


def test_scores_count_for_the_side_to_move() -> None:
    assert score_text(win_in(3)) == "win in 3"
    assert score_text(loss_in(8)) == "loss in 8"
    assert score_text(DATABASE_WIN + 12) == "won"
    assert score_text(-DATABASE_WIN) == "lost"
    assert score_text(25) == "+0.25"
    assert score_text(-3, unit=1) == "-3"
    assert score_text(0) == "0"


@pytest.mark.parametrize(
    ("score", "kind", "text"),
    [
        (win_in(0), Kind.PROVEN, "o has won"),
        (win_in(1), Kind.PROVEN, "o wins in 1 ply"),
        (win_in(3), Kind.BOUND, "o wins in at most 3 plies"),
        (loss_in(2), Kind.ESTIMATE, "x may win in 2 plies"),
        (-DATABASE_WIN, Kind.ESTIMATE, "x may win"),
        (loss_in(4), Kind.PROVEN, "x wins in 4 plies"),
        (-DATABASE_WIN, None, "x wins"),
        (0, Kind.PROVEN, "a draw"),
        (0, None, "even"),
        (0, Kind.ESTIMATE, "even"),
        (0, Kind.BOUND, "no win so soon"),
        (-40, Kind.ESTIMATE, "x +0.40"),
    ],
)
def test_a_score_names_the_side_ahead(score: int, kind: Kind | None, text: str) -> None:
    assert side_score_text(plywise.load("connect_four"), 1, score, kind, 100) == text


def test_a_win_can_be_counted_in_moves_of_the_winner() -> None:
    game = plywise.load("connect_four")
    assert side_score_text(game, 0, win_in(3), Kind.PROVEN, 100, 2) == "x wins in 2 moves"
    assert side_score_text(game, 0, win_in(1), Kind.PROVEN, 100, 1) == "x wins in 1 move"


def test_counts_have_a_plural_and_groups_of_digits() -> None:
    assert [count_text(n, "move") for n in (0, 1, 2000)] == ["0 moves", "1 move", "2,000 moves"]
    assert [plies_text(n) for n in (1, 2)] == ["1 ply", "2 plies"]
    assert [large_number(n) for n in (999.6, 1_230_000, 4.56e9)] == ["1,000", "1.2 million", "4.6 billion"]


def test_results_put_the_first_side_first() -> None:
    outcomes = (Outcome(0, "mate"), Outcome(1, "mate"), Outcome(None, "stalemate"), None)
    assert [result_text(outcome) for outcome in outcomes] == ["1-0", "0-1", "1/2-1/2", "*"]


def test_no_other_module_words_a_result_of_its_own() -> None:
    """Readers of PGN and PDN may know the signs; nobody else chooses among them by the winner."""
    readers = {"core/wording.py", "games/chess/pgn.py", "games/checkers/pdn.py"}
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).as_posix() not in readers:
            signs = {
                node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)
            }
            assert "1/2-1/2" not in signs, path
