"""What was asked of a run, and what is known of its generations: plain data, kept in run.json."""

from dataclasses import dataclass, field
from typing import Any

from plywise import __version__
from plywise.core.errors import PlywiseError
from plywise.core.json_data import from_json
from plywise.core.net_file import WEIGHTS_FORM
from plywise.learn.epochs import Epoch
from plywise.learn.proof import MatchResult

MAX_PATH = 4096  # characters
NODES = 1000  # of a search in self-play
BATCH_GAMES = 128


class BadRun(PlywiseError):
    """A run that cannot be made or resumed."""


class RunIsBusy(BadRun):
    """A run on which another process works."""


@dataclass
class Settings:
    """What was asked for."""

    game: str
    minutes: float = 30.0
    form: str = "replacing"
    hidden: int = 32
    nodes: int = NODES
    seed: int = 0
    batch_games: int = BATCH_GAMES
    from_net: str | None = None
    teacher: str | None = None
    version: str = __version__

    @property
    def generations(self) -> int:
        """More data pays less than a generation more, up to three; weights are fitted once."""
        if self.form == WEIGHTS_FORM:
            return 1
        return 1 if self.minutes < 2 else 2 if self.minutes < 8 else 3


@dataclass
class Generation:
    """What is known of a generation; what is None has not been done."""

    number: int
    games: int = 0
    positions: int = 0
    play_seconds: float = 0.0
    played: bool = False
    slope: float | None = None
    epochs: list[Epoch] = field(default_factory=list)
    net: str | None = None
    screen: dict[str, Any] | None = None
    player: str | None = None  # the net that played; None: the game's own evaluation, or noise


@dataclass
class RunState:
    """All that run.json says."""

    settings: Settings
    generations: list[Generation]
    proof: dict[str, Any] | None
    accepted: bool | None
    best: str | None  # the net that plays
    spent: float  # seconds of all sessions


def read_state(page: Any) -> RunState:
    """What run.json says; ValueError if it does not fit."""
    state = from_json(RunState, page)
    for result in (state.proof, *(each.screen for each in state.generations)):
        if result is not None:
            from_json(MatchResult, result)
    for name in (state.best, *(each.net for each in state.generations)):
        if name is not None and len(name) > MAX_PATH:
            raise ValueError("the name of a net is too long")
    return state


@dataclass
class RunProgress:
    """What a run does now, for a line on the screen."""

    text: str
    share: float  # of the whole time
