"""The clock of a game, and the time for a move: never more than there is, whatever the clock."""

import random

import pytest

from plywise.play import clock as module
from plywise.play.clock import MAX_LAG, OVERHEAD, Clock, Lag, RunningClock, allowance, fixed_allowance


def test_no_clock_falls() -> None:
    """Moves that take all their hard limit and the overhead: the clock is never below zero."""
    dice = random.Random(1)
    for _ in range(300):
        left = dice.choice([0.1, 0.5, 1.0, 3.0, 60.0, 5400.0])
        increment = dice.choice([0.0, 0.0, 0.03, 0.1, 2.0])
        control = dice.choice([None, 1, 5, 40])
        base, to_go = left, control
        for _ in range(200):
            time = allowance(Clock(left, increment, to_go))
            assert 0 < time.soft <= time.hard < left
            left -= time.hard + dice.uniform(0, 0.002) if left < 0.05 else time.hard + 0.01
            if left < 0.02:
                break  # nobody could move in what is left now
            left += increment
            if to_go is not None and control is not None:
                to_go = to_go - 1 or control
                left += base if to_go == control else 0.0


@pytest.mark.parametrize("left", [0.05, 0.04, 0.03, 0.02, 0.01, 0.005])
def test_the_last_fifty_milliseconds_are_enough_for_a_move(left: float) -> None:
    assert allowance(Clock(left)).hard <= left / 2
    assert allowance(Clock(left, 0.0, 1)).hard <= left / 2


def test_the_last_move_before_a_control_may_take_what_is_left() -> None:
    assert allowance(Clock(10.0, 0.0, 1)).hard > 5.0
    assert allowance(Clock(10.0, 0.0, 2)).hard < 5.0


def test_more_time_means_more_thought() -> None:
    times = [allowance(Clock(left)).hard for left in (0.1, 1, 10, 100, 1000)]
    assert times == sorted(times)
    assert allowance(Clock(10.0, 1.0)).soft > allowance(Clock(10.0)).soft


def test_a_fixed_time_is_used_but_for_the_overhead() -> None:
    assert fixed_allowance(1.0, 0.03).hard == pytest.approx(0.97)
    assert 0 < fixed_allowance(0.01, 0.03).hard < 0.01


def test_five_seconds_without_increment_last_for_a_long_game() -> None:
    """150 moves, each with a hundredth of a second that is lost on the way."""
    left = 5.0
    for _ in range(150):
        left -= allowance(Clock(left)).soft + 0.01
        assert left > 0


# --- moves that come late -------------------------------------------------------------------------


def play_beside_others(seed: int, lag: Lag | None) -> bool:
    """100 moves at 1 s + 0.05 s on a busy machine; whether the flag falls."""
    dice, left = random.Random(seed), 1.0

    def delay() -> float:
        most = dice.choices((0.007, 0.08, 0.25), (90, 9, 1))[0]
        return dice.uniform(0.0, most)

    for move in range(100):
        clock = Clock(left, 0.05)
        if lag is not None:
            lag.receive(clock, 2 * move)
        time = allowance(clock, OVERHEAD, lag)
        ended_by_clock = dice.random() < 0.3
        took = time.hard + delay() if ended_by_clock else dice.uniform(time.soft / 2, time.hard)
        if lag is not None:
            lag.send(took, time.hard)
        left -= took + delay()
        if left < 0:
            return True
        left += 0.05
    return False


def test_where_moves_come_late_more_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    spare = sum(play_beside_others(seed, None) for seed in range(200))
    learning = sum(play_beside_others(seed, Lag()) for seed in range(200))
    monkeypatch.setattr(module, "MAX_SPARE", 0.0)
    without = sum(play_beside_others(seed, None) for seed in range(200))
    assert without > 80, "the machine of this test is a busy one"
    assert spare < without / 2
    assert learning < without / 8


@pytest.mark.parametrize("late", range(0, 200, 9))
def test_one_late_move_costs_no_game_with_an_increment(late: int) -> None:
    """200 moves at 1 s + 0.05 s that take all their time, and one that comes 0.3 s later than that."""
    left = 1.0
    for move in range(200):
        left -= allowance(Clock(left, 0.05)).hard + (0.3 if move == late else 0.01)
        assert left > 0, move
        left += 0.05


