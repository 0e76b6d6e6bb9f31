"""The client's side of XBoard (CECP 2), and of engines that know only its first version."""

import math
import re
import time

from plywise.arena.faults import Fault, Kind
from plywise.arena.outside import START, Outside, UnknownOption, is_usual, path
from plywise.arena.own import CERTAIN, Choice
from plywise.arena.program import Program, Silent
from plywise.core.history import History
from plywise.play.clock import Clock

OLD = 2.0  # seconds after which an engine that names no features has none
CLAIM = 2.0  # seconds in which an engine that claims a result must move all the same
MATE = 100_000  # scores from here on count the moves to mate
WANTED = ("setboard", "usermove", "ping", "time", "reuse", "myname", "colors", "done", "option", "sigint")
_FEATURE = re.compile(r'(?<!\w)(\w++)=("[^"]*+"|\S++)')
_KIND = re.compile(r"\s-")
_MOVE = re.compile(r"(?:move|my move is(?:\s*+:)?)\s++(\S++)", re.IGNORECASE)
_RESULT = re.compile(r"(1-0|0-1|1/2-1/2)\b")
_THOUGHT = re.compile(r"(\d{1,6})[.+&]?\s++(-?\d{1,9})\s++(\d++)\s++(\d{1,18})(?:\s++(\S++))?", re.ASCII)


class XBoard(Outside):
    """An engine that speaks XBoard's protocol."""

    protocol = "XBoard"

    def greet(self, program: Program) -> None:
        self.features: dict[str, str] = {}
        self.options: dict[str, str] = {}
        self.pings = 0
        program.send("xboard", "protover 2")
        self.listen_for_features(program)
        for name, value in self.spec.own_options:
            if name.lower() not in self.options:
                raise UnknownOption(f"option of {program.name}", name, self.options.values())
            program.send(f"option {self.options[name.lower()]}={value}")

    def listen_for_features(self, program: Program) -> None:
        """Until it says that it is done; an engine of the first version says nothing at all."""
        until = time.monotonic() + OLD
        while self.features.get("done") != "1":
            try:
                line = program.line(until - time.monotonic())
            except Silent:
                if self.features.get("done") == "0":
                    raise program.fault(f"asked to wait and is not done after {START:g} s (XBoard)") from None
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
                # Moves are in coordinates whatever it would like better.
                program.send(f"{'accepted' if name in WANTED else 'rejected'} {name}")
                if name == "done" and value == "0":
                    until = time.monotonic() + START

    def new_game(self, program: Program, start: History) -> None:
        self.forced, self.seen, self.claim = True, 0, ""
        root, _ = path(start)
        program.send("new", "force", "easy", "post", *self.limits())
        if not is_usual(self.game, root):
            if self.features.get("setboard") != "1":
                raise program.fault("cannot set up positions (it has no feature setboard=1)")
            program.send(f"setboard {root.text}")
        if self.features.get("ping") == "1":
            self.pings += 1
            program.send(f"ping {self.pings}")
            wanted = f"pong {self.pings}"
            self.expect(program, lambda line: line == wanted, max(START, self.patience), wanted)

    def limits(self) -> list[str]:
        """The commands that set the time control."""
        control, lines = self.control, []
        if control.base is not None:
            minutes, seconds = divmod(max(1, round(control.base)), 60)
            base = f"{minutes}:{seconds:02}" if seconds else f"{minutes}"
            lines.append(f"level {control.moves or 0} {base} {control.increment:g}")
        if control.time is not None:
            # Whole seconds is all there is: a shorter time is asked for with `?`.
            lines.append(f"st {max(1, math.ceil(control.time))}")
        if control.depth is not None:
            lines.append(f"sd {control.depth}")
        return lines

    def think(self, program: Program, history: History, own: Clock | None, other: Clock | None) -> None:
        _, after = path(history)
        self.told: tuple[int | None, int, int] = (None, 0, 0)
        self.sent = ""
        clocks = []
        if own is not None and self.features.get("time", "1") == "1":
            clocks = [f"time {round(own.left * 100)}", f"otim {round((other or own).left * 100)}"]
        fresh = [self.written(node) for node in after[self.seen :]]
        self.sent = fresh[-1].split()[-1] if fresh else ""
        if self.forced:
            program.send(*fresh, *clocks, "go")
        else:
            program.send(*clocks, *fresh)
        self.forced, self.seen = False, len(after) + 1  # its answer is known to it

    def written(self, node: History) -> str:
        """A move as it is sent."""
        assert node.before is not None and node.move is not None
        text = self.game.move_text(node.before.position, node.move)
        return f"usermove {text}" if self.features.get("usermove") == "1" else text

    def heard(self, program: Program, line: str) -> Choice | None:
        moved = _MOVE.fullmatch(line)
        if moved is not None:
            score, depth, nodes = self.told
            return Choice(moved[1], score, depth, nodes)
        if line == "resign":
            raise Fault(Kind.RESIGNED, f"{program.name} resigns")
        if _RESULT.match(line):
            self.claimed(program, line)
        elif line.startswith("Illegal move"):
            raise program.fault(f"refuses the legal move {self.sent}: {line}")
        thought = _THOUGHT.match(line)
        # A move marked ! or ? has only a bound yet.
        if thought is not None and not (thought[5] or "").endswith(("!", "?")):
            score = int(thought[2])
            if abs(score) >= MATE:
                score = CERTAIN if score > 0 else -CERTAIN
            self.told = score, int(thought[1]), int(thought[4])
        return None

    def claimed(self, program: Program, line: str) -> None:
        """The engine says that the game is over, which the rules deny: it may resign by that."""
        self.claim = line
        if line.startswith(("0-1", "1-0")[self.side]):
            raise Fault(Kind.RESIGNED, f"{program.name} resigns: {line}")

    def listen(self, program: Program, seconds: float) -> Choice:
        """As ever, but an engine that has claimed a result is not waited for long."""
        until = time.monotonic() + seconds
        while True:
            try:
                choice = self.heard(program, program.line(until - time.monotonic()))
            except Silent:
                if self.claim:
                    raise program.fault(
                        f"claims {self.claim!r}, which is not so, and does not move"
                    ) from None
                raise
            if choice is not None:
                self.claim = ""
                return choice
            if self.claim:
                until = min(until, time.monotonic() + CLAIM)

    def in_time(self, program: Program, seconds: float) -> Choice:
        """The protocol counts whole seconds: when a part of one is over, the engine is told so."""
        time_for = self.control.time
        if time_for is None or time_for == math.ceil(time_for):
            return self.listen(program, seconds)
        try:
            return self.listen(program, time_for)
        except Silent:
            self.hurry(program)
        return self.listen(program, seconds - time_for)

    def hurry(self, program: Program) -> None:
        program.send("?")

    def finish(self, outcome: str) -> None:
        if self.program is None:
            return
        if self.features.get("reuse") == "0":
            self.close()
        else:
            self.program.send("force", f"result {outcome} {{over}}")
