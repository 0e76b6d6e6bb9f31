"""A real server for each module of tests, on a port of its own, with a store of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from plywise.web.house import House
from plywise.web.serving import Server
from plywise.web.store import Store
from tests.conftest import SAMPLES
from tests.web.page import Page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    house = House(Store(tmp_path_factory.mktemp("games") / "games.sqlite"), [str(SAMPLES / "duel.py")])
    server = Server(house, 0).start()
    yield server
    server.stop()


@pytest.fixture
def page(server: Server) -> Iterator[Page]:
    with Page(server.port) as page:
        yield page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path
