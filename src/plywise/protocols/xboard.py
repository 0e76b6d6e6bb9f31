"""CECP version 2, which XBoard and WinBoard speak: a translator between its lines and a session."""

from collections.abc import Callable

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.play.session import Session
from plywise.play.thought import Request, Thought
from plywise.protocols.cecp import greeting, result, thinking
from plywise.protocols.dialect import picture
from plywise.protocols.manners import Manners
from plywise.protocols.options import Option, Options
from plywise.protocols.timing import Timing
from plywise.protocols.wire import Wire
from plywise.search.result import Progress

IGNORED = ("xboard", "accepted", "random", "computer", "name", "rating", "ics")


class XBoard:
    """The engine's side of CECP. It plays `side`; None in force mode and in analysis."""

    def __init__(self, game: Game, wire: Wire, *, seed: int | None = None) -> None:
        self.game, self.wire = game, wire
        self.session = Session(game, wire.tell, seed=seed)
        self.options = Options(self.session, game)
        self.variants = game.variants
        self.timing = Timing()
        self.manners = Manners()
        self.post = self.analysing = self.paused = False
        self.rejected: set[str] = set()  # features that the other side refuses
        self.excluded: set[int] = set()  # moves not to think about in this position
        self.variant = "normal"
        self.history = game.history()
        self.side: int | None = 1
        self.over = False
        self.pondered: int | None = None  # the move that we expect and think about
        self.expected: int | None = None  # the reply to our last move that we expect
        self.pings: list[str] = []
        self.going = True
        self.commands: dict[str, Callable[[str, float], None]] = {
            "protover": self.protover,
            "new": self.new,
            "variant": self.set_variant,
            "quit": self.quit,
            "force": self.force,
            "go": self.go,
            "playother": self.play_other,
            "level": lambda text, now: self.timing.level(text),
            "st": lambda text, now: self.timing.set_seconds(text),
            "sd": lambda text, now: self.timing.set_depth(text),
            "nps": lambda text, now: self.timing.set_nps(text),
            "time": lambda text, now: self.timing.set_left(text),
            "otim": lambda text, now: self.timing.set_other(text),
            "usermove": self.user_move,
            "?": self.move_now,
            "ping": self.ping,
            "draw": self.draw,
            "result": self.result,
            "setboard": self.set_board,
            "undo": lambda text, now: self.take_back(1, now),
            "remove": lambda text, now: self.take_back(2, now),
            "pause": self.pause,
            "resume": self.resume,
            "exclude": lambda text, now: self.exclude(text, True, now),
            "include": lambda text, now: self.exclude(text, False, now),
            "rejected": lambda text, now: self.rejected.add(text),
            "hard": lambda text, now: self.set_hard(True),
            "easy": lambda text, now: self.set_hard(False),
            "post": lambda text, now: self.set_post(True),
            "nopost": lambda text, now: self.set_post(False),
            "analyze": self.analyse,
            "exit": self.exit,
            ".": self.status,
            "hint": self.hint,
            "bk": self.book,
            "memory": lambda text, now: self.options.set("Hash", text),
            "cores": lambda text, now: self.options.set("Threads", text),
            "option": self.set_option,
            "d": lambda text, now: self.remark(*picture(self.history)),
            **dict.fromkeys(IGNORED, self.nothing),
        }

    # --- the loop ---------------------------------------------------------------------------------
    def run(self) -> None:
        """Answer until `quit`, or until the other side goes away."""
        self.wire.converse(self)
        self.session.stop()

    def line(self, line: str, now: float) -> None:
        word, _, rest = line.partition(" ")
        try:
            if word in self.commands:
                self.commands[word](rest.strip(), now)
            elif word and not self.looks_like_a_move(line, now):
                self.say(f"Error (unknown command): {line[:200]}")
        except PlywiseError as error:
            self.say(f"Error ({error}): {line[:200]}")

    def looks_like_a_move(self, line: str, now: float) -> bool:
        """Clients that refuse `usermove=1` send bare moves."""
        if " " in line or not any(sign.isdigit() for sign in line):
            return False
        self.user_move(line, now)
        return True

    def say(self, *lines: str) -> None:
        self.wire.say(*lines)

    def remark(self, *lines: str) -> None:
        """Say what only people read, if such lines are taken (feature debug)."""
        if "debug" not in self.rejected:
            self.say(*(f"# {line}" for line in lines))

    def nothing(self, text: str, now: float) -> None:
        pass

    # --- the greeting -------------------------------------------------------------------------------
    def protover(self, text: str, now: float) -> None:
        self.say(*greeting(self.options, self.variants, self.manners.resigns))
        self.session.prepare()

    def set_option(self, text: str, now: float) -> None:
        name, _, value = text.partition("=")
        if name.strip().lower() == "resign":
            self.manners.resigns = Option("Resign", "check").read(value)
        else:
            self.options.set(name, value)

    def ping(self, text: str, now: float) -> None:
        if self.deciding and not self.paused:
            self.pings.append(text)  # it is answered after the move
            return
        if not self.session.thinking:
            self.session.ready()
        self.say(f"pong {text}")

    # --- games --------------------------------------------------------------------------------------
    def new(self, text: str, now: float) -> None:
        self.halt()
        self.session.forget()
        self.variant, self.analysing = "normal", False
        self.begin(self.game.history())
        self.side = 1
        self.timing.new_game()

    def begin(self, history: History) -> None:
        self.history, self.over = history, False
        self.excluded.clear()
        self.pondered = self.expected = None
        self.manners.new_game()

    def set_variant(self, text: str, now: float) -> None:
        if text not in self.variants:
            raise PlywiseError(f"variant {text[:40]!r} is not one of {', '.join(self.variants)}")
        self.variant = text

    def set_board(self, text: str, now: float) -> None:
        try:
            history = self.game.history(text.partition(" moves ")[0])
        except PlywiseError as error:
            self.say(f"tellusererror Illegal position: {error}")
            return
        self.halt()
        self.begin(history)
        self.look_again(now)

    def take_back(self, plies: int, now: float) -> None:
        history = self.history
        for _ in range(plies):
            if history.before is None:
                raise PlywiseError("there is no move to take back")
            history = history.before
        self.halt()
        self.history, self.over, self.expected = history, False, None
        self.excluded.clear()
        self.look_again(now)

    def look_again(self, now: float) -> None:
        """In analysis, think about the position as it is now."""
        wanted = self.wanted()
        if self.analysing and self.history.moves and wanted is not None:
            self.session.think(Request(self.history, moves=wanted, infinite=True), now)

    def wanted(self) -> tuple[str, ...] | None:
        """The moves to think about: none named means all; None if every one is excluded."""
        if not self.excluded:
            return ()
        position = self.history.position
        left = [move for move in self.game.moves(position) if move not in self.excluded]
        return tuple(self.game.move_text(position, move) for move in left) or None

    def quit(self, text: str, now: float) -> None:
        self.going = False

    def end(self) -> None:
        """Nobody speaks any more: a move that was asked for is made first."""
        while self.deciding and not self.paused:
            kind, *what = self.wire.events.get()
            if kind == "thought":
                self.thought(*what)
        self.going = False

    def force(self, text: str, now: float) -> None:
        self.halt()
        self.side = None

    def result(self, text: str, now: float) -> None:
        self.halt()
        self.over = True

    def go(self, text: str, now: float) -> None:
        self.halt()
        self.analysing = False
        self.side = self.history.turn
        self.decide(now)

    def play_other(self, text: str, now: float) -> None:
        self.halt()
        self.analysing = False
        self.side = 1 - self.history.turn

    # --- moves ----------------------------------------------------------------------------------------
    @property
    def deciding(self) -> bool:
        """Whether we think about a move of our own, if only after a pause."""
        thinking = self.session.thinking or self.session.paused
        return thinking and self.pondered is None and not self.analysing

    def user_move(self, text: str, now: float) -> None:
        if self.deciding:
            self.say(f"Illegal move (it is not your turn): {text[:60]}")
            return
        try:
            number = self.game.read_move(self.history.position, text)
            after = self.history.play(number)
        except PlywiseError as error:
            self.say(f"Illegal move ({getattr(error, 'reason', error)}): {text[:60]}")
            return
        hit = self.session.thinking and self.pondered == number and self.side == after.turn
        self.history = after
        self.excluded.clear()
        if self.finished():
            self.halt()
        elif hit:
            self.pondered = None
            self.session.hit(self.timing.clock(after), now)
        else:
            self.halt()
            if self.analysing:
                self.look_again(now)
            elif self.side == after.turn:
                self.decide(now)

    def decide(self, now: float) -> None:
        """Think about our move, if there is one to make."""
        if self.finished():
            return
        self.timing.start(now)
        # We must move, even if every move is excluded.
        self.session.think(self.timing.request(self.history, self.wanted() or ()), now)

    def finished(self) -> bool:
        """Tell the result if the game is over. Draws that must be claimed are no end by themselves."""
        outcome = self.history.outcome
        if outcome is None or self.over:
            return outcome is not None
        if self.analysing or self.history.claimable:
            return not self.history.moves
        self.conclude(outcome)
        return True

    def conclude(self, outcome: Outcome) -> None:
        self.over = True
        self.say(result(outcome))

    def claimed(self) -> bool:
        """Claim the draw that the position offers, if we want it."""
        outcome = self.history.outcome
        if outcome is None or not self.manners.claims(self.history):
            return False
        self.conclude(outcome)
        return True

    def move_now(self, text: str, now: float) -> None:
        if self.deciding:
            self.session.stop()

    def halt(self) -> None:
        """End any thinking; what it found is not wanted any more."""
        self.session.drop()
        self.paused, self.pondered = False, None
        self.pong()

    def pong(self) -> None:
        self.say(*(f"pong {text}" for text in self.pings))
        self.pings.clear()

    # --- manners ----------------------------------------------------------------------------------------
    def draw(self, text: str, now: float) -> None:
        """Accept if it is our wish too; while we think, the search decides."""
        if self.over or self.side is None:
            return
        if self.deciding:
            self.manners.offered = True
        elif self.manners.accepts(self.history):
            self.say("offer draw")

    # --- thinking aloud -----------------------------------------------------------------------------------
    def set_hard(self, wanted: bool) -> None:
        self.options.set("Ponder", str(wanted))
        if not wanted and self.pondered is not None:
            self.halt()

    def set_post(self, wanted: bool) -> None:
        self.post = wanted

    def pause(self, text: str, now: float) -> None:
        """Think and count no time until `resume`."""
        self.session.pause(now)
        self.paused = True

    def resume(self, text: str, now: float) -> None:
        if not self.paused:
            raise PlywiseError("nothing is paused")
        self.paused = False
        self.timing.wait(self.session.resume(now))

    def exclude(self, text: str, out: bool, now: float) -> None:
        """Leave moves out of this position's search, or take them in again; it goes on with the rest."""
        if text == "all":
            moves = set(self.game.moves(self.history.position))
        else:
            if not text:
                raise PlywiseError("it wants a move behind it, or all")
            try:
                moves = {self.game.read_move(self.history.position, text)}
            except PlywiseError as error:
                raise PlywiseError(str(getattr(error, "reason", error))) from None
        before = set(self.excluded)
        self.excluded = before | moves if out else before - moves
        if self.excluded == before or self.paused:
            return
        if self.analysing:
            self.session.drop()
            self.look_again(now)
        elif self.deciding and self.wanted() is not None:
            began = self.timing.started
            self.session.drop()
            self.session.think(self.timing.request(self.history, self.wanted() or ()), began)

    def analyse(self, text: str, now: float) -> None:
        self.halt()
        self.side, self.analysing = None, True
        self.look_again(now)

    def exit(self, text: str, now: float) -> None:
        if self.analysing:
            self.halt()
            self.analysing = False

    def status(self, text: str, now: float) -> None:
        thought = self.session.thought
        if not self.analysing or thought is None or thought.now is None:
            return
        report = thought.now
        total = len(thought.request.moves or self.history.moves)
        self.say(
            f"stat01: {round((now - thought.started) * 100)} {report.nodes} {report.depth}"
            f" {max(total - report.place, 0)} {total}"
            + (f" {report.current}" if report.current is not None else "")
        )

    def hint(self, text: str, now: float) -> None:
        move = self.pondered if self.pondered is not None else self.expected
        position = self.history.position
        if move is not None and move in self.game.moves(position):
            self.say(f"Hint: {self.game.styled(position, move, self.style)}")

    def book(self, text: str, now: float) -> None:
        found = self.session.settings.book
        entries = getattr(found, "entries", None)
        moves = entries(self.game, self.history.position) if entries is not None else []
        total = sum(weight for _, weight in moves) or 1
        for move, weight in moves:
            name = self.game.styled(self.history.position, move, self.style)
            self.say(f" {name} {round(100 * weight / total)}%")
        self.say("" if moves else " no book move", "")

    @property
    def style(self) -> str:
        return self.game.styles.get(self.variant, "")

    def thought(self, thought: Thought, report: Progress | None) -> None:
        if thought.done:
            return
        if report is None:
            thought.done = True
            if not self.analysing and self.pondered is None and self.side == self.history.turn:
                self.move(thought)
                self.pong()
        elif not (self.post or self.analysing):
            return
        elif report.miss is not None:
            self.say(
                thinking(thought, report, report.miss.line, self.style, "!" if report.miss.above else "?")
            )
        elif report.current is None:
            for line in report.lines[: self.session.settings.lines]:
                self.say(thinking(thought, report, line, self.style))

    def move(self, thought: Thought) -> None:
        """Make the move that was found, with what manners ask for."""
        if thought.note:
            self.remark(" ".join(thought.note.split()))
        line = thought.line
        if line is None:
            self.finished()
            return
        self.timing.moved(self.history, thought.used())
        unit = self.game.evaluation(thought.settings.evaluator).unit
        self.manners.note(line.score, unit, self.history)
        searched = thought.result is not None and thought.result.depth > 0
        if searched and self.claimed():
            return
        if self.manners.gives_up():
            self.over = True
            self.say("resign")
            return
        if self.manners.offered and self.manners.accepts(self.history):
            self.say("offer draw")
        self.manners.offered = False
        text = self.game.styled(self.history.position, line.numbers[0], self.style)
        self.history = self.history.play(line.numbers[0])
        self.excluded.clear()
        self.say(f"move {text}")
        self.expected = line.numbers[1] if len(line.numbers) > 1 else None
        if self.finished() or (searched and self.claimed()):
            return
        if self.side == self.history.turn:  # a turn may have several moves
            self.decide(self.timing.now())
            return
        if self.manners.offers(self.history):
            self.say("offer draw")
        if self.options["Ponder"] and self.expected is not None:
            self.ponder(self.expected)

    def ponder(self, move: int) -> None:
        """Think on while the other side does, about the move that we expect.

        Not where a clock counts nodes or the processor's seconds: it would count these, too.
        """
        after = self.history.play(move)
        if after.outcome is None and after.turn == self.side and self.timing.rate is None:
            self.pondered = move
            self.session.think(self.timing.request(after, ponder=True))
