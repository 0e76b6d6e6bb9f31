"""The clock of a game, and how long to think: a soft and a hard limit from what the clock shows.

All times are in seconds, and the time of day is passed in.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

OVERHEAD = 0.03  # default seconds a move that pass between our clock and theirs
MOVES_AHEAD = 28  # moves to keep time for in a game without time controls
MAX_MOVES_AHEAD = 40  # more moves to the next control than this are too far to plan
SOFT_SHARE = 0.7  # of a move's share: a new iteration takes about as long as all before it
HARD_SHARE = 3.0  # of a move's share: what one difficult move may take
MAX_SHARE_OF_CLOCK = 0.4  # of all that is left, while more than one move has to be made with it
AVERAGE_LAG = 0.33  # of the overhead: what a move loses on average; the whole is for the worst case
MIN_SECONDS = 0.001
# With an increment a game goes on for long with an almost empty clock: this much stays on it for a move that
# the machine delays. It is not lost: it is used up once.
SPARE_INCREMENTS = 6
MAX_SPARE = 0.3  # seconds
# Delays have a long tail: where the usual one is long, or one was, a far longer one will come.
WORST_RESERVE = 4  # times the worst delay so far that are kept on the clock
AVERAGE_RESERVE = 30  # times the average delay that are kept at least
LAG_FADE = 0.99  # a move: after 69 moves without another, half of a delay is forgotten
LAG_WEIGHT = 0.125  # of the last move in the average
MAX_LAG = 1.0  # seconds; what the clock says beyond that is no delay: somebody has set it
MAX_PLIES_BETWEEN = 16  # of a game between two of our moves; more: another game or position


@dataclass(frozen=True, slots=True)
class Clock:
    """What the player's clock shows: seconds left, seconds added a move, moves to the next control."""

    left: float
    increment: float = 0.0
    moves_to_go: int | None = None


@dataclass
class RunningClock:
    """The running clock of a game, by sides.

    A move adds `increment`. Where there are controls, every `moves_per_control` moves add `base`.
    """

    left: list[float]  # seconds of each side when a clock was last started or stopped
    increment: float = 0.0
    moves_per_control: int | None = None
    base: float = 0.0
    running: set[int] = field(default_factory=set)  # sides whose time runs
    since: float = 0.0  # when they were started
    moves_made: list[int] = field(default_factory=lambda: [0, 0])

    def remaining(self, now: float) -> list[float]:
        """Seconds left of each side, never below 0."""
        return [
            max(0.0, left - (now - self.since if side in self.running else 0.0))
            for side, left in enumerate(self.left)
        ]

    def run(self, sides: Iterable[int], now: float) -> None:
        """Let the time of these sides run from now on, and of no others."""
        self.left, self.since, self.running = self.remaining(now), now, set(sides)

    def add_pause(self, seconds: float) -> None:
        """Give the running sides back a time in which nobody's clock ran."""
        self.since += seconds

    def charge(self, side: int, seconds: float) -> None:
        """Take off what a move took; add the increment, and the next control's time when it is reached."""
        self.moves_made[side] += 1
        self.left[side] += self.increment - seconds
        if self.moves_per_control and self.moves_made[side] % self.moves_per_control == 0:
            self.left[side] += self.base

    def snapshot(self, side: int, now: float | None = None) -> Clock:
        """What the player of a side sees; without `now`, as if no time ran."""
        left = max(self.left[side], 0.0) if now is None else self.remaining(now)[side]
        every = self.moves_per_control
        return Clock(left, self.increment, every - self.moves_made[side] % every if every else None)

    def flagged_side(self, now: float) -> int | None:
        """A running side whose time is up, if there is one."""
        remaining = self.remaining(now)
        return next((side for side in sorted(self.running) if remaining[side] <= 0), None)

    def seconds_to_flag(self, now: float) -> float | None:
        """Seconds until the next flag falls; None while no time runs."""
        remaining = self.remaining(now)
        return min((remaining[side] for side in self.running), default=None)


