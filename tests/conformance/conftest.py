"""The conformance suite proves the examples too."""

import pytest

from plywise import Game
from tests.conftest import EXAMPLE_NAMES, GAMES, named


@pytest.fixture(params=[*GAMES, *(f"examples/{name}" for name in EXAMPLE_NAMES)])
def any_game(request: pytest.FixtureRequest) -> Game:
    """Every shipped game, those of the tests, and the examples."""
    return named(request.param)
