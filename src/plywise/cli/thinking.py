"""Searching and counting for a person who watches, and who may press Ctrl-C."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from plywise.cli.screen import big, working
from plywise.core.game import Game
from plywise.core.history import History
from plywise.play.engines import Engines
from plywise.play.player import Chosen, Player
from plywise.play.stage import Stage, spoken
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Progress, Result
from plywise.search.result import said as said
from plywise.search.runner import Counter, counter

SOON = 0.1  # seconds for which nothing need be said


def engine_for(game: Game, evaluator: str = "default", **options: Any) -> Engine:
    """An engine, compiled or taken from the cache, with a word on the terminal while that takes time."""
    with working(f"getting {game.name} ready"):
        return Engine(game, evaluator, **options)


def think(engine: Engine, history: History, limits: Limits, lines: int = 1) -> tuple[Result, bool]:
    """Search; what was found, and whether Ctrl-C cut it short."""
    with stopping(engine.stop) as stopped, working("thinking", limits.time) as tell:
        run = engine.run(history, limits, lines=lines)
        try:
            while True:
                report = next(run)
                tell(
                    _standing(history, report, engine.evaluation.unit),
                    None if limits.time is None else report.seconds,
                )
        except StopIteration as end:
            return end.value, stopped()


def ready(engines: Engines) -> None:
    """Wait until the game is compiled, with a word on the terminal if that takes time."""
    if not engines.ready.wait(SOON):
        with working(f"getting {engines.game.name} ready"):
            engines.ready.wait()


def seated(player: Player, stage: Stage, side: int) -> tuple[Chosen, bool]:
    """Let a player choose; what it chose, and whether Ctrl-C cut it short."""
    ready(player.engines)
    with stopping(player.stop) as stopped, working("thinking", player.level.seconds) as tell:
        view, timed = stage.view(side), player.level.seconds is not None
        unit = player.engines.unit

        def told(report: Progress) -> None:
            tell(_standing(view, report, unit), report.seconds if timed else None)

        return player.think(stage, side, progress=told), stopped()


def _standing(history: History, report: Progress, unit: int) -> str:
    """The state of a search on one line."""
    parts = [f"depth {report.depth}", f"{big(report.nodes)} nodes"]
    if report.lines:
        best = report.lines[0]
        parts.append(said(history.game, history.turn, best.score, best.kind, unit))
        parts.append(" ".join(best.moves))
    elif report.current is not None:
        parts.append(report.current)
    return "  ".join(parts)


@contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks for an end, a second one forces it. The value tells whether one came."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    pressed = False

    def press(number: int, frame: Any) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        stop()

    usual = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, usual)


def counter_for(game: Game, compiled: bool = True) -> Counter:
    """A counter of move paths, with a word on the terminal while it is compiled."""
    with working(f"getting {game.name} ready"):
        return counter(game, compiled)


def count(paths: Counter, history: History, depth: int) -> tuple[dict[str, int], int, float]:
    """The paths after each first move, their sum, and the seconds it took.

    A thread counts, so that the main one hears Ctrl-C even while compiled code runs.
    """
    game, position = history.game, history.position
    started = time.perf_counter()
    if depth == 0:
        return {}, 1, time.perf_counter() - started
    moves = game.moves(position)
    divide: dict[str, int] = {}
    with working(f"counting to depth {depth}", len(moves)) as tell:
        for done, move in enumerate(moves):
            text = game.move_text(position, move)
            tell(f"depth {depth}  {text}", done)
            divide[text] = _aside(lambda move=move: paths(position.play(move), depth - 1))  # type: ignore[misc]
    return divide, sum(divide.values()), time.perf_counter() - started


def _aside(work: Callable[[], int]) -> int:
    """The value of the work, done in another thread with room for deep recursion."""
    results: list[int] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.2)
    if errors:
        raise errors[0]
    return results[0]


def explained(history: History, result: Result, spoken_lines: bool = False) -> list[str]:
    """A result as lines of text: the move, the score, the work, and the lines of play.

    `spoken_lines` says moves as players do, not as commands read them.
    """
    game, turn = history.game, history.turn
    if result.move is None:
        outcome = history.outcome
        return [f"the game is over: {outcome.reason}" if outcome else "there is no move"]
    best = game.said(history.position, result.number) if spoken_lines else result.move
    speed = f"{big(result.nodes / result.seconds)} a second" if result.seconds > 0.001 else ""
    work = f"depth {result.depth}, {big(result.nodes)} nodes in {result.seconds:.2f} s"
    score = said(game, turn, result.score, result.kind, result.unit)
    text = [
        f"{game.sides[turn]} should play {best}: {score} ({result.kind})",
        work + (f", {speed}" if speed else ""),
    ]
    for place, line in enumerate(result.lines, 1):
        moves = " ".join(spoken(history, line.numbers) if spoken_lines else line.moves)
        text.append(f"{place}. {said(game, turn, line.score, line.kind, result.unit)}: {moves}")
    return text
