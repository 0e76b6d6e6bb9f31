"""Scores lie in bands that never touch."""

from plywise.core import scores


def test_bands_are_ordered_and_fit_16_bits() -> None:
    assert scores.EVALUATED < scores.SURE < scores.KNOWN < scores.DECISIVE < scores.WIN
    assert scores.WIN < scores.INFINITE < 1 << 15


def test_a_win_knows_its_distance() -> None:
    assert scores.distance(scores.win_in(3)) == 3
    assert scores.distance(scores.loss_in(8)) == 8
    assert scores.distance(120) is None
    assert scores.distance(scores.KNOWN) is None
    assert scores.win_in(3) > scores.win_in(5) > scores.KNOWN > 0


def test_scores_are_said_in_words() -> None:
    assert scores.in_words(scores.win_in(3)) == "win in 3"
    assert scores.in_words(scores.loss_in(8)) == "loss in 8"
    assert scores.in_words(scores.KNOWN + 12) == "won"
    assert scores.in_words(-scores.KNOWN) == "lost"
    assert scores.in_words(25) == "+0.25"
    assert scores.in_words(-3, unit=1) == "-3"
    assert scores.in_words(0) == "0"
