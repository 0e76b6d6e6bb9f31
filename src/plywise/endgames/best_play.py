"""Playing solved endings: a won one to its end, a drawn one so that the other side may go wrong."""

from plywise.core.history import History
from plywise.core.scores import Kind, is_decisive
from plywise.search.engine import Engine

PROBE_DEPTH = 4  # turns deep: a database answers one or two moves away


def hardest_drawing_move(engine: Engine, history: History) -> str | None:
    """In a position that is proven drawn, the drawing move with the largest share of losing answers.

    None where nothing is proven, or it is no draw: there the search's own move is the right one.
    Repetitions are avoided as long as there is another move.
    """
    if not _is_proven_draw(engine, history):
        return None
    best, chosen = (-1, -1.0), None
    for move in history.moves:
        after = history.play(move)
        if after.outcome is None and _is_proven_draw(engine, after):
            found = int(after.repetitions == 1), losing_share(engine, after)
            if found > best:
                best, chosen = found, move
    return chosen


def losing_share(engine: Engine, history: History) -> float:
    """The share of the moves here that are proven to lose."""
    losing = 0
    for move in history.moves:
        after = history.play(move)
        if after.outcome is not None:
            losing += after.outcome.winner == after.turn
            continue
        result = engine.search(after, depth=PROBE_DEPTH)
        losing += result.kind is Kind.PROVEN and result.score > 0
    return losing / max(1, len(history.moves))


def line_to_end(engine: Engine, history: History) -> list[str]:
    """The best moves of both sides from a proven win or loss to the end of the game.

    The line of a search ends where a database answers; this one goes on to the end.
    Empty where nothing is proven, or it is a draw.
    """
    moves: list[str] = []
    while history.outcome is None:
        result = engine.search(history, depth=PROBE_DEPTH)
        if result.move is None or not is_decisive(result.score):
            return []
        moves.append(result.move)
        history = history.play(result.move)
    return moves


def _is_proven_draw(engine: Engine, history: History) -> bool:
    result = engine.search(history, depth=PROBE_DEPTH)
    return result.kind is Kind.PROVEN and result.score == 0
