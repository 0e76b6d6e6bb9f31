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


LONG = {"chess", "polis", "skirmish"}
PROOF_PARAMETERS = [
    pytest.param(name, marks=pytest.mark.thorough("plays 32 long games in Python") if name in LONG else ())
    for name in GAMES
]


@pytest.fixture(params=[*PROOF_PARAMETERS, *EXAMPLE_PARAMETERS])
def proof_game(request: pytest.FixtureRequest) -> Game:
    """The same games; the proof of those that are long to play is left to the thorough suite."""
    return named(request.param)
