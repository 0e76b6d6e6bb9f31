"""Two views of one position beside each other: by two evaluations, levels, players, or sets of switches.

Each is searched on its own, from an empty table, within the same number of nodes.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from plywise.core.history import History
from plywise.explain.icicle import Icicle, icicle
from plywise.explain.record import record_of
from plywise.play.seat import Seat
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Line

MAX_LINES = 3
OTHERS_NODES = 10  # times the nodes of the first search: how many the other lines may need for its depth
HASH_MB = 4
LEVELS = 9  # of the tree that is drawn
SHARE = 0.004  # narrower bars of it are not drawn
DICE = 1  # of a level that errs: the same move each time it is asked


@dataclass(frozen=True, slots=True)
class View:
    """What one player sees in a position. Scores and terms are for the side to move."""

    seat: Seat
    move: str | None  # what it would play
    line: Line | None  # that move's own line, one of `lines`
    lines: tuple[Line, ...]  # the best first; other moves come after the one that a search has chosen
    unit: int
    terms: dict[str, float]  # of the position, by its evaluation
    depth: int  # of the chosen line and, if its nodes suffice, of the other ones
    nodes: int
    tree: Icicle | None  # of the last whole iteration; a textbook player records none

    @property
    def higher(self) -> Line | None:
        """The other line that scores higher than the first one, if one does: two searches may differ."""
        best = max(self.lines, key=lambda line: line.score, default=None)  # of equal ones the first
        return None if best is None or best is self.lines[0] else best


Watch = Callable[[Engine], AbstractContextManager[None]]


def view(
    history: History,
    seat: Seat,
    nodes: int,
    *,
    compiled: bool = True,
    watch: Watch = lambda engine: nullcontext(),
) -> View:
    """Search a position as a seat would, within `nodes`; `watch` may stop the engine while it searches."""
    game = history.game
    level = seat.strength(game)
    limits = level.within(Limits(nodes=nodes))
    recorded = nodes if seat.player == "default" else 0
    engine = Engine(
        game,
        seat.evaluator,
        player=seat.player,
        hash=HASH_MB,
        compiled=compiled,
        without=seat.without,
        record=recorded,
    )
    with watch(engine):
        result = engine.search(history, limits)
        tree = None
        if recorded:
            record = record_of(engine, history, result)
            whole = [one for one in record.iterations() if one.cause != "stopped"]
            tree = icicle(record, whole[-1].root, LEVELS, SHARE) if whole else None
        lines: Sequence[Line] = result.lines
        # Lines have a search of their own, so that the tree and its nodes are those of one line.
        others = [move for move in history.moves if move != result.move]
        if seat.player == "default" and others:
            engine.clear()
            if level.heat:
                wide = replace(limits, nodes=nodes)
                lines = engine.search(history, wide, lines=max(MAX_LINES, level.lines)).lines or lines
            else:  # to the same depth, for scores of other depths do not compare
                same = replace(limits, depth=max(1, result.depth), nodes=OTHERS_NODES * nodes)
                more = engine.search(history, same, moves=others, lines=MAX_LINES - 1).lines
                lines = [*lines[:1], *more]
    place = level.choose(lines, game, random.Random(DICE), engine.evaluation.unit) if lines else 0
    line = lines[place] if lines else None
    move = line.moves[0] if level.heat and line is not None and line.moves else result.move
    terms = game.terms(history.position, seat.evaluator, engine.weights)
    shown = list(lines[:MAX_LINES])
    if line is not None and line not in shown:
        shown[-1] = line
    return View(seat, move, line, tuple(shown), result.unit, terms, result.depth, result.nodes, tree)
