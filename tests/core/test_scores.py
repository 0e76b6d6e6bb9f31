"""Scores lie in bands that never touch."""

from plywise.core import scores


def test_bands_are_ordered_and_fit_16_bits() -> None:
    assert scores.MAX_EVALUATION < scores.SURE < scores.DATABASE_WIN < scores.DECISIVE < scores.WIN
    assert scores.WIN < scores.INFINITE < 1 << 15


def test_a_win_knows_its_distance() -> None:
    assert scores.distance(scores.win_in(3)) == 3
    assert scores.distance(scores.loss_in(8)) == 8
    assert scores.distance(120) is None
    assert scores.distance(scores.DATABASE_WIN) is None
    assert scores.win_in(3) > scores.win_in(5) > scores.DATABASE_WIN > 0
