"""Outside engines in a match, over UCI or XBoard: what both have in common."""

import time
from collections.abc import Callable

from plywise.arena.control import Control
from plywise.arena.faults import Fault, Kind
from plywise.arena.own import Choice
from plywise.arena.players import BadPlayer, Spec
from plywise.arena.program import Program, Silent
from plywise.arena.setup import Setup
from plywise.core.errors import UnknownName
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.registry import load
from plywise.play.clock import Clock

START = 20.0  # seconds in which an engine must have answered the first question
LAST_CALL = 2.0  # seconds in which it must move after it was told that its time is over


class UnknownOption(UnknownName):
    """An option that the engine does not have: a mistake of the user, not of the engine."""


class Outside:
    """An engine that is started when it is needed, and again after it has failed."""

    protocol = ""

    def __init__(self, game: Game, spec: Spec, setup: Setup) -> None:
        self.game, self.spec = game, spec
        self.control: Control = spec.control(setup.control)
        self.margin, self.patience = setup.margin, setup.patience
        self.program: Program | None = None
        self.side = 0
        self.start: History = game.history()

    # --- for the protocols ------------------------------------------------------------------------------
    def greet(self, program: Program) -> None:
        """Begin the conversation and set the options."""
        raise NotImplementedError

    def new_game(self, program: Program, start: History) -> None:
        """A new game from a position on."""
        raise NotImplementedError

    def think(self, program: Program, history: History, own: Clock | None, other: Clock | None) -> None:
        """Tell the position and the clocks, and ask for a move."""
        raise NotImplementedError

    def heard(self, program: Program, line: str) -> Choice | None:
        """Take in a line; the move if it is one."""
        raise NotImplementedError

    def hurry(self, program: Program) -> None:
        """Ask for the move now."""
        raise NotImplementedError

    # --- as a player --------------------------------------------------------------------------------------
    def begin(self, start: History, side: int, seed: int) -> None:
        """A new game."""
        self.side, self.start = side, start
        try:
            if self.program is None:
                self.program = Program(self.spec.command, self.spec.option("folder"))
                self.greet(self.program)
            self.new_game(self.program, start)
        except Fault:
            self.close()
            raise

    def choose(self, history: History, clock: Clock | None, other: Clock | None) -> Choice:
        """The engine's move, if it answers in time."""
        program = self.program
        assert program is not None
        try:
            limit = self._limit(clock)
            self.think(program, history, clock, other)
            try:
                return self.in_time(program, limit)
            except Silent:
                self.hurry(program)
            try:
                self.listen(program, LAST_CALL)
            except Silent:
                raise program.fault(f"gives no move for {limit + LAST_CALL:.1f} s (it hangs)") from None
            raise Fault(Kind.TIME, f"{program.name} moved only when its {limit:.2f} s were over")
        except Fault as fault:
            if fault.kind is Kind.CRASH:
                self.close()
            raise

    def _limit(self, clock: Clock | None) -> float:
        """How long to wait before the engine is told that it is too late."""
        if clock is not None:
            return clock.left + self.margin
        return self.patience if self.control.time is None else self.control.time + self.margin

    def in_time(self, program: Program, seconds: float) -> Choice:
        """The move, or Silent if it does not come in time."""
        return self.listen(program, seconds)

    def listen(self, program: Program, seconds: float) -> Choice:
        """Hear the engine out until it moves."""
        until = time.monotonic() + seconds
        while True:
            choice = self.heard(program, program.line(until - time.monotonic()))
            if choice is not None:
                return choice

    def expect(self, program: Program, wanted: Callable[[str], bool], seconds: float, what: str) -> None:
        """Read on until a line is the one that is waited for."""
        until = time.monotonic() + seconds
        try:
            while not wanted(program.line(until - time.monotonic())):
                pass
        except Silent:
            raise program.fault(f"does not say {what} within {seconds:g} s ({self.protocol})") from None

    def finish(self, outcome: str) -> None:
        """The game is over."""

    def close(self) -> None:
        """End the engine with its children."""
        if self.program is not None:
            self.program.end()
            self.program = None


def engine(game: Game, spec: Spec, setup: Setup) -> Outside:
    """The engine that a player is."""
    from plywise.arena.uci import Uci
    from plywise.arena.xboard import XBoard

    return (Uci if spec.kind == "uci" else XBoard)(game, spec, setup)


def check(spec: Spec, setup: Setup) -> None:
    """Refuse limits that the protocol cannot tell."""
    control = spec.control(setup.control)
    if spec.kind == "xboard" and not control.is_timed and control.depth is None:
        raise BadPlayer(f"player {spec.text!r}: XBoard has no limit by nodes; give depth, time or control")


def rehearse(game: str, spec: Spec, setup: Setup) -> str | None:
    """Start an engine and set its options; why it fails, or None. What the user mistook is refused."""
    one = engine(load(game), spec, setup)
    try:
        one.begin(one.start, 0, 0)
    except Fault as fault:
        return fault.reason
    except UnknownOption as error:
        raise BadPlayer(f"player {spec.text!r}: {error}") from None
    finally:
        one.close()
    return None


def path(history: History) -> tuple[History, list[History]]:
    """The position in which the whole game began, and the histories after each of its moves."""
    after: list[History] = []
    node = history
    while node.before is not None:
        after.append(node)
        node = node.before
    return node, after[::-1]


def is_usual(game: Game, root: History) -> bool:
    """Whether the game began where it always begins."""
    return bool(root.position == game.start())
