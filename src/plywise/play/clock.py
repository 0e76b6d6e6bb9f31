"""How long to think: from what a clock shows to a soft and a hard limit, both in seconds."""

from dataclasses import dataclass

OVERHEAD = 0.03  # seconds a move that pass between our clock and theirs, unless told
MOVES_AHEAD = 28  # moves to keep time for in a game without time controls
MAX_MOVES_AHEAD = 40  # more moves to the next control than this are too far to plan
SOFT_SHARE = 0.7  # of a move's share: a new iteration takes about as long as all before it
HARD_SHARE = 3.0  # of a move's share: what one difficult move may take
MAX_SHARE_OF_CLOCK = 0.4  # of all that is left, while more than one move has to be made with it
AVERAGE_LAG = 0.33  # of the overhead: what a move loses on an average; the whole of it is for the worst
MIN_SECONDS = 0.001


@dataclass(frozen=True, slots=True)
class Clock:
    """What the player's clock shows: seconds left, seconds added a move, moves to the next control."""

    left: float
    increment: float = 0.0
    moves_to_go: int | None = None


@dataclass(frozen=True, slots=True)
class Allowance:
    """Time for one move: after `soft` seconds nothing new is begun, after `hard` the move is made."""

    soft: float
    hard: float


def allowance(clock: Clock, overhead: float = OVERHEAD) -> Allowance:
    """The time for the next move, such that the clock never falls.

    >>> allowance(Clock(60.0))
    Allowance(soft=1.479, hard=6.339)
    >>> allowance(Clock(0.05)).hard < 0.05
    True
    """
    # With less left than the overhead, what remains is a guess: move almost at once.
    usable = max(clock.left - overhead, clock.left / 8, MIN_SECONDS)
    if clock.moves_to_go == 1:
        return Allowance(_round_seconds(0.6 * usable), _round_seconds(0.9 * usable))
    ahead = min(clock.moves_to_go or MOVES_AHEAD, MAX_MOVES_AHEAD)
    # Each of these moves loses some time on its way, too; time that does not come back is kept for the worst.
    comes_back = clock.increment > 0 or clock.moves_to_go is not None
    lost = (ahead - 1) * overhead * (AVERAGE_LAG if comes_back else 1.0)
    share = max(usable - lost, usable / (2 * ahead)) / ahead + 0.8 * clock.increment
    hard = min(HARD_SHARE * share, MAX_SHARE_OF_CLOCK * usable)
    return Allowance(_round_seconds(min(SOFT_SHARE * share, hard)), _round_seconds(hard))


def fixed_allowance(seconds: float, overhead: float = OVERHEAD) -> Allowance:
    """The time for a move that is given so many seconds: all of them, less the overhead."""
    usable = max(seconds - overhead, seconds / 2, MIN_SECONDS)
    return Allowance(usable, usable)


def _round_seconds(seconds: float) -> float:
    return max(MIN_SECONDS, round(seconds, 3))
