"""UCI, the universal chess interface: a translator between its lines and a session."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.play.clock import Clock
from plywise.play.session import Session
from plywise.play.thought import Request, Thought
from plywise.protocols.dialect import chances, hundredths, line_text, moves_to_win, picture
from plywise.protocols.extras import Stopped, bench, divided, evaluated
from plywise.protocols.options import Option, Options
from plywise.protocols.wire import Wire
from plywise.search.result import Kind, Line, Progress

CURRMOVE_FROM = 1.0  # seconds: before, the root move being searched interests nobody
AT_ONCE = ("uci", "debug", "isready", "stop", "quit")  # answered even while we count or measure
NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
GO = ("searchmoves", "ponder", "infinite", *NUMBERS)


class Uci:
    """The engine's side of UCI."""

    def __init__(self, game: Game, wire: Wire, *, seed: int | None = None) -> None:
        self.game, self.wire = game, wire
        self.session = Session(game, wire.tell, seed=seed)
        self.options = Options(self.session, game)
        self.history = game.history()
        self.words: tuple[str, ...] = ()  # of the last position
        self.debug = False
        self.going = True
        self.job: threading.Thread | None = None  # a perft or a bench
        self.job_stop, self.job_ended = threading.Event(), threading.Event()
        self.job_ended.set()
        self.later: deque[tuple[list[str], float]] = deque()  # commands that wait for its end
        self.commands: dict[str, Callable[[list[str], float], None]] = {
            "uci": self.uci,
            "debug": self.set_debug,
            "isready": self.is_ready,
            "setoption": self.set_option,
            "register": self.nothing,
            "ucinewgame": self.new_game,
            "position": self.position,
            "go": self.go,
            "stop": self.stop,
            "ponderhit": self.ponder_hit,
            "quit": self.quit,
            "bench": self.bench,
            "d": self.show,
            "eval": self.evaluate,
        }

    # --- the loop ---------------------------------------------------------------------------------
    def run(self) -> None:
        """Answer until `quit`, or until the other side goes away."""
        self.wire.converse(self)

    def line(self, line: str, now: float) -> None:
        """Obey one line. Words before the first known command are ignored, as UCI asks."""
        words = line.split()
        while words and words[0] not in self.commands:
            if self.debug:
                self.say(f"info string ignored {words[0][:60]!r}")
            words.pop(0)
        if not words:
            return
        if words[0] not in AT_ONCE and (self.busy or self.later):
            self.later.append((words, now))
        else:
            self.obey(words, now)

    def obey(self, words: list[str], now: float) -> None:
        try:
            self.commands[words[0]](words[1:], now)
        except PlywiseError as error:
            self.say(f"info string error: {error}")

    def say(self, *lines: str) -> None:
        self.wire.say(*lines)

    def end(self) -> None:
        """Nobody speaks any more: what has an end of its own is finished first."""
        while self.busy or self.later:
            self.wait()
            self.resume()
        thought = self.session.thought
        if thought is not None and not thought.done:
            if thought.waiting:
                self.session.stop()
            thought.finished.wait()
            while not thought.done:
                kind, *what = self.wire.events.get()
                if kind == "thought":
                    self.thought(*what)
        self.going = False

    # --- commands -----------------------------------------------------------------------------------
    def nothing(self, words: list[str], now: float) -> None:
        pass

    def uci(self, words: list[str], now: float) -> None:
        from plywise import __version__

        # A game that chess programs know by a name of its own says which one it is.
        title = f" ({self.game.title})" if self.game.name in self.game.variants else ""
        self.say(
            f"id name Plywise {__version__}{title}",
            "id author the Plywise developers",
            *(_declared(option) for option in self.options.known.values()),
            "uciok",
        )
        self.session.prepare()

    def set_debug(self, words: list[str], now: float) -> None:
        self.debug = words[:1] != ["off"]

    def is_ready(self, words: list[str], now: float) -> None:
        if not self.session.thinking and not self.busy:
            self.session.ready()
        self.say("readyok")

    def set_option(self, words: list[str], now: float) -> None:
        if words[:1] != ["name"]:
            raise PlywiseError("setoption wants: name NAME [value VALUE]")
        at = words.index("value") if "value" in words else len(words)
        name = " ".join(words[1:at])
        if self.options.find(name).kind == "button":
            self.finish()
        self.options.set(name, " ".join(words[at + 1 :]) if at < len(words) else None)

    def new_game(self, words: list[str], now: float) -> None:
        self.finish()
        self.session.forget()
        self.history, self.words = self.game.history(), ()

    def position(self, words: list[str], now: float) -> None:
        """Set the position; one that cannot be read changes nothing."""
        if words[:1] == ["fen"]:
            at = words.index("moves") if "moves" in words else len(words)
            start = words[1:at]
            if not start:
                raise PlywiseError("position fen wants a position behind it")
        elif words[:1] == ["startpos"]:
            at, start = 1, ["start"]
        else:
            raise PlywiseError("position wants: startpos or fen FEN, then moves M M ... if any")
        moves = words[at + 1 :] if words[at : at + 1] == ["moves"] else []
        known = self.words
        whole = (*start, "moves", *moves)
        if known and whole[: len(known)] == known:  # the same game, some moves later
            history, moves = self.history, list(whole[len(known) :])
        else:
            history = self.game.history(" ".join(start))
        for move in moves:
            history = history.play(move)
        self.history, self.words = history, whole

    def go(self, words: list[str], now: float) -> None:
        self.finish()
        if words[:1] == ["perft"]:
            self.perft(words[1:])
            return
        self.session.think(_request(self.history, words), now)

    def stop(self, words: list[str], now: float) -> None:
        self.job_stop.set()
        self.session.stop()

    def ponder_hit(self, words: list[str], now: float) -> None:
        self.session.hit(now=now)

    def quit(self, words: list[str], now: float) -> None:
        self.job_stop.set()
        self.session.stop()
        self.going = False

    def finish(self) -> None:
        """End the search that is going on, with its answer."""
        thought = self.session.finish()
        if thought is not None and not thought.done:
            self.best_move(thought)

    # --- beyond the protocol ------------------------------------------------------------------------
    @property
    def busy(self) -> bool:
        """Whether a perft or a bench is under way."""
        return not self.job_ended.is_set()

    def aside(self, lines: Iterable[str]) -> None:
        """Say lines as they are found, while the loop goes on answering."""
        ended = self.job_ended = threading.Event()

        def work() -> None:
            try:
                for line in lines:
                    self.say(line)
            except Stopped as stopped:
                self.say(f"info string {stopped}")
            except PlywiseError as error:
                self.say(f"info string error: {error}")
            finally:
                ended.set()
                self.wire.call(self.resume)

        self.job = threading.Thread(target=work, daemon=True)
        self.job.start()

    def resume(self) -> None:
        """Obey what was said while a perft or a bench went on, up to the next one."""
        while self.later and self.going and not self.busy:
            self.obey(*self.later.popleft())

    def wait(self) -> None:
        """Let a perft or a bench come to its end."""
        if self.job is not None:
            self.job.join()
            self.job = None

    def perft(self, words: list[str]) -> None:
        depth = _whole("perft", words[0] if words else "", 1)
        self.job_stop = threading.Event()
        self.aside(self.paths(self.history, depth, self.style, self.job_stop))

    def paths(self, history: History, depth: int, style: str, stop: threading.Event) -> Iterator[str]:
        total = 0
        for move, nodes in divided(history, depth, stop):
            yield f"{self.game.styled(history.position, move, style)}: {nodes}"
            total += nodes
        yield from ("", f"Nodes searched: {total}", "")

    def bench(self, words: list[str], now: float) -> None:
        self.finish()
        self.job_stop = threading.Event()
        self.aside(bench(self.game, self.job_stop))

    def show(self, words: list[str], now: float) -> None:
        self.say(*picture(self.history))

    def evaluate(self, words: list[str], now: float) -> None:
        self.say(*evaluated(self.history, self.options["Evaluator"]))

    # --- what the session says ------------------------------------------------------------------------
    @property
    def style(self) -> str:
        """How moves are written, by the options that are on."""
        return next((style for name, style in self.game.styles.items() if self.options[name]), "")

    def thought(self, thought: Thought, report: Progress | None) -> None:
        if thought.done:
            return
        if report is None:
            self.best_move(thought)
        elif report.miss is not None:
            sign = "lowerbound" if report.miss.above else "upperbound"
            self.say(self.seen(thought, report, report.miss.number, report.miss.line, sign))
        elif report.current is None:
            self.say(*self.info(thought, report))
        elif report.seconds >= CURRMOVE_FROM:
            self.say(
                f"info depth {report.depth} currmove {report.current} currmovenumber {report.place}"
                f" time {_thousandths(report.seconds)} nodes {report.nodes} nps {_speed(report)}"
            )

    def info(self, thought: Thought, report: Progress) -> Iterator[str]:
        most = max(self.session.settings.lines, 1)
        for place, line in enumerate(report.lines[:most], 1):
            sign = ""
            if line.kind is Kind.BOUND:  # a win or loss that may be nearer than was seen
                sign = "lowerbound" if line.score > 0 else "upperbound"
            yield self.seen(thought, report, place, line, sign)

    def seen(self, thought: Thought, report: Progress, place: int, line: Line, bound: str) -> str:
        """One line of play as the search sees it."""
        unit = self.game.evaluation(thought.settings.evaluator).unit
        moves = line_text(self.game, thought.request.history.position, line.numbers, self.style)
        deepest = max(report.deepest, report.depth, len(moves))
        return (
            f"info depth {report.depth} seldepth {deepest} multipv {place}"
            f" score {self.score(line.score, unit, bound)} nodes {report.nodes} nps {_speed(report)}"
            f" hashfull {report.full} time {_thousandths(report.seconds)} pv {' '.join(moves)}"
        )

    def score(self, score: int, unit: int, bound: str) -> str:
        mate = moves_to_win(score)
        text = f"cp {hundredths(score, unit)}" if mate is None else f"mate {mate}"
        if bound:
            text += f" {bound}"
        if self.options["UCI_ShowWDL"]:
            text += " wdl {} {} {}".format(*chances(score, unit))
        return text

    def best_move(self, thought: Thought) -> None:
        thought.done = True
        if thought.note:
            self.say(f"info string error: {' '.join(thought.note.split())}")
        line, position = thought.line, thought.request.history.position
        if line is None:
            lost = self.game.verdict(position) == -1
            self.say(f"info depth 0 score {'mate 0' if lost else 'cp 0'}", "bestmove (none)")
            return
        moves = line_text(self.game, position, line.numbers[:2], self.style)
        self.say(f"bestmove {moves[0]}" + (f" ponder {moves[1]}" if len(moves) > 1 else ""))


