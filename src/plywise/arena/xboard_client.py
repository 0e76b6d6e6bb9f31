"""The client side of XBoard (CECP, versions 1 and 2): the engine is another program."""

import math
import re
import time

from plywise.arena.builtin import DECISIVE, Choice
from plywise.arena.external import START_TIMEOUT, ExternalEngine, UnknownOption, game_path, is_standard_start
from plywise.arena.faults import Fault, FaultKind
from plywise.arena.process import EngineProcess, ReadTimeout
from plywise.core.history import History
from plywise.play.clock import Clock

FEATURE_TIMEOUT = 2.0  # seconds to wait for features: engines of version 1 send none
CLAIM_GRACE = 2.0  # seconds to move for an engine that has wrongly claimed a result
MATE = 100_000  # scores from here on mean a mate
ACCEPTED_FEATURES = (
    "setboard",
    "usermove",
    "ping",
    "time",
    "reuse",
    "myname",
    "colors",
    "done",
    "option",
    "sigint",
    "nps",
)
_FEATURE = re.compile(r'(?<!\w)(\w++)=("[^"]*+"|\S++)')
_KIND = re.compile(r"\s-")
_MOVE = re.compile(r"(?:move|my move is(?:\s*+:)?)\s++(\S++)", re.IGNORECASE)
_RESULT = re.compile(r"(1-0|0-1|1/2-1/2)\b")
_INFO = re.compile(r"(\d{1,6})[.+&]?\s++(-?\d{1,9})\s++(\d++)\s++(\d{1,18})(?:\s++(\S++))?", re.ASCII)