@dataclass(frozen=True, slots=True)
class Allowance:
    """Time for one move: after `soft` seconds nothing new is begun, after `hard` the move is made."""

    soft: float
    hard: float


@dataclass
class Lag:
    """How late our moves come, learned from move to move of one game.

    A busy machine wakes us late, stops the search late and brings the answer late. The clock of the game
    counts all of that: what it has taken off at our next move tells what we did not see ourselves.
    """

    worst: float = 0.0  # seconds, fading
    average: float = 0.0  # of the last moves
    _clock: Clock | None = None  # before our last move
    _plies: int = 0
    _took: float | None = None  # what that move took by our own clock, once it is made
    _late: float = 0.0  # how far that was beyond its hard limit

    @property
    def reserve(self) -> float:
        """Seconds that should never be used up."""
        return max(WORST_RESERVE * self.worst, AVERAGE_RESERVE * self.average)

    def receive(self, clock: Clock, plies: int) -> None:
        """We are on the move with this clock after so many plies of the game."""
        is_next = 0 < plies - self._plies <= MAX_PLIES_BETWEEN
        if is_next and self._clock is not None and self._took is not None:
            on_the_way = self._clock.left + self._clock.increment - self._took - clock.left
            # A control that was reached has given time instead.
            self._learn(self._late + (on_the_way if 0 < on_the_way <= MAX_LAG else 0.0))
        self._clock, self._plies, self._took = clock, plies, None

    def send(self, took: float, hard: float) -> None:
        """Our move is made, so long after the clock was received; it had `hard` seconds at most."""
        self._took, self._late = took, max(0.0, took - hard)

    def _learn(self, late: float) -> None:
        late = min(late, MAX_LAG)
        self.worst = max(late, LAG_FADE * self.worst)
        self.average += LAG_WEIGHT * (late - self.average)


def allowance(clock: Clock, overhead: float = OVERHEAD, lag: Lag | None = None) -> Allowance:
    """The time for the next move, such that the clock never falls. Where moves came late, more is kept.

    >>> allowance(Clock(60.0))
    Allowance(soft=1.479, hard=6.339)
    >>> allowance(Clock(0.05)).hard < 0.05
    True
    """
    # With less left than the overhead, what remains is a guess: move almost at once.
    reserve, average = (0.0, 0.0) if lag is None else (lag.reserve, lag.average)
    spare = 0.0 if clock.moves_to_go == 1 else min(SPARE_INCREMENTS * clock.increment, MAX_SPARE)
    usable = max(clock.left - max(overhead, reserve, spare), clock.left / 8, MIN_SECONDS)
    if clock.moves_to_go == 1:
        return Allowance(_round_seconds(0.6 * usable), _round_seconds(0.9 * usable))
    ahead = min(clock.moves_to_go or MOVES_AHEAD, MAX_MOVES_AHEAD)
    # Each of these moves loses some lag, too. Without increment or control no time comes back, so keep
    # enough for the worst case.
    comes_back = clock.increment > 0 or clock.moves_to_go is not None
    lost = (ahead - 1) * max(overhead * (AVERAGE_LAG if comes_back else 1.0), average)
    gained = max(0.8 * clock.increment - average, 0.1 * clock.increment)
    share = max(usable - lost, usable / (2 * ahead)) / ahead + gained
    hard = min(HARD_SHARE * share, MAX_SHARE_OF_CLOCK * usable)
    return Allowance(_round_seconds(min(SOFT_SHARE * share, hard)), _round_seconds(hard))


def fixed_allowance(seconds: float, overhead: float = OVERHEAD) -> Allowance:
    """The time for a move of fixed length: all of it, less the overhead."""
    usable = max(seconds - overhead, seconds / 2, MIN_SECONDS)
    return Allowance(usable, usable)


def _round_seconds(seconds: float) -> float:
    return max(MIN_SECONDS, round(seconds, 3))
