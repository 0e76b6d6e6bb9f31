"""External engines in a match: what UCI and XBoard have in common."""

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

START_TIMEOUT = 20.0  # seconds for an engine to answer the first command
STOP_GRACE = 2.0  # seconds to move after the command to move now


class UnknownOption(UnknownName):
    """An option that the engine does not have: an error of the user, not of the engine."""


class ExternalEngine:
    """An engine in another process, started when needed and again after a failure."""

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
        """Start the protocol and set the options."""
        raise NotImplementedError

    def new_game(self, process: EngineProcess, start: History) -> None:
        """Start a new game from this position."""
        raise NotImplementedError

    def start_search(
        self, process: EngineProcess, history: History, own: Clock | None, other: Clock | None
    ) -> None:
        """Send the position and the clocks, and ask for a move."""
        raise NotImplementedError

    def handle_line(self, process: EngineProcess, line: str) -> Choice | None:
        """Handle a line of output; return the choice if it has a move."""
        raise NotImplementedError

    def hurry(self, process: EngineProcess) -> None:
        """Ask for the move now."""
        raise NotImplementedError

    # --- as a player --------------------------------------------------------------------------------------
    def start_game(self, start: History, side: int, seed: int) -> None:
        """Start a new game; start the engine if it does not run."""
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
        """The engine's move; raise a Fault if it comes too late or never."""
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
        """The seconds to wait for a move."""
        if clock is not None:
            return clock.left + self.margin
        return self.patience if self.control.time is None else self.control.time + self.margin

    def wait_for_move(self, process: EngineProcess, seconds: float) -> Choice:
        """Wait for the move; raise ReadTimeout if it does not come in time."""
        return self.listen(process, seconds)

    def listen(self, process: EngineProcess, seconds: float) -> Choice:
        """Read lines until one has a move."""
        until = time.monotonic() + seconds
        while True:
            choice = self.handle_line(process, process.read_line(until - time.monotonic()))
            if choice is not None:
                return choice

    def expect(
        self, process: EngineProcess, wanted: Callable[[str], bool], seconds: float, what: str
    ) -> None:
        """Read lines until one is wanted; a Fault that names `what` if none comes in time."""
        until = time.monotonic() + seconds
        try:
            while not wanted(process.read_line(until - time.monotonic())):
                pass
        except ReadTimeout:
            raise process.fault(f"does not say {what} within {seconds:g} s ({self.protocol})") from None

    def end_game(self, outcome: str) -> None:
        """Send the result, if the protocol does so."""

    def close(self) -> None:
        """End the engine, with its children."""
        if self.process is not None:
            self.process.stop()
            self.process = None


def make_engine(game: Game, spec: PlayerSpec, setup: Setup) -> ExternalEngine:
    """Make the client for a player spec."""
    from plywise.arena.uci_client import UciClient
    from plywise.arena.xboard_client import XBoardClient

    return (UciClient if spec.kind == "uci" else XBoardClient)(game, spec, setup)


def check(spec: PlayerSpec, setup: Setup) -> None:
    """Raise BadPlayer for limits that the protocol cannot express."""
    control = spec.control(setup.control)
    if spec.kind == "uci" and control.cpu is not None:
        raise BadPlayer(
            f"player {spec.text!r}: UCI has no limit by processor time; give depth, nodes, time or control"
        )
    if spec.kind == "xboard" and not control.is_timed and control.cpu is None and control.depth is None:
        raise BadPlayer(f"player {spec.text!r}: XBoard has no limit by nodes; give depth, time or control")


def try_engine(game: str, spec: PlayerSpec, setup: Setup) -> str | None:
    """Start an engine and set its options; return why that fails, or None. A wrong option is an error."""
    engine = make_engine(load(game), spec, setup)
    try:
        engine.start_game(engine.start, 0, 0)
    except Fault as fault:
        return fault.reason
    except UnknownOption as error:
        raise BadPlayer(f"player {spec.text!r}: {error}") from None
    finally:
        engine.close()
    return None


def game_path(history: History) -> tuple[History, list[History]]:
    """The start of the game, and the history after each of its moves."""
    after: list[History] = []
    node = history
    while node.before is not None:
        after.append(node)
        node = node.before
    return node, after[::-1]


def is_standard_start(game: Game, root: History) -> bool:
    """Whether the game began in its standard position."""
    return bool(root.position == game.start())
