"""The prover itself is proven: guards of the search are taken away, one at a time, and it must notice.

A guard is a piece of the search without which something false is called proven, exact or a bound. `SABOTAGES`
names some, each with the function that it stands in and the text that is changed there. Only the code that
Python runs is changed, for as long as the `with` block lasts.

Not all guards are here. Most of those against what lies in the table are needed so seldom that these small
games do not show it: the line in front is searched with a full window, which takes no answer from the table.
test_past.py has games that are made for the two against another past of the game.
"""

import inspect
import random
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from plywise.search import alphabeta as main
from plywise.search import deepening, handle, node
from tests.prover.games import DRAWS, Shape
from tests.prover.prove import Case, Known, any_case, any_margins

NODES = 600  # of a search that Python runs


@dataclass(frozen=True)
class Sabotage:
    """A change of one function that makes the search lie."""

    name: str
    function: Callable[..., Any]
    old: str
    new: str
    case: int | None = None  # the number of a case that shows it, where the first ones do not

    def code(self) -> Any:
        """The changed function's code."""
        source = textwrap.dedent(inspect.getsource(self.function))
        assert source.count(self.old) == 1, f"{self.name}: {source.count(self.old)} times: {self.old}"
        function = self.function
        assert isinstance(function, FunctionType)
        names = dict(function.__globals__)
        exec(compile(source.replace(self.old, self.new), f"<{self.name}>", "exec"), names)
        return names[function.__name__].__code__


@contextmanager
def sabotage(change: Sabotage) -> Iterator[None]:
    """Run the search of Python with a change."""
    function: Any = change.function
    usual = function.__code__
    function.__code__ = change.code()
    try:
        yield
    finally:
        function.__code__ = usual


def small_case(number: int) -> Case:
    """Case number n of those that Python runs: small games, in which all parts of the search fire."""
    dice = random.Random(number)
    case = any_case(dice, searches=8, size=dice.choice((1, 1, 2)), deep=6)
    asks = tuple(replace(ask, nodes=min(ask.nodes or NODES, NODES), time=None) for ask in case.asks)
    margins = any_margins(dice) if dice.random() < 0.6 else ()
    shape = replace(case.shape, images=int(dice.random() < 0.3))
    case = replace(
        case,
        shape=shape,
        draws=dice.randrange(len(DRAWS)),
        asks=asks,
        margins=margins,
        threads=1,
        plain=dice.random() < 0.15,
        record=False,
        compiled=False,
    )
    return case if number % 2 else round_in_circles(dice, case)