def _declared(option: Option) -> str:
    text = f"option name {option.name} type {option.kind}"
    if option.kind == "check":
        return f"{text} default {str(option.default).lower()}"
    if option.kind == "spin":
        return f"{text} default {option.default} min {option.least} max {option.most}"
    if option.kind == "combo":
        return f"{text} default {option.default} " + " ".join(f"var {one}" for one in option.choices)
    return f"{text} default {option.default or '<empty>'}" if option.kind == "string" else text


def _request(history: History, words: list[str]) -> Request:
    """What `go` asks for. Unknown words are ignored; `go` alone thinks until it is stopped."""
    found: dict[str, str] = {}
    moves: list[str] = []
    flags = set()
    i = 0
    while i < len(words):
        word = words[i]
        i += 1
        if word in ("ponder", "infinite"):
            flags.add(word)
        elif word == "searchmoves":
            while i < len(words) and words[i] not in GO:
                moves.append(words[i])
                i += 1
        elif word in NUMBERS and i < len(words):
            found[word] = words[i]
            i += 1
    side = "wb"[history.turn]
    clock = None
    if f"{side}time" in found:
        to_go = _whole("movestogo", found["movestogo"], 0) if "movestogo" in found else 0
        clock = Clock(
            max(_whole("time", found[f"{side}time"]), 0) / 1000,
            max(_whole("increment", found.get(f"{side}inc", "0")), 0) / 1000,
            to_go or None,
        )
    limits = {word: max(_whole(word, found[word]), 1) for word in ("depth", "nodes", "mate") if word in found}
    seconds = max(_whole("movetime", found["movetime"]), 1) / 1000 if "movetime" in found else None
    legal = [move for move in moves if _is_legal(history, move)]
    if moves and not legal:
        raise PlywiseError(f"searchmoves: none of these is legal: {' '.join(moves)[:200]}")
    limited = bool(limits) or clock is not None or seconds is not None
    return Request(
        history,
        limits.get("depth"),
        limits.get("nodes"),
        limits.get("mate"),
        seconds,
        clock,
        tuple(legal),
        infinite="infinite" in flags or not (limited or "ponder" in flags),
        ponder="ponder" in flags and "infinite" not in flags,
    )


def _is_legal(history: History, move: str) -> bool:
    try:
        history.game.read_move(history.position, move)
    except PlywiseError:
        return False
    return True


def _whole(name: str, text: str, least: int | None = None) -> int:
    try:
        value = int(text)
    except ValueError:
        raise PlywiseError(f"{name} is a whole number, not {text[:40]!r}") from None
    if least is not None and value < least:
        raise PlywiseError(f"{name} is a whole number from {least} up, not {value}")
    return min(value, 1 << 60)


def _thousandths(seconds: float) -> int:
    return round(seconds * 1000)


def _speed(report: Progress) -> int:
    return round(report.nodes / max(report.seconds, 0.001))
