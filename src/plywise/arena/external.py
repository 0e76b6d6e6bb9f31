"""Outside engines in a match, over UCI or XBoard: what both have in common."""

import time
from collections.abc import Callable

from plywise.arena.builtin import Choice
from plywise.arena.faults import Fault, FaultKind
from plywise.arena.player_spec import BadPlayer, PlayerSpec
from plywise.arena.process import EngineProcess, ReadTimeout
from plywise.arena.setup import Setup
from plywise.arena.time_control import TimeControl
from plywise.core.errors import UnknownName
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.registry import load
from plywise.play.clock import Clock

START_TIMEOUT = 20.0  # seconds in which an engine must have answered the first question
STOP_GRACE = 2.0  # seconds in which it must move after it was told that its time is over


class UnknownOption(UnknownName):
    """An option that the engine does not have: a mistake of the user, not of the engine."""


class ExternalEngine:
    """An engine that is started when it is needed, and again after it has failed."""

    protocol = ""

    def __init__(self, game: Game, spec: PlayerSpec, setup: Setup) -> None:
        self.game, self.spec = game, spec
        self.control: TimeControl = spec.control(setup.control)
        self.margin, self.patience = setup.margin, setup.patience
        self.process: EngineProcess | None = None
        self.side = 0
        self.start: History = game.history()

    # --- for the protocols ------------------------------------------------------------------------------
    def handshake(self, process: EngineProcess) -> None:
        """Begin the conversation and set the options."""
        raise NotImplementedError

    def new_game(self, process: EngineProcess, start: History) -> None:
        """A new game from a position on."""
        raise NotImplementedError

    def start_search(
        self, process: EngineProcess, history: History, own: Clock | None, other: Clock | None
    ) -> None:
        """Tell the position and the clocks, and ask for a move."""
        raise NotImplementedError

    def handle_line(self, process: EngineProcess, line: str) -> Choice | None:
        """Take in a line; the move if it is one."""
        raise NotImplementedError

    def hurry(self, process: EngineProcess) -> None:
        """Ask for the move now."""
        raise NotImplementedError

    # --- as a player --------------------------------------------------------------------------------------
    def start_game(self, start: History, side: int, seed: int) -> None:
        """A new game."""
        self.side, self.start = side, start
        try:
            if self.process is None:
                self.process = EngineProcess(self.spec.command, self.spec.option("folder"))
                self.handshake(self.process)
            self.new_game(self.process, start)
        except Fault:
            self.close()
            raise

    def choose(self, history: History, clock: Clock | None, other: Clock | None) -> Choice:
        """The engine's move, if it answers in time."""
        process = self.process
        assert process is not None
        try:
            limit = self._limit(clock)
            self.start_search(process, history, clock, other)
            try:
                return self.wait_for_move(process, limit)
            except ReadTimeout:
                self.hurry(process)
            try:
                self.listen(process, STOP_GRACE)
            except ReadTimeout:
                raise process.fault(f"gives no move for {limit + STOP_GRACE:.1f} s (it hangs)") from None
            raise Fault(FaultKind.TIME, f"{process.name} moved only when its {limit:.2f} s were over")
        except Fault as fault:
            if fault.kind is FaultKind.CRASH:
                self.close()
            raise

    def _limit(self, clock: Clock | None) -> float:
        """How long to wait before the engine is told that it is too late."""
        if clock is not None:
            return clock.left + self.margin
        return self.patience if self.control.time is None else self.control.time + self.margin

    def wait_for_move(self, process: EngineProcess, seconds: float) -> Choice:
        """The move, or ReadTimeout if it does not come in time."""
        return self.listen(process, seconds)

    def listen(self, process: EngineProcess, seconds: float) -> Choice:
        """Hear the engine out until it moves."""
        until = time.monotonic() + seconds
        while True:
            choice = self.handle_line(process, process.read_line(until - time.monotonic()))
            if choice is not None:
                return choice

    def expect(
        self, process: EngineProcess, wanted: Callable[[str], bool], seconds: float, what: str
    ) -> None:
        """Read on until a line is the one that is waited for."""
        until = time.monotonic() + seconds
        try:
            while not wanted(process.read_line(until - time.monotonic())):
                pass
        except ReadTimeout:
            raise process.fault(f"does not say {what} within {seconds:g} s ({self.protocol})") from None

    def end_game(self, outcome: str) -> None:
        """The game is over."""

    def close(self) -> None:
        """End the engine with its children."""
        if self.process is not None:
            self.process.stop()
            self.process = None


def make_engine(game: Game, spec: PlayerSpec, setup: Setup) -> ExternalEngine:
    """The engine that a player is."""
    from plywise.arena.uci_client import UciClient
    from plywise.arena.xboard_client import XBoardClient

    return (UciClient if spec.kind == "uci" else XBoardClient)(game, spec, setup)


def check(spec: PlayerSpec, setup: Setup) -> None:
    """Refuse limits that the protocol cannot tell."""
    control = spec.control(setup.control)
    if spec.kind == "xboard" and not control.is_timed and control.depth is None:
        raise BadPlayer(f"player {spec.text!r}: XBoard has no limit by nodes; give depth, time or control")


def try_engine(game: str, spec: PlayerSpec, setup: Setup) -> str | None:
    """Start an engine and set its options; why it fails, or None. What the user mistook is refused."""
    one = make_engine(load(game), spec, setup)
    try:
        one.start_game(one.start, 0, 0)
    except Fault as fault:
        return fault.reason
    except UnknownOption as error:
        raise BadPlayer(f"player {spec.text!r}: {error}") from None
    finally:
        one.close()
    return None


def game_path(history: History) -> tuple[History, list[History]]:
    """The position in which the whole game began, and the histories after each of its moves."""
    after: list[History] = []
    node = history
    while node.before is not None:
        after.append(node)
        node = node.before
    return node, after[::-1]


def is_standard_start(game: Game, root: History) -> bool:
    """Whether the game began where it always begins."""
    return bool(root.position == game.start())
