"""How long to think: from what a clock shows to a soft and a hard limit, both in seconds."""

from dataclasses import dataclass

OVERHEAD = 0.03  # seconds a move that pass between our clock and theirs, unless told
MOVES_AHEAD = 28  # moves to keep time for in a game without time controls
MOST_AHEAD = 40  # more moves to the next control than this are too far to plan
SOFT = 0.7  # of a move's share: a new iteration takes about as long as all before it
HARD = 3.0  # of a move's share: what one difficult move may take
AT_MOST = 0.4  # of all that is left, while more than one move has to be made with it
LAG = 0.33  # of the overhead: what a move loses on an average; the whole of it is for the worst
LEAST = 0.001


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
    usable = max(clock.left - overhead, clock.left / 8, LEAST)
    if clock.moves_to_go == 1:
        return Allowance(_rounded(0.6 * usable), _rounded(0.9 * usable))
    ahead = min(clock.moves_to_go or MOVES_AHEAD, MOST_AHEAD)
    # Each of these moves loses some time on its way, too; time that does not come back is kept for the worst.
    comes_back = clock.increment > 0 or clock.moves_to_go is not None
    lost = (ahead - 1) * overhead * (LAG if comes_back else 1.0)
    share = max(usable - lost, usable / (2 * ahead)) / ahead + 0.8 * clock.increment
    hard = min(HARD * share, AT_MOST * usable)
    return Allowance(_rounded(min(SOFT * share, hard)), _rounded(hard))


def exactly(seconds: float, overhead: float = OVERHEAD) -> Allowance:
    """The time for a move that is given so many seconds: all of them, less the overhead."""
    usable = max(seconds - overhead, seconds / 2, LEAST)
    return Allowance(usable, usable)


def _rounded(seconds: float) -> float:
    return max(LEAST, round(seconds, 3))
