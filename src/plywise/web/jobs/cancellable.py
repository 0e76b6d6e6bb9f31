"""Searches that can be stopped at any moment, also before they have begun."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from plywise.core.history import History
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Progress, Result

STOP_INTERVAL = 0.01  # seconds between looks at whether a stop has come


def search_with_stop(
    engine: Engine,
    history: History,
    limits: Limits,
    stop: threading.Event,
    on_progress: Callable[[Progress], None] | None = None,
    lines: int = 1,
    on_tick: Callable[[], None] | None = None,
) -> Result:
    """Search in another thread, while this one watches for `stop`; gives the result.

    `on_progress` is called for each report, in the other thread; `on_tick` again and again, in this one.
    """
    search = engine.start(history, limits, lines=lines)
    errors: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            for report in search:
                if on_progress is not None:
                    on_progress(report)
        except BaseException as error:
            errors.append(error)
        finally:
            search.close()
            ended.set()

    threading.Thread(target=run, daemon=True).start()
    while not ended.wait(STOP_INTERVAL):
        if stop.is_set():
            search.stop()
            ended.wait()
        elif on_tick is not None:
            on_tick()
    if errors:
        raise errors[0]
    return search.result()


@contextmanager
def stop_all(engine: Engine, stop: threading.Event, seconds: float) -> Iterator[None]:
    """Within the block, every search of the engine ends once `stop` is set or the seconds have passed."""
    left, end = threading.Event(), time.monotonic() + seconds

    def watch() -> None:
        while not left.wait(STOP_INTERVAL):
            if stop.is_set() or time.monotonic() > end:
                engine.stop()  # again and again: the next search may have begun meanwhile

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        left.set()
        watcher.join()  # no stop may reach the engine's next borrower
