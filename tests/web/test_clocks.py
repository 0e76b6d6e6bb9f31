"""Clocks: they run for those who choose, and only then."""

from plywise.web.clocks import Clocks


def test_only_running_clocks_lose_time() -> None:
    clocks = Clocks([60.0, 60.0], 2.0)
    clocks.run([0], 100.0)
    assert clocks.remaining(110.0) == [50.0, 60.0]
    clocks.run([1], 110.0)
    assert clocks.remaining(115.0) == [50.0, 55.0]
    clocks.run([], 115.0)
    assert clocks.remaining(1000.0) == [50.0, 55.0]


def test_a_flag_falls_and_shows_zero() -> None:
    clocks = Clocks([5.0, 9.0], 0.0)
    clocks.run([0, 1], 0.0)
    assert clocks.seconds_to_flag(0.0) == 5.0
    assert clocks.flagged_side(4.9) is None
    assert clocks.flagged_side(5.0) == 0
    assert clocks.remaining(100.0) == [0.0, 0.0]


def test_who_does_not_choose_cannot_lose_on_time() -> None:
    clocks = Clocks([0.0, 9.0], 0.0)
    clocks.run([1], 0.0)
    assert clocks.flagged_side(1.0) is None
    assert Clocks([1.0, 1.0], 0.0).seconds_to_flag(0.0) is None
