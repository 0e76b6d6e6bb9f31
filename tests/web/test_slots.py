"""Who searches next: players before lookers, those who had little before those who had much."""

import threading
import time

import pytest

from plywise.web.slots import LOOKING, PLAYING, SLICE, Cancelled, Slots

LONGEST = 30


class Search:
    """A search that ends when it is told to, or when it is asked to make room."""

    def __init__(self, slots: Slots, owner: str, rank: int, order: list[str] | None = None) -> None:
        self.slots, self.owner, self.rank, self.order = slots, owner, rank, order
        self.begun, self.asked, self.end = threading.Event(), threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        with self.slots.hold(self.owner, self.rank, self.asked.set):
            if self.order is not None:
                self.order.append(self.owner)
            self.begun.set()
            self.end.wait(LONGEST)

    def finish(self) -> None:
        self.end.set()
        self.thread.join(LONGEST)


def wait_for_queue(slots: Slots, count: int) -> None:
    until = time.monotonic() + LONGEST
    while len(slots._waiting) < count:
        assert time.monotonic() < until
        time.sleep(0.001)


def test_only_so_many_search_at_a_time() -> None:
    slots = Slots(2)
    first = [Search(slots, name, PLAYING) for name in "ab"]
    assert all(one.begun.wait(LONGEST) for one in first)
    third = Search(slots, "c", PLAYING)
    wait_for_queue(slots, 1)
    assert not third.begun.is_set()
    first[0].finish()
    assert third.begun.wait(LONGEST)
    first[1].finish()
    third.finish()


def test_an_analysis_makes_room_for_a_player_at_once() -> None:
    slots = Slots(1, now=lambda: 0.0)  # the clock stands still: no slice is over
    looker = Search(slots, "a", LOOKING)
    assert looker.begun.wait(LONGEST)
    player = Search(slots, "b", PLAYING)
    assert looker.asked.wait(LONGEST)
    looker.finish()
    assert player.begun.wait(LONGEST)
    player.finish()


def test_analyses_take_turns_by_slices() -> None:
    now = [0.0]
    slots = Slots(1, now=lambda: now[0])
    first = Search(slots, "a", LOOKING)
    assert first.begun.wait(LONGEST)
    second = Search(slots, "b", LOOKING)
    wait_for_queue(slots, 1)
    slots.nudge()
    assert not first.asked.is_set(), "its slice has just begun"
    now[0] = SLICE + 0.1
    slots.nudge()
    assert first.asked.wait(LONGEST)
    first.finish()
    assert second.begun.wait(LONGEST)
    second.finish()


def test_players_come_first_and_the_modest_before_the_greedy() -> None:
    now = [0.0]
    slots = Slots(1, now=lambda: now[0])
    greedy = Search(slots, "greedy", PLAYING)
    assert greedy.begun.wait(LONGEST)
    order: list[str] = []
    waiting = []
    for place, (owner, rank) in enumerate((("looker", LOOKING), ("greedy", PLAYING), ("modest", PLAYING)), 1):
        waiting.append(Search(slots, owner, rank, order))
        wait_for_queue(slots, place)
    now[0] = 10.0
    for one in waiting:
        one.end.set()
    greedy.finish()
    for one in waiting:
        one.finish()
    assert order == ["modest", "greedy", "looker"]


def test_what_is_not_wanted_any_more_does_not_wait() -> None:
    slots = Slots(1)
    holder = Search(slots, "a", PLAYING)
    assert holder.begun.wait(LONGEST)
    with pytest.raises(Cancelled), slots.hold("b", PLAYING, wanted=lambda: False):
        pass
    assert slots.waiting == 0
    holder.finish()
