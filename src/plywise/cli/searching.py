"""Search and count with a progress bar on the terminal; Ctrl-C stops."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from plywise.cli.console import progress_bar
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.perft import divide
from plywise.core.wording import count_text, large_number, line_labels, side_first, side_score_text
from plywise.play.engine_pool import EnginePool
from plywise.play.player import Decision, Player
from plywise.play.readiness import Readiness, short_readiness_text, watch_compiling
from plywise.play.state import GameState
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Progress, Result
from plywise.search.specialisation import PerftCounter, perft_counter

QUIET_SECONDS = 0.1  # a shorter wait needs no progress bar


def make_engine(game: Game, evaluator: str = "default", **options: Any) -> Engine:
    """Make an engine; a progress bar shows while it compiles."""
    with progress_while_compiling(game):
        return Engine(game, evaluator, **options)


@contextmanager
def progress_while_compiling(game: Game) -> Iterator[None]:
    """A progress bar with the share and the seconds left, if this thread compiles the game."""
    with progress_bar(short_readiness_text(game.name, Readiness()), 1.0) as update:

        def show(readiness: Readiness) -> None:
            update(short_readiness_text(game.name, readiness), readiness.share)

        with watch_compiling(game, show):
            yield


def search(engine: Engine, history: History, limits: Limits, lines: int = 1) -> tuple[Result, bool]:
    """Search; return the result, and whether Ctrl-C stopped the search."""
    with (
        engine.start(history, limits, lines=lines) as search,
        stop_on_interrupt(search.stop) as stopped,
        progress_bar("thinking", limits.time) as update,
    ):
        for report in search:
            update(
                _progress_text(history, report, engine.evaluation.unit),
                None if limits.time is None else report.seconds,
            )
        return search.result(), stopped()


def wait_until_ready(engines: EnginePool) -> None:
    """Wait until the game is compiled; a progress bar shows if that takes time."""
    engines.prepare()
    if not engines.ready.wait(QUIET_SECONDS):
        name = engines.game.name
        with progress_bar(short_readiness_text(name, Readiness()), 1.0) as update:
            while not engines.ready.wait(QUIET_SECONDS):
                readiness = engines.readiness or Readiness()
                update(short_readiness_text(name, readiness), readiness.share)


def let_player_choose(player: Player, state: GameState, side: int) -> tuple[Decision, bool]:
    """Let a player choose; return its decision, and whether Ctrl-C stopped it."""
    wait_until_ready(player.pool)
    with stop_on_interrupt(player.stop) as stopped, progress_bar("thinking", player.level.seconds) as update:
        view, timed = state.view(side), player.level.seconds is not None
        unit = player.pool.unit

        def report_progress(report: Progress) -> None:
            update(_progress_text(view, report, unit), report.seconds if timed else None)

        return player.think(state, side, progress=report_progress), stopped()


def _progress_text(history: History, report: Progress, unit: int) -> str:
    """The state of a search on one line."""
    parts = [f"depth {report.depth}", f"{large_number(report.nodes)} nodes"]
    if report.lines:
        best = report.lines[0]
        parts.append(side_score_text(history.game, history.turn, best.score, best.kind, unit))
        parts.append(" ".join(best.moves))
    elif report.current is not None:
        parts.append(report.current)
    return "  ".join(parts)


@contextmanager
def stop_on_interrupt(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C calls `stop`, a second one raises. The value says whether one was pressed."""
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


def make_counter(game: Game, compiled: bool = True) -> PerftCounter:
    """Make a perft counter; a progress bar shows while it compiles."""
    with progress_while_compiling(game):
        return perft_counter(game, compiled)


def count_paths(counter: PerftCounter, history: History, depth: int) -> tuple[dict[str, int], int, float]:
    """The paths after each first move, their sum, and the seconds it took.

    Another thread counts, so that the main thread can react to Ctrl-C while compiled code runs.
    """
    game, position = history.game, history.position
    started = time.perf_counter()
    if depth == 0:
        return {}, 1, time.perf_counter() - started
    moves = game.moves(position)
    with progress_bar(f"counting to depth {depth}", len(moves)) as update:

        def begin(move: int) -> None:
            update(f"depth {depth}  {game.move_text(position, move)}", moves.index(move))

        def count(after: Any, left: int) -> int:
            return _run_in_thread(lambda: counter(after, left))

        counts = {
            game.move_text(position, move): number
            for move, number in divide(game, position, depth, count, begin)
        }
    return counts, sum(counts.values()), time.perf_counter() - started


def _run_in_thread(work: Callable[[], int]) -> int:
    """Do the work in another thread; return its value or raise its error."""
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


def result_lines(history: History, result: Result, labels: bool = False) -> list[str]:
    """A result as lines of text: the move, the score, the work, and the lines of play.

    With `labels`, moves are written as in a list of moves (SAN in chess), else as commands read them.
    """
    game, turn = history.game, history.turn
    if result.move is None:
        outcome = history.outcome
        return [f"the game is over: {outcome.reason}" if outcome else "there is no move"]
    best = game.label(history.position, result.number) if labels else result.move
    speed = f"{large_number(result.nodes / result.seconds)} a second" if result.seconds > 0.001 else ""
    work = f"depth {result.depth}, {large_number(result.nodes)} nodes in {result.seconds:.2f} s"
    score = side_score_text(game, turn, result.score, result.kind, result.unit)
    work += f", {speed}" if speed else ""
    if result.excludes_win:
        side, turns = side_first(game.sides[turn]), count_text((result.depth + 1) // 2, "turn")
        return [f"{side} cannot force a win within {turns} (proven)", work]
    text = [f"{side_first(game.sides[turn])} should play {best}: {score} ({result.kind})", work]
    if history.outcome is not None:  # a draw by the past, after which there are moves
        text.insert(0, f"the game is over: {history.outcome.reason}; if it went on:")
    for place, line in enumerate(result.lines, 1):
        moves = " ".join(line_labels(history, line.numbers) if labels else line.moves)
        text.append(f"{place}. {side_score_text(game, turn, line.score, line.kind, result.unit)}: {moves}")
    return text
