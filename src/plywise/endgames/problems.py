"""Playing on in a drawn ending: the move that leaves the other side the most ways to go wrong."""

from plywise.core.history import History
from plywise.search.engine import Engine
from plywise.search.result import Kind

ENOUGH = 4  # turns deep: a database answers one or two moves away


def hardest(engine: Engine, history: History) -> str | None:
    """In a position that is proven drawn, the drawing move with the largest share of losing answers.

    None where nothing is proven, or it is no draw: there the search's own move is the right one.
    A position that was there before is avoided as long as there is another.
    """
    if not _drawn(engine, history):
        return None
    best, chosen = (-1, -1.0), None
    for move in history.moves:
        after = history.play(move)
        if after.outcome is None and _drawn(engine, after):
            found = int(after.repetitions == 1), traps(engine, after)
            if found > best:
                best, chosen = found, move
    return chosen


def traps(engine: Engine, history: History) -> float:
    """The share of the moves here that are proven to lose."""
    losing = 0
    for move in history.moves:
        after = history.play(move)
        if after.outcome is not None:
            losing += after.outcome.winner == after.turn
            continue
        result = engine.search(after, depth=ENOUGH)
        losing += result.kind is Kind.PROVEN and result.score > 0
    return losing / max(1, len(history.moves))


def _drawn(engine: Engine, history: History) -> bool:
    result = engine.search(history, depth=ENOUGH)
    return result.kind is Kind.PROVEN and result.score == 0
