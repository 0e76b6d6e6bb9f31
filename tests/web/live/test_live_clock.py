"""The clocks of a live game: what they show, and the flag."""

import threading

from plywise.web.live.live_clock import LiveClock

BLITZ = {"base": 60.0, "increment": 2.0}


def no_flag() -> None:
    raise AssertionError("no flag can fall")


def test_a_game_without_clocks_has_no_time() -> None:
    clock = LiveClock(None, None, no_flag)
    clock.run([0])
    clock.stop()
    clock.show([1.0, 1.0])
    assert (clock.left, clock.payload(), clock.clock_of(0), clock.flagged_side) == (None,) * 4
    assert clock.after_turn([0]) is None and not clock.is_running


def test_a_turn_adds_the_increment_to_what_is_left() -> None:
    now = [100.0]
    clock = LiveClock(BLITZ, None, no_flag, lambda: now[0])
    clock.run([0])
    now[0] += 10
    assert clock.payload() == {"left": [50.0, 60.0], "running": 0, "increment": 2.0}
    assert clock.after_turn([0]) == [52.0, 60.0]
    assert clock.after_turn([1], [30.0, 20.0]) == [30.0, 22.0], "from an earlier node"
    clock.stop_timer()


def test_clocks_go_on_from_a_snapshot_as_if_nothing_had_happened() -> None:
    now = [0.0]
    clock = LiveClock(BLITZ, [40.0, 50.0], no_flag, lambda: now[0])
    clock.run([1])
    before = clock.snapshot()
    clock.show([60.0, 60.0])
    assert clock.left == [60.0, 60.0] and not clock.is_running
    clock.restore(before)
    now[0] = 5.0
    assert clock.left == [40.0, 45.0] and clock.is_running
    clock.stop_timer()


def test_the_game_is_called_when_a_flag_falls() -> None:
    fallen = threading.Event()
    clock = LiveClock(BLITZ, [0.01, 50.0], fallen.set)
    clock.run([0])
    assert fallen.wait(300.0)
    assert clock.flagged_side == 0
    clock.drop_flag(0)
    assert clock.left == [0.0, 50.0] and not clock.is_running
