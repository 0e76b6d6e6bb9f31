"""The conformance suite proves the examples too."""

import pytest

from plywise import Game
from tests.conftest import EXAMPLE_NAMES, GAMES, named

QUICK = {"breakthrough", "othello"}
EXAMPLE_PARAMETERS = [
    pytest.param(f"examples/{name}", marks=() if name in QUICK else pytest.mark.thorough("a long game"))
    for name in EXAMPLE_NAMES
]


@pytest.fixture(params=[*GAMES, *EXAMPLE_PARAMETERS])
def any_game(request: pytest.FixtureRequest) -> Game:
    """Every shipped game, those of the tests, and the examples."""
    return named(request.param)
