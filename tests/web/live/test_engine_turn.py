"""Engines at their turn, without a game: a player chooses, fails or is cancelled."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest

import plywise
from plywise.play.clock import Clock
from plywise.play.state import start_game
from plywise.web.jobs.scheduler import PLAYING, Scheduler, SearchThreads
from plywise.web.live.engine_turn import EngineTurn, EngineTurns
from plywise.web.schema import Refused

LONGEST = 300.0  # seconds: what waits for longer has failed


class Thinker:
    """A player that thinks until it is let go or stopped."""

    def __init__(self) -> None:
        self.go_on, self.thinking = threading.Event(), threading.Event()
        self.stopped = False
        self.clock: Clock | None = None
        self.error: Exception | None = None

    def think(self, state: Any, side: int, *, clock: Clock | None, progress: Any) -> Any:
        self.clock = clock
        self.thinking.set()
        assert self.go_on.wait(LONGEST)
        progress(SimpleNamespace(lines=("a line",)))
        if self.error is not None:
            raise self.error
        return SimpleNamespace(moves=("b2",))

    def stop(self) -> None:
        self.stopped = True
        self.go_on.set()


class Game:
    """Listens to its engines."""

    def __init__(self) -> None:
        self.thinker = Thinker()
        self.events: list[tuple[str, Any]] = []
        self.ended = threading.Event()

    def player(self, side: int) -> Any:
        return self.thinker

    def engine_reported(self, turn: EngineTurn, report: Any) -> None:
        self.events.append(("reported", report.lines))

    def engine_chose(self, turn: EngineTurn, moves: tuple[str, ...]) -> None:
        self.events.append(("chose", moves))

    def engine_failed(self, turn: EngineTurn, words: str) -> None:
        self.events.append(("failed", words))

    def engine_ended(self) -> None:
        self.ended.set()


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.fixture
def turns(game: Game) -> EngineTurns:
    turns = EngineTurns(Scheduler(1), SearchThreads(), "owner", game)
    turns.plan(0, start_game(plywise.load("tic_tac_toe")), Clock(60.0, 1.0), 0.0)
    return turns


def test_an_engine_chooses_once_it_may_start(game: Game, turns: EngineTurns) -> None:
    assert turns.sides == [0] and not game.thinker.thinking.is_set()
    game.thinker.go_on.set()
    turns.start()
    turns.start()  # it thinks already
    assert game.ended.wait(LONGEST)
    assert game.events[-1] == ("chose", ("b2",))
    assert game.thinker.clock is not None and game.thinker.clock.left <= 60.0


def test_a_turn_is_planned_once(turns: EngineTurns) -> None:
    (turn,) = turns._turns.values()
    turns.plan(0, turn.state, None, 0.0)
    assert turns.is_current(turn)
    turns.finish(turn)
    assert not turns.is_current(turn) and turns.sides == []


def test_a_cancelled_engine_is_stopped_and_says_nothing(game: Game, turns: EngineTurns) -> None:
    turns.start()
    assert game.thinker.thinking.wait(LONGEST)
    turns.choices[1] = ("c3",)
    turns.cancel()
    assert game.ended.wait(LONGEST)
    assert game.thinker.stopped and game.events == []
    assert turns.sides == [] and turns.choices == {}


def test_an_engine_that_waits_for_a_slot_can_be_cancelled(game: Game, turns: EngineTurns) -> None:
    with turns.scheduler.hold("other", PLAYING):
        turns.start()
        turns.cancel()
        assert game.ended.wait(LONGEST)
    assert not game.thinker.thinking.is_set() and game.events == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (Refused("no weights"), "no weights"),
        (OSError("disk"), "the engine cannot go on: OSError: disk"),
    ],
)
def test_an_engine_that_fails_says_why(game: Game, turns: EngineTurns, error: Exception, words: str) -> None:
    game.thinker.error = error
    game.thinker.go_on.set()
    turns.start()
    assert game.ended.wait(LONGEST)
    assert game.events[-1] == ("failed", words)
