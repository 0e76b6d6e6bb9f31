"""Compiled code of the tests is kept apart from the user's, and from one run to the next."""

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import plywise
from plywise import Game, History

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = Path(__file__).with_name("samples")

os.environ.setdefault("PLYWISE_CACHE", str(ROOT / ".pytest_cache" / "plywise"))
# A user's endgame databases would make the search know more than the minimax it is compared with.
os.environ["PLYWISE_DATA"] = str(ROOT / ".pytest_cache" / "plywise_data")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells start background jobs deaf to Ctrl-C, and their children inherit that; the tests press it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

SAMPLE_NAMES = ("duel", "kalah", "pebbles", "runners")


def sample(name: str) -> Game:
    """A game of the tests, by its file in tests/samples."""
    if name not in _loaded:
        _loaded[name] = plywise.load(str(SAMPLES / f"{name}.py"))
    return _loaded[name]


_loaded: dict[str, Game] = {}


def walk(game: Game, seed: int, most: int = 60) -> Iterator[History]:
    """The histories of one random game."""
    dice = random.Random(seed)
    history = game.history()
    yield history
    for _ in range(most):
        moves = game.moves(history.position)
        if history.outcome is not None or not moves:
            return
        history = history.play(dice.choice(moves))
        yield history


def open_positions(game: Game, count: int, seed: int = 1, most: int = 60) -> list[History]:
    """Histories of random games that are not over, spread over many games."""
    found: list[History] = []
    while len(found) < count:
        seed += 1
        going = [history for history in walk(game, seed, most) if history.outcome is None]
        found += random.Random(seed).sample(going, min(3, len(going)))
    return found[:count]


@pytest.fixture(params=[*plywise.shipped(), *(f"samples/{name}" for name in SAMPLE_NAMES)])
def any_game(request: pytest.FixtureRequest) -> Game:
    """Every shipped game, and those of the tests."""
    name = str(request.param)
    return sample(name.removeprefix("samples/")) if name.startswith("samples/") else plywise.load(name)
