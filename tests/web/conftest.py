"""A real server for each module of tests, on a port of its own, with a store of its own."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from plywise.play.engine_pool import EnginePool
from plywise.web import best_move
from plywise.web.hub import Hub
from plywise.web.server import Server
from plywise.web.store import Store
from plywise.web.why import recording
from tests.conftest import COMPILED, SAMPLES
from tests.web.page import Page


@pytest.fixture(scope="package", autouse=True)
def _little_is_compiled(pytestconfig: pytest.Config) -> Iterator[None]:
    """In the default suite servers of this process search most games interpreted, as while they compile."""
    if pytestconfig.getoption("--thorough"):
        yield
        return
    build = EnginePool._build

    def build_few(self: EnginePool) -> None:
        if self.compiler is None or self.game.name in COMPILED:
            build(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EnginePool, "_build", build_few)
        patch.setattr(best_move, "READY_SECONDS", 0.01)
        patch.setattr(recording, "start_compiling", lambda source, evaluator: threading.Event())
        yield


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    hub = Hub(Store(tmp_path_factory.mktemp("games") / "games.sqlite"), [str(SAMPLES / "duel.py")])
    server = Server(hub, 0).start()
    yield server
    server.stop()


@pytest.fixture
def page(server: Server) -> Iterator[Page]:
    with Page(server.port) as page:
        yield page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path
