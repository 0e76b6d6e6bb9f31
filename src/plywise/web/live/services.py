"""What a live game needs of the hub: the store, the scheduler, engines."""

from typing import TYPE_CHECKING, Protocol

from plywise.play.engine_pool import EnginePool
from plywise.play.seat import Seat
from plywise.web.jobs.scheduler import Scheduler, SearchThreads
from plywise.web.store import Store

if TYPE_CHECKING:
    from plywise.web.live.game import LiveGame


class GameServices(Protocol):
    """What a live game needs of the hub."""

    store: Store
    scheduler: Scheduler
    turn_threads: SearchThreads

    def seat_engines(self, live_game: "LiveGame", seat: Seat) -> EnginePool:
        """The engines of a seat of a live game."""
        ...

    def unload(self, live_game: "LiveGame") -> None:
        """Drop a live game if nobody watches it."""
        ...
