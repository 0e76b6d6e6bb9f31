"""Who searches next: players before lookers, those who had little before those who had much."""

import threading
import time

import pytest

from plywise.web.jobs.scheduler import ANALYSING, PLAYING, SLICE, Cancelled, Scheduler, SearchThreads

LONGEST = 300  # seconds: what waits for longer has failed


class Search:
    """A search that ends when it is told to, or when it is asked to make room."""

    def __init__(
        self,
        scheduler: Scheduler,
        owner: str,
        priority: int,
        order: list[str] | None = None,
        most: int = 1,
    ) -> None:
        self.scheduler, self.owner, self.priority, self.order = scheduler, owner, priority, order
        self.most = most
        self.begun, self.asked, self.end = threading.Event(), threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        with self.scheduler.hold(self.owner, self.priority, self.asked.set, most=self.most) as self.lease:
            if self.order is not None:
                self.order.append(self.owner)
            self.begun.set()
            self.end.wait(LONGEST)

    def finish(self) -> None:
        self.end.set()
        self.thread.join(LONGEST)


def wait_for_queue(scheduler: Scheduler, count: int) -> None:
    until = time.monotonic() + LONGEST
    while len(scheduler._waiting) < count:
        assert time.monotonic() < until
        time.sleep(0.001)


def test_only_so_many_search_at_a_time() -> None:
    scheduler = Scheduler(2)
    first = [Search(scheduler, name, PLAYING) for name in "ab"]
    assert all(one.begun.wait(LONGEST) for one in first)
    third = Search(scheduler, "c", PLAYING)
    wait_for_queue(scheduler, 1)
    assert not third.begun.is_set()
    first[0].finish()
    assert third.begun.wait(LONGEST)
    first[1].finish()
    third.finish()


def test_an_analysis_makes_room_for_a_player_at_once() -> None:
    scheduler = Scheduler(1, now=lambda: 0.0)  # the clock stands still: no slice is over
    looker = Search(scheduler, "a", ANALYSING)
    assert looker.begun.wait(LONGEST)
    player = Search(scheduler, "b", PLAYING)
    assert looker.asked.wait(LONGEST)
    looker.finish()
    assert player.begun.wait(LONGEST)
    player.finish()


def test_analyses_take_turns_by_slices() -> None:
    now = [0.0]
    scheduler = Scheduler(1, now=lambda: now[0])
    first = Search(scheduler, "a", ANALYSING)
    assert first.begun.wait(LONGEST)
    second = Search(scheduler, "b", ANALYSING)
    wait_for_queue(scheduler, 1)
    scheduler.wake()
    assert not first.asked.is_set(), "its slice has just begun"
    now[0] = SLICE + 0.1
    scheduler.wake()
    assert first.asked.wait(LONGEST)
    first.finish()
    assert second.begun.wait(LONGEST)
    second.finish()


def test_an_analysis_has_as_many_slots_as_are_free_and_makes_room_for_a_player() -> None:
    scheduler = Scheduler(3, now=lambda: 0.0)
    player = Search(scheduler, "a", PLAYING)
    assert player.begun.wait(LONGEST)
    looker = Search(scheduler, "b", ANALYSING, most=8)
    assert looker.begun.wait(LONGEST) and looker.lease.slots == 2
    assert not scheduler.could_grow(looker.lease)
    second = Search(scheduler, "c", PLAYING)
    assert looker.asked.wait(LONGEST), "all slots are taken"
    looker.finish()
    assert second.begun.wait(LONGEST)
    looker = Search(scheduler, "b", ANALYSING, most=8)
    assert looker.begun.wait(LONGEST) and looker.lease.slots == 1
    player.finish()
    second.finish()
    assert scheduler.could_grow(looker.lease), "the players have gone"
    looker.finish()


def test_players_come_first_and_the_modest_before_the_greedy() -> None:
    now = [0.0]
    scheduler = Scheduler(1, now=lambda: now[0])
    greedy = Search(scheduler, "greedy", PLAYING)
    assert greedy.begun.wait(LONGEST)
    order: list[str] = []
    waiting = []
    for place, (owner, priority) in enumerate(
        (("looker", ANALYSING), ("greedy", PLAYING), ("modest", PLAYING)), 1
    ):
        waiting.append(Search(scheduler, owner, priority, order))
        wait_for_queue(scheduler, place)
    now[0] = 10.0
    for one in waiting:
        one.end.set()
    greedy.finish()
    for one in waiting:
        one.finish()
    assert order == ["modest", "greedy", "looker"]


def test_what_is_not_wanted_any_more_does_not_wait() -> None:
    scheduler = Scheduler(1)
    holder = Search(scheduler, "a", PLAYING)
    assert holder.begun.wait(LONGEST)
    with pytest.raises(Cancelled), scheduler.hold("b", PLAYING, wanted=lambda: False):
        pass
    assert scheduler.waiting == 0
    holder.finish()


# --- threads ----------------------------------------------------------------------------------------
def test_work_waits_for_a_thread_and_the_owner_with_the_fewest_is_next() -> None:
    threads, order = SearchThreads(of_one=2, in_all=3), []
    ends = {name: threading.Event() for name in ("a1", "a2", "a3", "b1", "b2", "gone")}
    begun = {name: threading.Event() for name in ends}

    def add(name: str, wanted: bool = True) -> None:
        def work() -> None:
            order.append(name)
            begun[name].set()
            ends[name].wait(LONGEST)

        threads.start_when_free(name[0], work, lambda: wanted)

    for name in ("a1", "a2", "a3", "b1", "b2"):
        add(name)
    add("gone", wanted=False)
    assert all(begun[name].wait(LONGEST) for name in ("a1", "a2", "b1"))
    assert (threads.count, threads.waiting) == (3, 2), "a has its two, and all have three"
    ends["a1"].set()
    assert begun["a3"].wait(LONGEST) or begun["b2"].wait(0)
    for name in ("a2", "b1", "a3", "b2"):
        ends[name].set()
    assert all(begun[name].wait(LONGEST) for name in ("a3", "b2"))
    assert not begun["gone"].is_set() and sorted(order[:3]) == ["a1", "a2", "b1"]