class XBoardClient(ExternalEngine):
    """An engine that speaks XBoard's protocol."""

    protocol = "XBoard"

    def handshake(self, process: EngineProcess) -> None:
        self.features: dict[str, str] = {}
        self.options: dict[str, str] = {}
        self.pings = 0
        process.send("xboard", "protover 2")
        self.listen_for_features(process)
        for name, value in self.spec.own_options:
            if name.lower() not in self.options:
                raise UnknownOption(f"option of {process.name}", name, self.options.values())
            process.send(f"option {self.options[name.lower()]}={value}")

    def listen_for_features(self, process: EngineProcess) -> None:
        """Read features until `done=1`; an engine of version 1 sends none."""
        until = time.monotonic() + FEATURE_TIMEOUT
        while self.features.get("done") != "1":
            try:
                line = process.read_line(until - time.monotonic())
            except ReadTimeout:
                if self.features.get("done") == "0":
                    raise process.fault(
                        f"asked to wait and is not done after {START_TIMEOUT:g} s (XBoard)"
                    ) from None
                return
            if not line.startswith("feature"):
                continue
            for name, value in _FEATURE.findall(line):
                value = value.strip('"')
                if name == "option":
                    label = _KIND.split(value, 1)[0].rstrip()
                    self.options[label.lower()] = label
                else:
                    self.features[name] = value
                # Unknown features are rejected; so is SAN: we send moves in coordinates.
                process.send(f"{'accepted' if name in ACCEPTED_FEATURES else 'rejected'} {name}")
                if name == "done" and value == "0":
                    until = time.monotonic() + START_TIMEOUT

    def new_game(self, process: EngineProcess, start: History) -> None:
        self.forced, self.moves_sent, self.claim = True, 0, ""
        root, _ = game_path(start)
        if self.control.cpu is not None and self.features.get("nps") != "1":
            raise process.fault("cannot count processor time (it has no feature nps=1)")
        process.send("new", "force", "easy", "post", *self.limits())
        if not is_standard_start(self.game, root):
            if self.features.get("setboard") != "1":
                raise process.fault("cannot set up positions (it has no feature setboard=1)")
            process.send(f"setboard {root.text}")
        if self.features.get("ping") == "1":
            self.pings += 1
            process.send(f"ping {self.pings}")
            wanted = f"pong {self.pings}"
            self.expect(process, lambda line: line == wanted, max(START_TIMEOUT, self.patience), wanted)

    def limits(self) -> list[str]:
        """The commands that set the time control."""
        control, lines = self.control, []
        if control.base is not None:
            minutes, seconds = divmod(max(1, round(control.base)), 60)
            base = f"{minutes}:{seconds:02}" if seconds else f"{minutes}"
            lines.append(f"level {control.moves or 0} {base} {control.increment:g}")
        if control.time is not None:
            # `st` has whole seconds only; after a shorter time we send `?`.
            lines.append(f"st {max(1, math.ceil(control.time))}")
        if control.cpu is not None:
            lines += ["nps 0", f"st {control.cpu:g}"]  # at 0 nodes a second, seconds are of the processor
        if control.depth is not None:
            lines.append(f"sd {control.depth}")
        return lines

    def start_search(
        self, process: EngineProcess, history: History, own: Clock | None, other: Clock | None
    ) -> None:
        _, after = game_path(history)
        self.last_info: tuple[int | None, int, int] = (None, 0, 0)
        self.last_sent = ""
        clocks = []
        if own is not None and self.features.get("time", "1") == "1":
            clocks = [f"time {round(own.left * 100)}", f"otim {round((other or own).left * 100)}"]
        new_moves = [self.move_command(node) for node in after[self.moves_sent :]]
        self.last_sent = new_moves[-1].split()[-1] if new_moves else ""
        if self.forced:
            process.send(*new_moves, *clocks, "go")
        else:
            process.send(*clocks, *new_moves)
        self.forced, self.moves_sent = False, len(after) + 1  # the engine knows its own move

    def move_command(self, node: History) -> str:
        """The command that sends a move."""
        assert node.before is not None and node.move is not None
        text = self.game.move_text(node.before.position, node.move)
        return f"usermove {text}" if self.features.get("usermove") == "1" else text

    def handle_line(self, process: EngineProcess, line: str) -> Choice | None:
        moved = _MOVE.fullmatch(line)
        if moved is not None:
            score, depth, nodes = self.last_info
            return Choice(moved[1], score, depth, nodes)
        if line == "resign":
            raise Fault(FaultKind.RESIGNED, f"{process.name} resigns")
        if _RESULT.match(line):
            self.handle_claim(process, line)
        elif line.startswith("Illegal move"):
            raise process.fault(f"refuses the legal move {self.last_sent}: {line}")
        info = _INFO.match(line)
        # A move marked ! or ? has only a bound so far.
        if info is not None and not (info[5] or "").endswith(("!", "?")):
            score = int(info[2])
            if abs(score) >= MATE:
                score = DECISIVE if score > 0 else -DECISIVE
            self.last_info = score, int(info[1]), int(info[4])
        return None

    def handle_claim(self, process: EngineProcess, line: str) -> None:
        """Handle a result that the rules do not confirm: a claimed loss is a resignation."""
        self.claim = line
        if line.startswith(("0-1", "1-0")[self.side]):
            raise Fault(FaultKind.RESIGNED, f"{process.name} resigns: {line}")

    def listen(self, process: EngineProcess, seconds: float) -> Choice:
        """Read lines until one has a move; after a claimed result, wait only a short time."""
        until = time.monotonic() + seconds
        while True:
            try:
                choice = self.handle_line(process, process.read_line(until - time.monotonic()))
            except ReadTimeout:
                if self.claim:
                    raise process.fault(
                        f"claims {self.claim!r}, which is not so, and does not move"
                    ) from None
                raise
            if choice is not None:
                self.claim = ""
                return choice
            if self.claim:
                until = min(until, time.monotonic() + CLAIM_GRACE)

    def wait_for_move(self, process: EngineProcess, seconds: float) -> Choice:
        """Wait for the move. The protocol has whole seconds: after a fraction we ask for the move now."""
        seconds_a_move = self.control.time
        if seconds_a_move is None or seconds_a_move == math.ceil(seconds_a_move):
            return self.listen(process, seconds)
        try:
            return self.listen(process, seconds_a_move)
        except ReadTimeout:
            self.hurry(process)
        return self.listen(process, seconds - seconds_a_move)

    def hurry(self, process: EngineProcess) -> None:
        process.send("?")

    def end_game(self, outcome: str) -> None:
        if self.process is None:
            return
        if self.features.get("reuse") == "0":
            self.close()
        else:
            self.process.send("force", f"result {outcome} {{over}}")
