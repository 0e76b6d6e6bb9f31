"""A real browser in front of a real server; nothing in between is imitated."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.server import Serving
from tests.page.visitor import Visitor

CHROMIUM = Path("/usr/bin/chromium")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder belong to the thorough suite."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.thorough("a browser in front of a server"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    if not CHROMIUM.exists():
        pytest.skip("no Chromium here: apt-get install chromium")
    with playwright.sync_playwright() as running:
        made = running.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Serving]:
    """One server for all tests that do not kill it."""
    server = Serving(tmp_path_factory.mktemp("games"))
    yield server
    server.close()


@pytest.fixture
def own_server(tmp_path: Path, browser: Any) -> Iterator[Serving]:
    """A server that a test may kill."""
    server = Serving(tmp_path)
    yield server
    server.close()


@pytest.fixture
def visitors(browser: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors, each with a browser context; at the end none may have seen an error."""
    made: list[Visitor] = []

    def make(server: Serving | None = None, **how: Any) -> Visitor:
        where = server or request.getfixturevalue("serving")
        made.append(Visitor(browser, where.address, **how))
        return made[-1]

    yield make
    for one in made:
        one.leave()


@pytest.fixture
def visitor(visitors: Callable[..., Visitor]) -> Visitor:
    """A visitor with mouse and keyboard who wants no motion, so that nothing need be waited for."""
    return visitors()
