"""The scheduler: one search a core, and everybody gets a turn.

A search waits for a slot. Moves of players come before analysis; among equals, the owner who has used the
processor least lately comes first. Analysis has no end of its own: it is asked to leave its slot as soon as
a player's move waits, or, when others wait to analyse, after a slice of time. While players wait for
players, nobody thinks longer than a slice about one move. An analysis may have several slots, one for each of
its threads: as many as are free when it begins.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from plywise.web.schema import Refused

PLAYING, ANALYSING = 0, 1  # priorities: the lower comes first
SLICE = 1.0  # seconds of one search while others of its priority wait
HALF_LIFE = 20.0  # seconds after which use of the processor counts half
POLL_INTERVAL = 0.2
# Threads that search, or wait for a slot: for one visitor (a few pages with all they can do), and for all.
MAX_SEARCHES_OF_VISITOR, MAX_SEARCHES = 16, 96
# Threads in which engines choose their moves; further ones wait until a thread is free.
MAX_TURNS_OF_VISITOR, MAX_TURNS = 8, 48


class Cancelled(Exception):
    """Nobody wants any more what was waited for."""


@dataclass(eq=False)
class WaitingWork:
    """Work that begins when a thread is free, unless it is not wanted any more by then."""

    owner: str
    work: Callable[[], None]
    wanted: Callable[[], bool]


class SearchThreads:
    """The threads that search for visitors: limited for one visitor, and in all."""

    def __init__(self, of_one: int = MAX_SEARCHES_OF_VISITOR, in_all: int = MAX_SEARCHES) -> None:
        self.of_one, self.in_all = of_one, in_all
        self._busy: Counter[str] = Counter()
        self._waiting: list[WaitingWork] = []
        self._lock = threading.Lock()

    @property
    def count(self) -> int:
        """How many threads work now."""
        with self._lock:
            return self._busy.total()

    @property
    def waiting(self) -> int:
        """How much work waits for a thread."""
        with self._lock:
            return len(self._waiting)

    def start(self, owner: str, work: Callable[[], None]) -> None:
        """Do the work in a new thread; Refused if the owner may not have one more."""
        with self._lock:
            if self._busy[owner] >= self.of_one:
                raise Refused(f"wait a moment: {self.of_one} searches of yours are running")
            if self._busy.total() >= self.in_all:
                raise Refused(f"wait a moment: {self.in_all} searches of all visitors are running")
            self._start_thread(owner, work)

    def start_when_free(self, owner: str, work: Callable[[], None], wanted: Callable[[], bool]) -> None:
        """Do the work in a new thread as soon as the owner may have one more, if it is still wanted then."""
        with self._lock:
            self._waiting.append(WaitingWork(owner, work, wanted))
            self._start_waiting()

    def _start_waiting(self) -> None:
        """Start what may begin: first for the owner who has the fewest threads. Called with the lock."""
        self._waiting = [one for one in self._waiting if one.wanted()]
        while self._waiting and self._busy.total() < self.in_all:
            first = min(self._waiting, key=lambda one: self._busy[one.owner])
            if self._busy[first.owner] >= self.of_one:
                return
            self._waiting.remove(first)
            self._start_thread(first.owner, first.work)

    def _start_thread(self, owner: str, work: Callable[[], None]) -> None:
        self._busy[owner] += 1

        def run() -> None:
            try:
                work()
            finally:
                with self._lock:
                    self._busy[owner] -= 1
                    if not self._busy[owner]:
                        del self._busy[owner]
                    self._start_waiting()

        threading.Thread(target=run, daemon=True).start()


@dataclass(eq=False)
class Lease:
    """A slot that somebody waits for or holds. `preempt` is called, once, when others need it more."""

    owner: str
    priority: int
    preempt: Callable[[], None]
    wanted: Callable[[], bool]
    most: int = 1  # slots that it can use
    slots: int = 0  # slots that it has
    ticket: int = 0
    since: float = 0.0
    preempted: bool = False


@dataclass
class Scheduler:
    """Gives slots to searches: `count` threads search at a time."""

    count: int
    now: Callable[[], float] = time.monotonic
    _holding: list[Lease] = field(default_factory=list)
    _waiting: list[Lease] = field(default_factory=list)
    _usage: dict[str, tuple[float, float]] = field(default_factory=dict)
    _tickets: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    @contextmanager
    def hold(
        self,
        owner: str,
        priority: int,
        preempt: Callable[[], None] = lambda: None,
        wanted: Callable[[], bool] = lambda: True,
        most: int = 1,
    ) -> Iterator[Lease]:
        """Wait for a slot and hold it for the block; Cancelled if it is not wanted any more before.

        Of the slots that nobody else waits for it has `most` at most.
        """
        lease = Lease(owner, priority, preempt, wanted, most)
        with self._changed:
            self._tickets += 1
            lease.ticket = self._tickets
            self._waiting.append(lease)
            try:
                while not self._may_start(lease):
                    if not lease.wanted():
                        raise Cancelled
                    self._preempt_others()
                    self._changed.wait(POLL_INTERVAL)
                if not lease.wanted():
                    raise Cancelled
                lease.since = self.now()
                others = len(self._waiting) - 1
                lease.slots = max(1, min(lease.most, self._free - others))
                self._holding.append(lease)
            finally:
                self._waiting.remove(lease)
                self._changed.notify_all()
        try:
            yield lease
        finally:
            with self._changed:
                self._holding.remove(lease)
                now = self.now()
                used = lease.slots * (now - lease.since)
                self._usage[owner] = self._recent_usage(owner, now) + used, now
                if len(self._usage) > 1000:
                    self._usage = {
                        one: use for one, use in self._usage.items() if now - use[1] < 10 * HALF_LIFE
                    }
                self._changed.notify_all()

    def wake(self) -> None:
        """Look again at who waits: something may not be wanted any more."""
        with self._changed:
            self._changed.notify_all()

    @property
    def waiting(self) -> int:
        """How many players' moves wait for a slot."""
        with self._changed:
            return sum(lease.priority == PLAYING for lease in self._waiting)

    def could_grow(self, lease: Lease) -> bool:
        """Whether a lease that begins again now would have more slots."""
        with self._changed:
            return lease.slots < lease.most and self._free > len(self._waiting)

    @property
    def _free(self) -> int:
        return self.count - sum(lease.slots for lease in self._holding)

    def _may_start(self, lease: Lease) -> bool:
        free = self._free
        return free > 0 and lease in sorted(self._waiting, key=self._urgency)[:free]

    def _urgency(self, lease: Lease) -> tuple[int, float, int]:
        return lease.priority, self._recent_usage(lease.owner, self.now()), lease.ticket

    def _recent_usage(self, owner: str, now: float) -> float:
        """Seconds that an owner has used, those long ago counting less."""
        used, at = self._usage.get(owner, (0.0, now))
        return used * 0.5 ** ((now - at) / HALF_LIFE)

    def _preempt_others(self) -> None:
        """Ask searches to leave their slots to those who come first or have waited long enough."""
        playing = sum(lease.priority == PLAYING for lease in self._waiting)
        preempted = sum(lease.slots for lease in self._holding if lease.preempted)
        now = self.now()
        for lease in sorted(self._holding, key=lambda one: (-one.priority, one.since)):
            if lease.preempted or preempted >= len(self._waiting):
                continue
            at_once = lease.priority == ANALYSING and preempted < playing
            slice_over = now - lease.since > SLICE and (lease.priority == ANALYSING or preempted < playing)
            if at_once or slice_over:
                lease.preempted = True
                preempted += lease.slots
                lease.preempt()
