"""Who plays: a person, or the engine on a level. Stands in for play/levels.py until that is there."""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import is_sure
from plywise.play.clock import Clock, allowance
from plywise.play.stage import Stage
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Progress, Result


@dataclass(frozen=True)
class Level:
    number: int
    name: str
    about: str
    limits: Limits


LEVELS = tuple(
    Level(n, f"Level {n}", "", Limits(depth=n if n < 6 else None, time=0.3 if n < 6 else 0.1 * 2 ** (n - 6)))
    for n in range(1, 11)
)


def levels(game: Game) -> Sequence[Level]:
    return LEVELS


def chance(score: int, unit: int, game: Game) -> float:
    if is_sure(score):
        return 1.0 if score > 0 else 0.0
    return 1 / (1 + math.exp(-0.368208 * score / unit))


def searched(
    engine: Engine,
    history: History,
    limits: Limits,
    stop: threading.Event,
    tell: Callable[[Progress], None] = lambda report: None,
    **options: Any,
) -> Result:
    """Search in a thread beside this one, which sees that a stop is heard, however early it comes."""
    answer: list[Any] = []
    ended = threading.Event()

    def run() -> None:
        try:
            answer.append(engine.search(history, limits, progress=tell, **options))
        except BaseException as error:
            answer.append(error)
        ended.set()

    threading.Thread(target=run, daemon=True).start()
    while not ended.wait(0.02):
        if stop.is_set():
            engine.stop()
    if isinstance(answer[0], BaseException):
        raise answer[0]
    return answer[0]


def think(
    engine: Engine,
    stage: Stage,
    side: int,
    level: int,
    stop: threading.Event,
    clock: Clock | None,
    tell: Callable[[Progress], None],
) -> tuple[str, ...]:
    limits = LEVELS[level - 1].limits
    if clock is not None:
        limits = Limits(limits.depth, time=min(limits.time or 1.0, allowance(clock).hard))
    view = stage.view(side)
    begun = view.length
    while not stage.complete(side, view):
        result = searched(engine, view, limits, stop, tell)
        assert result.move is not None
        view = view.play(result.move)
    return tuple(view.played[begun:])
