"""A whole game looked at again: how each moment stood, and which moves were mistakes.

Win chances and accuracies follow lichess' published formulas; a move is judged by how much of its
side's chance it gave away.
"""

import json
import math
import threading
from typing import TYPE_CHECKING, Any

from plywise.core.scores import WIN
from plywise.search.limits import Limits
from plywise.search.result import Result
from plywise.web.searching import searched
from plywise.web.slots import LOOKING, Cancelled
from plywise.web.views import first_chance, result_words
from plywise.web.visit import sentence

if TYPE_CHECKING:
    from plywise.web.table import Table
    from plywise.web.tree import Node
    from plywise.web.visit import Visit

# Lichess judges on a scale from -1 to 1, which is twice a chance from 0 to 1.
MARKS = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))


def judged(before: float, after: float) -> str | None:
    """The mark of a move that took its side's chance from `before` to `after`.

    >>> judged(0.5, 0.49), judged(0.5, 0.42), judged(0.5, 0.38), judged(0.9, 0.5)
    (None, 'inaccuracy', 'mistake', 'blunder')
    """
    return next((mark for drop, mark in MARKS if before - after >= drop), None)


def accuracy(before: float, after: float) -> float:
    """How good a move was, from 0 to 100.

    >>> accuracy(0.5, 0.6), round(accuracy(0.5, 0.4), 1), round(accuracy(1.0, 0.0), 1)
    (100.0, 63.6, 0.0)
    """
    drop = max(0.0, (before - after) * 100)
    return max(0.0, min(100.0, 103.1668 * math.exp(-0.04354 * drop) - 3.1669))


class Review:
    """One review for one page: the line from the start through the tip to its end."""

    def __init__(self, visit: "Visit", table: "Table", seconds: float) -> None:
        self.visit, self.table, self.seconds = visit, table, seconds
        self.ended = threading.Event()
        with table.lock:
            self.line = _line(table)
        self.found: dict[int, dict[str, Any]] = {}

    def start(self) -> None:
        self.table.house.thinkers.start(self.visit.who, self._run)

    def stop(self) -> None:
        """End it; what is found stays."""
        self.ended.set()
        self.table.house.slots.nudge()

    def _run(self) -> None:
        table = self.table
        try:
            earlier: tuple[float, str | None] | None = None
            self._tell(0)
            for done, node in enumerate(self.line, 1):
                earlier = self._look(node, earlier)
                if self.ended.is_set():
                    return
                self._tell(done)
            table.mark({n: (one["mark"], one["chance"]) for n, one in self.found.items()})
        except Cancelled:
            pass
        except Exception as error:
            words = {"tell": "error", "game": table.id, "words": sentence(error)}
            self.visit.tell((table.id, "error"), json.dumps(words))

    def _look(self, node: "Node", earlier: tuple[float, str | None] | None) -> tuple[float, str | None]:
        """Judge a node by what was known one move before; its chance and best move, for the next one."""
        table, game = self.table, self.table.game
        with table.lock:
            stage = node.stage
        history = stage.view(stage.turn)
        outcome = stage.outcome
        if outcome is not None:
            chance = 0.5 if outcome.winner is None else float(outcome.winner == 0)
            score = 0 if outcome.winner is None else WIN if outcome.winner == 0 else -WIN
            words, best = outcome.reason, None
        else:
            result = self._searched(history)
            chance = first_chance(game, history.turn, result.score, table.evaluator)
            score = result.score if history.turn == 0 else -result.score
            words = result_words(history, result)
            best = None if result.move is None else game.said(history.position, result.number)
        entry = {
            "score": score,
            "chance": chance,
            "words": words,
            "best": None,
            "mark": None,
            "accuracy": None,
        }
        if earlier is not None and node.side is not None:
            was, entry["best"] = earlier
            mine = (was, chance) if node.side == 0 else (1 - was, 1 - chance)
            if entry["best"] != node.said:
                entry["mark"] = judged(*mine)
            entry["accuracy"] = round(accuracy(*mine), 1)
        self.found[node.n] = entry
        return chance, best

    def _searched(self, history: Any) -> Result:
        house = self.table.house
        engines = house.engines(self.table)
        with (
            house.slots.hold(self.visit.who, LOOKING, wanted=lambda: not self.ended.is_set()),
            engines.lent(large=True, stopped=self.ended) as engine,
        ):
            if engine is None:
                raise Cancelled
            return searched(engine, history, Limits(time=self.seconds), self.ended)

    def _tell(self, done: int) -> None:
        message = {
            "tell": "review",
            "game": self.table.id,
            "done": done,
            "of": len(self.line),
            "nodes": {str(n): entry for n, entry in self.found.items()},
        }
        self.visit.tell((self.table.id, "review"), json.dumps(message), 0.1)


def _line(table: "Table") -> list["Node"]:
    node = table.tip
    while node.latest is not None:
        node = node.latest
    line = [node]
    while node.parent is not None:
        node = node.parent
        line.append(node)
    return line[::-1]