def round_in_circles(dice: random.Random, case: Case) -> Case:
    """A game of few positions in which they return: it is searched to its end, by roots with many pasts."""
    levels = dice.choice((2, 3, 4, 6, 8))
    shape = replace(
        case.shape,
        width=dice.choice((2, 3, 4)),
        levels=levels,
        branch=dice.choice((2, 2, 3)),
        cycles=dice.choice((3, 4, 5, 6)),
        tail=max(0, levels // 2 - 1),
        over=dice.choice((0, 1)),
        stuck=dice.choice((1, 3)),
        again=dice.choice((0, 0, case.shape.again)),
    )
    draws = dice.randrange(1, len(DRAWS))
    shape = replace(shape, loops=shape.loops if DRAWS[draws].repetition else 0)
    shape, walk = past_that_matters(dice, shape, draws)
    asks = []
    for i, ask in enumerate(case.asks):
        end = len(walk) if i < 6 else dice.randint(0, len(walk))
        depth = None if ask.depth is None else dice.choice((ask.depth, 20))
        asks.append(replace(ask, walk=walk[:end], since=dice.choice((0, end)), depth=depth))
    return replace(case, shape=shape, draws=draws, asks=tuple(asks), database=False)


def past_that_matters(dice: random.Random, shape: Shape, draws: int) -> tuple[Shape, tuple[int, ...]]:
    """A game like this, and a walk to a root whose moves are worth something else because of their past."""
    for _ in range(20):
        shape = replace(shape, chance=dice.randrange(1 << 22))
        known = Known(shape, draws, database=False)
        for _ in range(6):
            walk = tuple(dice.randrange(8) for _ in range(dice.randint(1, 10)))
            with_past, fresh = known.root(walk), known.root(walk, len(walk))
            if with_past is not None and fresh is not None and with_past.values != fresh.values:
                return shape, walk
    return shape, walk


_NODE, _THREAD = main.alphabeta, deepening.DeepeningThread
_RESETS = "thread.reversible[ply + 1] = 0 if position.resets(move) else reversible + 1"
_COUNTER = "if thread.draw_plies != 0 and reversible >= thread.draw_plies:"
_AGAIN = "if score <= alpha or reduction == 0 and (full_window or score >= beta):"
_STOPPED = (
    "thread.stopped != 0:\n            return leave(thread, ply, 0, STOPPED, EXACT)\n        if null_score"
)

SABOTAGES = (
    # Beyond the depth.
    Sabotage("an evaluation is no guess", node.static_evaluation, "thread.guesses += 1", "pass"),
    Sabotage("all is complete", _THREAD.kind, "if complete or (", "if True or ("),
    Sabotage("pruned and exact", _THREAD.kind, "if self.exact_minimax and", "if"),
    Sabotage(
        "all is stored as complete",
        _NODE,
        "complete = 1 if thread.guesses == guesses else 0",
        "complete = 1",
    ),
    # The past.
    Sabotage("a draw on this path is no guess", node.path_draw_score, "thread.guesses += 1", "pass", 4764),
    Sabotage("no repetitions", node.is_repetition, "return True", "return False"),
    Sabotage(
        "no repetitions of the past",
        node.is_repetition,
        "if clock < ply else 0",
        "if clock < ply else thread.past_plies",
    ),
    Sabotage("no counter", _NODE, _COUNTER, "if False:"),
    Sabotage("a counter that is a ply late", _NODE, _COUNTER, _COUNTER.replace(">=", ">")),
    Sabotage("a counter that is a ply early", _NODE, _COUNTER, _COUNTER.replace(">=", ">= -1 +")),
    Sabotage(
        "a counter that begins at the root",
        handle.Search.prepare_thread,
        "record.reversible[0] = self.history.clock",
        "record.reversible[0] = 0",
    ),
    Sabotage("a draw that nobody claims", handle._draw_plies, "if reversible < plies", "if True"),
    Sabotage("no move resets", _NODE, _RESETS, "thread.reversible[ply + 1] = reversible + 1"),
    Sabotage("every move resets", _NODE, _RESETS, "thread.reversible[ply + 1] = 0"),
    # Distances.
    Sabotage("a win is a ply nearer", _NODE, "if win_in(ply + 1) <= alpha:", "if win_in(ply + 2) <= alpha:"),
    Sabotage("a loss is further away", _NODE, "if loss_in(ply) >= beta:", "if loss_in(ply + 2) >= beta:"),
    # Windows, and several actions in a turn.
    Sabotage("a reduced search is enough", _NODE, _AGAIN, "if True:"),
    Sabotage("a null window is enough", _NODE, _AGAIN, "if score <= alpha or reduction == 0:"),
    Sabotage("too low is good enough", _THREAD.search_line, "if alpha < score < beta:", "if score < beta:"),
    Sabotage(
        "the sign always changes",
        _NODE,
        "if after.turn == turn:\n                new",
        "if False:\n                new",
    ),
    # Candidates.
    Sabotage("no candidate is no move", _NODE, "few = end > n", "pass"),
    Sabotage(
        "candidates lose for all",
        _NODE,
        "if best < -SURE:\n            thread",
        "if False:\n            thread",
    ),
    # Stops.
    Sabotage(
        "a stopped null move counts",
        _NODE,
        _STOPPED,
        _STOPPED.replace("thread.stopped != 0", "False"),
        case=232,
    ),
    Sabotage("a stopped iteration counts", _THREAD.search_line, "if record.stopped:", "if False:"),
    Sabotage("a move has two lines", _THREAD.merge_with_previous, "if line.numbers[0] not in known", ""),
)