def test_without_a_delay_no_time_is_given_away() -> None:
    lag = Lag()
    for move, left in enumerate((60.0, 58.0, 56.0)):
        lag.receive(Clock(left, 1.0), 2 * move)
        assert allowance(Clock(left, 1.0), OVERHEAD, lag) == allowance(Clock(left, 1.0))
        lag.send(3.0, 4.0)
    assert lag == Lag(0.0, 0.0, Clock(56.0, 1.0), 4, 3.0, 0.0)


def test_a_delay_is_seen_on_the_clock_or_by_the_own_limit_and_fades() -> None:
    lag = Lag()
    lag.receive(Clock(10.0, 1.0), 0)
    lag.send(2.0, 5.0)
    lag.receive(Clock(8.9, 1.0), 2)  # 0.1 s was lost on the way
    assert lag.worst == pytest.approx(0.1)
    lag.send(2.25, 2.0)  # and here a quarter before the answer was sent
    lag.receive(Clock(7.65, 1.0), 4)
    assert lag.worst == pytest.approx(0.25)
    lag.send(1.0, 2.0)
    lag.receive(Clock(7.65, 1.0), 6)
    assert 0.2 < lag.worst < 0.25


@pytest.mark.parametrize(
    ("left", "plies"),
    [
        (300.0, 2),  # a control was reached
        (9.0 - 2 * MAX_LAG, 2),  # somebody set the clock
        (8.0, 0),  # the same position again
        (8.0, 60),  # another game
    ],
)
def test_another_clock_is_no_delay(left: float, plies: int) -> None:
    lag = Lag()
    lag.receive(Clock(10.0, 1.0), 0)
    lag.send(2.0, 5.0)
    lag.receive(Clock(left, 1.0), plies)
    assert lag.reserve == 0.0


# --- the running clock ----------------------------------------------------------------------------


def test_only_running_clock_lose_time() -> None:
    clock = RunningClock([60.0, 60.0], 2.0)
    clock.run([0], 100.0)
    assert clock.remaining(110.0) == [50.0, 60.0]
    clock.run([1], 110.0)
    assert clock.remaining(115.0) == [50.0, 55.0]
    clock.run([], 115.0)
    assert clock.remaining(1000.0) == [50.0, 55.0]


def test_a_flag_falls_and_shows_zero() -> None:
    clock = RunningClock([5.0, 9.0], 0.0)
    clock.run([0, 1], 0.0)
    assert clock.seconds_to_flag(0.0) == 5.0
    assert clock.flagged_side(4.9) is None
    assert clock.flagged_side(5.0) == 0
    assert clock.remaining(100.0) == [0.0, 0.0]


def test_who_does_not_choose_cannot_lose_on_time() -> None:
    clock = RunningClock([0.0, 9.0], 0.0)
    clock.run([1], 0.0)
    assert clock.flagged_side(1.0) is None
    assert RunningClock([1.0, 1.0], 0.0).seconds_to_flag(0.0) is None


def test_a_move_is_charged_and_a_control_adds_time() -> None:
    clock = RunningClock([10.0, 10.0], 1.0, 2, 10.0)
    assert clock.snapshot(1) == Clock(10.0, 1.0, 2)
    clock.charge(1, 4.0)
    assert (clock.snapshot(0), clock.snapshot(1)) == (Clock(10.0, 1.0, 2), Clock(7.0, 1.0, 1))
    clock.charge(1, 9.0)
    assert clock.snapshot(1) == Clock(9.0, 1.0, 2), "what was used too much counts against the next control"


def test_a_pause_costs_nobody_time() -> None:
    clock = RunningClock([5.0, 5.0])
    clock.run([1], 10.0)
    clock.add_pause(3.0)
    assert clock.remaining(14.0) == [5.0, 4.0]
    assert clock.snapshot(1, 14.0) == Clock(4.0)
    assert clock.snapshot(1).left == 5.0
