"""CECP version 2, which XBoard and WinBoard speak: a translator between its lines and a player."""

import threading
from collections.abc import Callable

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.untrusted import check_plies
from plywise.play.background import BackgroundPlayer
from plywise.play.readiness import tell_in_steps
from plywise.play.request import SearchRequest, SearchTask
from plywise.protocols.channel import Channel
from plywise.protocols.deferred import DeferredCommands, ends_soon
from plywise.protocols.draw_policy import DrawPolicy
from plywise.protocols.options import Option, Options
from plywise.protocols.text import board_lines
from plywise.protocols.xboard_clock import XBoardClock
from plywise.protocols.xboard_format import feature_lines, result_line, thinking_line
from plywise.search.result import Progress

MAX_PINGS, MAX_PING = 1000, 100  # pings that wait for an answer, and the characters of one
IMMEDIATE = ("ping", "?", "quit")  # answered even while a search comes to its end
IGNORED = ("xboard", "accepted", "random", "computer", "name", "rating", "ics")


class SearchRuns(Exception):
    """A command ends a search that goes on for a while; nothing has changed yet, and it comes again later."""


class XBoard:
    """The engine's side of CECP. It plays `side`; None in force mode and in analysis."""

    def __init__(self, game: Game, channel: Channel, *, seed: int | None = None) -> None:
        self.game, self.channel = game, channel
        on_compile = tell_in_steps(game.title, self.send_comment)
        self.player = BackgroundPlayer(game, channel.post_report, seed=seed, on_compile=on_compile)
        self.options = Options(self.player, game)
        self.variants = game.variants
        self.clock = XBoardClock()
        self.draw_policy = DrawPolicy()
        self.post = self.analysing = self.paused = False
        self.sends_comments = True  # unless the other side refuses the feature debug
        self.excluded: set[int] = set()  # moves not to think about in this position
        self.variant = "normal"
        self.history = game.history()
        self.side: int | None = 1
        self.game_over = False
        self.ponder_move: int | None = None  # the move that we expect and think about
        self.expected_reply: int | None = None  # the reply to our last move that we expect
        self.pings: list[str] = []
        self.is_loading = False  # a ping waits for the engine
        self.is_ending = False  # a search that was ended goes on for a while
        self.deferred = DeferredCommands()  # they wait for its end
        self.running = True
        self.commands: dict[str, Callable[[str, float], None]] = {
            "protover": self.protover,
            "new": self.new,
            "variant": self.set_variant,
            "quit": self.quit,
            "force": self.force,
            "go": self.go,
            "playother": self.play_other,
            "level": lambda text, now: self.clock.level(text),
            "st": lambda text, now: self.clock.set_seconds(text),
            "sd": lambda text, now: self.clock.set_depth(text),
            "nps": lambda text, now: self.clock.set_nps(text),
            "time": lambda text, now: self.clock.set_left(text),
            "otim": lambda text, now: self.clock.set_other(text),
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
            "rejected": self.reject,
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
            "d": lambda text, now: self.send_comment(*board_lines(self.history)),
            **dict.fromkeys(IGNORED, self.ignore),
        }

    # --- the loop ---------------------------------------------------------------------------------
    def run(self) -> None:
        """Answer until `quit` or the end of the input."""
        self.channel.dispatch(self)
        self.player.stop()

    def handle_line(self, line: str, now: float) -> None:
        word = line.partition(" ")[0]
        is_early = word not in IMMEDIATE and (self.is_ending or bool(self.deferred))
        if is_early or not self.run_line(line, now):
            try:
                self.deferred.add(line.split(" ", 1), now)
            except PlywiseError as error:
                self.send(f"Error ({error}): {line[:200]}")

    def run_line(self, line: str, now: float) -> bool:
        """Run the command of one line; False if it has to wait for the end of a search."""
        word, _, rest = line.partition(" ")
        try:
            if word in self.commands:
                self.commands[word](rest.strip(), now)
            elif word and not self.try_bare_move(line, now):
                self.send(f"Error (unknown command): {line[:200]}")
        except PlywiseError as error:
            self.send(f"Error ({error}): {line[:200]}")
        except SearchRuns:
            self.is_ending = True
            self.pong()  # who waits for our move waits for nothing
            threading.Thread(target=self.wait_for_search, daemon=True).start()
            return False
        return True

    def wait_for_search(self) -> None:
        """Wait for the end of the search in another thread, while a ping is answered."""
        if self.player.task is not None:
            self.player.task.finished.wait()
        self.channel.call(self.run_deferred)

    def run_deferred(self) -> None:
        """Run the commands that have waited, up to one that ends the next slow search."""
        self.is_ending = False
        while self.deferred and self.running:
            command = self.deferred.first
            if not self.run_line(" ".join(command.words), command.now):
                return
            self.deferred.take()
            if command.stopped:
                self.move_now("", command.now)

    def try_bare_move(self, line: str, now: float) -> bool:
        """Read a bare move, as clients send it that refuse `usermove=1`."""
        if " " in line or not any(sign.isdigit() for sign in line):
            return False
        self.user_move(line, now)
        return True

    def send(self, *lines: str) -> None:
        self.channel.send(*lines)

    def send_comment(self, *lines: str) -> None:
        """Send a comment for people, if the client accepts such lines (feature debug)."""
        if self.sends_comments:
            self.send(*(f"# {line}" for line in lines))

    def reject(self, text: str, now: float) -> None:
        """Note a feature that the other side refuses."""
        if text == "debug":
            self.sends_comments = False

    def ignore(self, text: str, now: float) -> None:
        pass

    # --- the greeting -------------------------------------------------------------------------------
    def protover(self, text: str, now: float) -> None:
        self.send(*feature_lines(self.options, self.variants, self.draw_policy.resigns))
        self.player.prepare()

    def set_option(self, text: str, now: float) -> None:
        name, _, value = text.partition("=")
        if name.strip().lower() == "resign":
            self.draw_policy.resigns = Option("Resign", "check").parse(value)
        else:
            self.options.set(name, value)

    def ping(self, text: str, now: float) -> None:
        """Answer at once; after the move if we decide on one, when the engine is there if nothing runs."""
        if len(self.pings) >= MAX_PINGS or len(text) > MAX_PING:
            raise PlywiseError(f"{MAX_PINGS} pings may wait, and one has {MAX_PING} characters at most")
        self.pings.append(text)
        if self.is_deciding and not self.paused and not self.is_ending:
            return
        if self.is_ending or self.player.is_thinking or self.player.is_ready:
            self.pong()
        elif not self.is_loading:
            self.is_loading = True
            threading.Thread(target=self.wait_for_engine, daemon=True).start()

    def wait_for_engine(self) -> None:
        """Wait for the engine in another thread, while commands are answered."""
        self.player.wait_until_ready()
        self.channel.call(self.end_loading)

    def end_loading(self) -> None:
        self.is_loading = False
        if self.paused or not self.is_deciding:
            self.pong()

    # --- games --------------------------------------------------------------------------------------
    def new(self, text: str, now: float) -> None:
        self.cancel_search()
        self.player.clear()
        self.variant, self.analysing = "normal", False
        self.start_from(self.game.history())
        self.side = 1
        self.clock.new_game()

    def start_from(self, history: History) -> None:
        self.history, self.game_over = history, False
        self.excluded.clear()
        self.ponder_move = self.expected_reply = None
        self.draw_policy.new_game()

    def set_variant(self, text: str, now: float) -> None:
        if text not in self.variants:
            raise PlywiseError(f"variant {text[:40]!r} is not one of {', '.join(self.variants)}")
        self.variant = text

    def set_board(self, text: str, now: float) -> None:
        try:
            history = self.game.history(text.partition(" moves ")[0])
        except PlywiseError as error:
            self.send(f"tellusererror Illegal position: {error}")
            return
        self.cancel_search()
        self.start_from(history)
        self.restart_analysis(now)

    def take_back(self, plies: int, now: float) -> None:
        history = self.history
        for _ in range(plies):
            if history.before is None:
                raise PlywiseError("there is no move to take back")
            history = history.before
        self.cancel_search()
        self.history, self.game_over, self.expected_reply = history, False, None
        self.excluded.clear()
        self.restart_analysis(now)

    def restart_analysis(self, now: float) -> None:
        """In analysis, think about the position as it is now."""
        wanted = self.root_moves()
        if self.analysing and self.history.moves and wanted is not None:
            self.player.think(SearchRequest(self.history, moves=wanted, infinite=True), now)

    def root_moves(self) -> tuple[str, ...] | None:
        """The moves to think about: none named means all; None if every one is excluded."""
        if not self.excluded:
            return ()
        position = self.history.position
        left = [move for move in self.game.moves(position) if move not in self.excluded]
        return tuple(self.game.move_text(position, move) for move in left) or None

    def quit(self, text: str, now: float) -> None:
        self.running = False

    def handle_end(self) -> None:
        """At the end of the input make a move that was asked for, and answer a ping."""
        while self.is_loading or self.is_ending or (self.is_deciding and not self.paused):
            kind, *what = self.channel.events.get()
            if kind == "report":
                self.handle_report(*what)
            elif kind == "call":
                what[0]()
        self.running = False

    def force(self, text: str, now: float) -> None:
        self.cancel_search()
        self.side = None

    def result(self, text: str, now: float) -> None:
        self.cancel_search()
        self.game_over = True

    def go(self, text: str, now: float) -> None:
        self.check_length()
        self.cancel_search()
        self.analysing = False
        self.side = self.history.turn
        self.decide(now)

    def play_other(self, text: str, now: float) -> None:
        self.cancel_search()
        self.analysing = False
        self.side = 1 - self.history.turn

    # --- moves ----------------------------------------------------------------------------------------
    @property
    def is_deciding(self) -> bool:
        """Whether we think about our own move, or paused doing so."""
        thinking = self.player.is_thinking or self.player.is_paused
        return thinking and self.ponder_move is None and not self.analysing

    def user_move(self, text: str, now: float) -> None:
        if self.is_deciding:
            self.send(f"Illegal move (it is not your turn): {text[:60]}")
            return
        try:
            self.check_length()
            number = self.game.read_move(self.history.position, text)
            after = self.history.play(number)
        except PlywiseError as error:
            self.send(f"Illegal move ({getattr(error, 'reason', error)}): {text[:60]}")
            return
        hit = self.player.is_thinking and self.ponder_move == number and self.side == after.turn
        hit = hit and after.outcome is None
        if not hit:
            self.cancel_search()
        self.history = after
        self.excluded.clear()
        if self.check_finished():
            return
        if hit:
            self.ponder_move = None
            self.player.ponder_hit(self.clock.snapshot(after), now)
        elif self.analysing:
            self.restart_analysis(now)
        elif self.side == after.turn:
            self.decide(now)

    def check_length(self) -> None:
        """Refuse a move of a game that is longer than any: its past is looked at for repetitions."""
        try:
            check_plies(self.history.length + 1)
        except ValueError as error:
            raise PlywiseError(str(error)) from None

    def decide(self, now: float) -> None:
        """Think about our move, if there is one to make."""
        if self.check_finished():
            return
        self.clock.start(now)
        # We must move, even if every move is excluded.
        self.player.think(self.clock.request(self.history, self.root_moves() or ()), now)

    def check_finished(self) -> bool:
        """Send the result if the game is over. Draws that must be claimed are no end by themselves."""
        outcome = self.history.outcome
        if outcome is None or self.game_over:
            return outcome is not None
        if self.analysing or self.history.claimable:
            return not self.history.moves
        self.announce(outcome)
        return True

    def announce(self, outcome: Outcome) -> None:
        self.game_over = True
        self.send(result_line(outcome))

    def claim_draw(self) -> bool:
        """Claim the draw that the position offers, if we want it."""
        outcome = self.history.outcome
        if outcome is None or not self.draw_policy.claims_draw(self.history):
            return False
        self.announce(outcome)
        return True

    def move_now(self, text: str, now: float) -> None:
        """Stop the search for our move, or the one that a command which waits will begin."""
        self.deferred.stop()
        if self.is_deciding:
            self.player.stop()

    def end_search(self) -> None:
        """End any search; nobody wants its answer. SearchRuns if it goes on for a while."""
        task = self.player.task
        if task is not None and not task.finished.is_set():
            task.unwanted = True
        if not ends_soon(self.player):
            raise SearchRuns

    def cancel_search(self) -> None:
        """End any search, running or paused."""
        self.end_search()
        self.player.cancel()
        self.paused, self.ponder_move = False, None
        self.pong()

    def pong(self) -> None:
        self.send(*(f"pong {text}" for text in self.pings))
        self.pings.clear()

    # --- draws ----------------------------------------------------------------------------------------
    def draw(self, text: str, now: float) -> None:
        """Accept an offered draw if we want it; while we think, the search decides."""
        if self.game_over or self.side is None:
            return
        if self.is_deciding:
            self.draw_policy.draw_offered = True
        elif self.draw_policy.accepts_draw(self.history):
            self.send("offer draw")

    # --- analysis -----------------------------------------------------------------------------------
    def set_hard(self, wanted: bool) -> None:
        self.options.set("Ponder", str(wanted))
        if not wanted and self.ponder_move is not None:
            self.cancel_search()

    def set_post(self, wanted: bool) -> None:
        self.post = wanted

    def pause(self, text: str, now: float) -> None:
        """Stop thinking and the clock until `resume`."""
        self.end_search()
        self.player.pause(now)
        self.paused = True

    def resume(self, text: str, now: float) -> None:
        if not self.paused:
            raise PlywiseError("nothing is paused")
        self.paused = False
        self.clock.add_pause(self.player.resume(now))

    def exclude(self, text: str, out: bool, now: float) -> None:
        """Exclude moves from this position's search, or include them again; it goes on with the rest."""
        if text == "all":
            moves = set(self.game.moves(self.history.position))
        else:
            if not text:
                raise PlywiseError("it wants a move behind it, or all")
            try:
                moves = {self.game.read_move(self.history.position, text)}
            except PlywiseError as error:
                raise PlywiseError(str(getattr(error, "reason", error))) from None
        excluded = self.excluded | moves if out else self.excluded - moves
        is_deciding = self.is_deciding and not excluded.issuperset(self.game.moves(self.history.position))
        if excluded == self.excluded or self.paused or not (self.analysing or is_deciding):
            self.excluded = excluded
            return
        self.end_search()
        self.excluded = excluded
        self.player.cancel()
        if self.analysing:
            self.restart_analysis(now)
        else:
            self.player.think(self.clock.request(self.history, self.root_moves() or ()), self.clock.started)

    def analyse(self, text: str, now: float) -> None:
        self.cancel_search()
        self.side, self.analysing = None, True
        self.restart_analysis(now)

    def exit(self, text: str, now: float) -> None:
        if self.analysing:
            self.cancel_search()
            self.analysing = False

    def status(self, text: str, now: float) -> None:
        task = self.player.task
        if not self.analysing or task is None or task.latest_report is None:
            return
        report = task.latest_report
        total = len(task.request.moves or self.history.moves)
        self.send(
            f"stat01: {round((now - task.started) * 100)} {report.nodes} {report.depth}"
            f" {max(total - report.place, 0)} {total}"
            + (f" {report.current}" if report.current is not None else "")
        )

    def hint(self, text: str, now: float) -> None:
        move = self.ponder_move if self.ponder_move is not None else self.expected_reply
        position = self.history.position
        if move is not None and move in self.game.moves(position):
            self.send(f"Hint: {self.game.move_text_in_style(position, move, self.style)}")

    def book(self, text: str, now: float) -> None:
        found = self.player.settings.book
        entries = getattr(found, "entries", None)
        moves = entries(self.game, self.history.position) if entries is not None else []
        total = sum(weight for _, weight in moves) or 1
        for move, weight in moves:
            name = self.game.move_text_in_style(self.history.position, move, self.style)
            self.send(f" {name} {round(100 * weight / total)}%")
        self.send("" if moves else " no book move", "")

    @property
    def style(self) -> str:
        return self.game.styles.get(self.variant, "")

    def handle_report(self, task: SearchTask, report: Progress | None) -> None:
        if task.answered or task.unwanted:
            return
        if report is None:
            task.answered = True
            if not self.analysing and self.ponder_move is None and self.side == self.history.turn:
                self.play_move(task)
                self.pong()
        elif not (self.post or self.analysing):
            return
        elif report.miss is not None:
            self.send(
                thinking_line(task, report, report.miss.line, self.style, "!" if report.miss.above else "?")
            )
        elif report.current is None:
            for line in report.lines[: self.player.settings.lines]:
                self.send(thinking_line(task, report, line, self.style))

    def play_move(self, task: SearchTask) -> None:
        """Make the move that was found; resign, offer or accept a draw as the policy decides."""
        if task.error:
            self.send_comment(" ".join(task.error.split()))
        line = task.line
        if line is None:
            self.check_finished()
            return
        self.clock.stop(self.history, task.elapsed_seconds())
        unit = self.game.evaluation(task.settings.evaluator).unit
        self.draw_policy.add_score(line.score, unit)
        searched = task.result is not None and task.result.depth > 0
        if searched and self.claim_draw():
            return
        if self.draw_policy.should_resign():
            self.game_over = True
            self.send("resign")
            return
        if self.draw_policy.draw_offered and self.draw_policy.accepts_draw(self.history):
            self.send("offer draw")
        self.draw_policy.draw_offered = False
        text = self.game.move_text_in_style(self.history.position, line.numbers[0], self.style)
        self.history = self.history.play(line.numbers[0])
        self.excluded.clear()
        self.send(f"move {text}")
        self.expected_reply = line.numbers[1] if len(line.numbers) > 1 else None
        if self.check_finished() or (searched and self.claim_draw()):
            return
        if self.side == self.history.turn:  # a turn may have several moves
            self.decide(self.clock.now())
            return
        if self.draw_policy.offers_draw(self.history):
            self.send("offer draw")
        if self.options["Ponder"] and self.expected_reply is not None:
            self.ponder(self.expected_reply)

    def ponder(self, move: int) -> None:
        """Ponder: think on the other side's time, about the move that we expect.

        Not where a clock counts nodes or the processor's seconds: it would count these, too.
        """
        after = self.history.play(move)
        if after.outcome is None and after.turn == self.side and self.clock.rate is None:
            self.ponder_move = move
            self.player.think(self.clock.request(after, ponder=True))
