"""A search that can be stopped at any moment, also before it has begun."""

import threading
from collections.abc import Callable

from plywise.core.history import History
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Progress, Result

STOP_INTERVAL = 0.01  # seconds between looks: a stop that comes too early is forgotten, so it is repeated


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
    found: list[Result] = []
    errors: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            found.append(engine.search(history, limits, progress=on_progress, lines=lines))
        except BaseException as error:
            errors.append(error)
        ended.set()

    threading.Thread(target=run, daemon=True).start()
    while not ended.wait(STOP_INTERVAL):
        if stop.is_set():
            engine.stop()
        elif on_tick is not None:
            on_tick()
    if errors:
        raise errors[0]
    return found[0]
