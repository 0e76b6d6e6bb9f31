"""UCI, the universal chess interface: a translator between its lines and a player."""

import threading
from collections.abc import Callable, Iterable, Iterator

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import Kind, is_decisive
from plywise.core.untrusted import MAX_GAME_PLIES
from plywise.play.background import BackgroundPlayer
from plywise.play.clock import Clock
from plywise.play.readiness import tell_in_steps
from plywise.play.request import SearchRequest, SearchTask
from plywise.protocols.channel import Channel
from plywise.protocols.debug_commands import JobStop, Stopped, bench_lines, evaluation_lines, perft_divide
from plywise.protocols.deferred import DeferredCommands, ends_soon
from plywise.protocols.options import Option, Options
from plywise.protocols.text import board_lines, centipawns, move_texts, moves_to_win, win_draw_loss
from plywise.search.result import Line, Progress

CURRMOVE_FROM = 1.0  # seconds of a search after which `info currmove` is sent
IMMEDIATE = ("uci", "debug", "isready", "stop", "quit")  # answered even during a perft or a bench
MAX_IGNORED = 20  # unknown words of a line that are named
MAX_ODD_MOVES = 20  # of `go searchmoves` that are not written as the game writes them
MOVES_AT_ONCE = 100  # of a `position` that are played while everybody waits: some 15 ms of chess
GO_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
GO_WORDS = ("searchmoves", "ponder", "infinite", *GO_NUMBERS)


class Uci:
    """The engine's side of UCI."""

    def __init__(self, game: Game, channel: Channel, *, seed: int | None = None) -> None:
        self.game, self.channel = game, channel
        on_compile = tell_in_steps(game.title, lambda words: self.send(f"info string {words}"))
        self.player = BackgroundPlayer(game, channel.post_report, seed=seed, on_compile=on_compile)
        self.options = Options(self.player, game)
        self.history = game.history()
        self.position_words: tuple[str, ...] = ()  # of the last position
        self.debug = False
        self.running = True
        self.job: threading.Thread | None = None  # a perft or a bench
        self.job_name = ""  # of one that can be stopped, as long as it runs
        self.job_lock = threading.Lock()  # a job says nothing after its stop
        self.job_stop, self.job_ended = JobStop(), threading.Event()
        self.job_ended.set()
        self.is_loading = False  # the job is to wait for the engine
        self.deferred = DeferredCommands()  # they wait for the end of the job
        self.commands: dict[str, Callable[[list[str], float], None]] = {
            "uci": self.uci,
            "debug": self.set_debug,
            "isready": self.is_ready,
            "setoption": self.set_option,
            "register": self.ignore,
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
        """Answer until `quit` or the end of the input."""
        self.channel.dispatch(self)

    def handle_line(self, line: str, now: float) -> None:
        """Run the command of one line. Words before the first known command are ignored, as UCI asks."""
        words = line.split()
        first = next((i for i, word in enumerate(words) if word in self.commands), len(words))
        if self.debug:
            self.send(*(f"info string ignored {word[:60]!r}" for word in words[:first][:MAX_IGNORED]))
        words = words[first:]
        if not words:
            return
        is_early = self.is_busy or bool(self.deferred) or self.must_wait(words)
        self.run_command(words, now, words[0] not in IMMEDIATE and is_early)

    def run_command(self, words: list[str], now: float, is_early: bool = False) -> None:
        """Run a command, or let one that comes too early wait."""
        try:
            if is_early:
                self.deferred.add(words, now)
            else:
                self.commands[words[0]](words[1:], now)
        except PlywiseError as error:
            self.send(f"info string error: {error}")

    def must_wait(self, words: list[str]) -> bool:
        """Whether a command ends a search that goes on for a while; then a job waits for its end.

        So it is where rules in Python take long: `isready`, `stop` and `quit` are heard meanwhile.
        """
        task = self.player.task
        if task is None or not self.ends_search(words) or ends_soon(self.player):
            return False
        self.send_in_background("", JobStop(), self.wait_lines(task))
        return True

    def ends_search(self, words: list[str]) -> bool:
        """Whether a command ends the search that runs."""
        if words[0] != "setoption":
            return words[0] in ("go", "ucinewgame", "bench")
        said = " ".join(words).lower()
        return any(name in said for name, option in self.options.known.items() if option.type == "button")

    def wait_lines(self, task: SearchTask) -> Iterator[str]:
        """Wait for the end of a search as a job that has nothing to say."""
        task.finished.wait()
        yield from ()

    def send(self, *lines: str) -> None:
        self.channel.send(*lines)

    def handle_end(self) -> None:
        """At the end of the input finish what ends by itself."""
        while self.is_busy or self.deferred:
            self.wait_for_job()
            self.resume()
        task = self.player.task
        if task is not None and not task.answered:
            if task.waiting:
                self.player.stop()
            task.finished.wait()
            while not task.answered:
                kind, *what = self.channel.events.get()
                if kind == "report":
                    self.handle_report(*what)
        self.running = False

    # --- commands -----------------------------------------------------------------------------------
    def ignore(self, words: list[str], now: float) -> None:
        pass

    def uci(self, words: list[str], now: float) -> None:
        from plywise import __version__

        # A game that chess programs know by a name of its own says which one it is.
        title = f" ({self.game.title})" if self.game.name in self.game.variants else ""
        self.send(
            f"id name Plywise {__version__}{title}",
            "id author the Plywise developers",
            *(_option_text(option) for option in self.options.known.values()),
            "uciok",
        )
        self.player.prepare()

    def set_debug(self, words: list[str], now: float) -> None:
        self.debug = words[:1] != ["off"]

    def is_ready(self, words: list[str], now: float) -> None:
        """Answer at once whatever runs; only if nothing does, wait for the engine, and not in this thread."""
        if self.is_loading:
            self.deferred.add(["isready"], now)
        elif self.player.is_thinking or self.is_busy or self.player.is_ready:
            self.send("readyok")
        else:
            self.is_loading = True
            self.player.prepare()
            self.send_in_background("", JobStop(), self.ready_lines())

    def ready_lines(self) -> Iterator[str]:
        self.player.wait_until_ready()
        self.is_loading = False
        yield "readyok"

    def set_option(self, words: list[str], now: float) -> None:
        if words[:1] != ["name"]:
            raise PlywiseError("setoption wants: name NAME [value VALUE]")
        at = words.index("value") if "value" in words else len(words)
        name = " ".join(words[1:at])
        if self.options.find(name).type == "button":
            self.finish_search()
        self.options.set(name, " ".join(words[at + 1 :]) if at < len(words) else None)

    def new_game(self, words: list[str], now: float) -> None:
        self.finish_search()
        self.player.clear()
        self.history, self.position_words = self.game.history(), ()

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
        if len(moves) > MAX_GAME_PLIES:
            raise PlywiseError(f"a game may have {MAX_GAME_PLIES} moves, not {len(moves)}")
        known = self.position_words
        whole = (*start, "moves", *moves)
        before = None
        if known and whole[: len(known)] == known:  # the same game, some moves later
            before, moves = self.history, list(whole[len(known) :])
        if len(moves) <= MOVES_AT_ONCE:
            self.follow_moves(before, whole, moves)
        else:  # what comes next waits for its end, as for that of a perft; isready, stop and quit do not
            self.send_in_background("", JobStop(), self.follow_lines(before, whole, moves))

    def follow_moves(self, before: History | None, whole: tuple[str, ...], moves: list[str]) -> None:
        """Play moves behind a history, or from the position at the beginning of the whole."""
        history = before or self.game.history(" ".join(whole[: whole.index("moves")]))
        for move in moves:
            history = history.play(move)
        self.history, self.position_words = history, whole

    def follow_lines(self, before: History | None, whole: tuple[str, ...], moves: list[str]) -> Iterator[str]:
        """Play moves as a job that has nothing to say."""
        self.follow_moves(before, whole, moves)
        yield from ()

    def go(self, words: list[str], now: float) -> None:
        self.finish_search()
        if words[:1] == ["perft"]:
            self.perft(words[1:])
            return
        self.player.think(_read_go(self.history, words), now)

    def stop(self, words: list[str], now: float) -> None:
        """Stop what runs, and what waits to run."""
        self.stop_running()
        self.deferred.stop()

    def stop_running(self) -> None:
        """Stop a perft, a bench or a search; that a job was stopped is said before it has come to its end."""
        with self.job_lock:
            if self.job_name:
                self.job_stop.set()
                self.send(f"info string {self.job_name} was stopped")
            self.job_name = ""
        self.player.stop()

    def ponder_hit(self, words: list[str], now: float) -> None:
        self.player.ponder_hit(now=now)

    def quit(self, words: list[str], now: float) -> None:
        self.stop_running()
        self.running = False

    def finish_search(self) -> None:
        """Stop the running search and send its answer."""
        task = self.player.stop_and_wait()
        if task is not None and not task.answered:
            self.best_move(task)

    # --- beyond the protocol ------------------------------------------------------------------------
    @property
    def is_busy(self) -> bool:
        """Whether a perft or a bench runs, a long game is being read, or a search is coming to its end."""
        return not self.job_ended.is_set()

    def send_in_background(self, name: str, stop: JobStop, lines: Iterable[str]) -> None:
        """Send lines as they are found, while the loop goes on answering; none after a stop."""
        ended = self.job_ended = threading.Event()
        self.job_name, self.job_stop = name, stop

        def send(line: str) -> None:
            with self.job_lock:
                if not stop.is_set:
                    self.send(line)

        def work() -> None:
            try:
                for line in lines:
                    send(line)
            except Stopped:
                pass
            except PlywiseError as error:
                send(f"info string error: {error}")
            finally:
                with self.job_lock:
                    self.job_name = ""
                ended.set()
                self.channel.call(self.resume)

        self.job = threading.Thread(target=work, daemon=True)
        self.job.start()

    def resume(self) -> None:
        """Run the commands that came during a job, up to the next job."""
        while self.deferred and self.running and not self.is_busy:
            if self.must_wait(self.deferred.first.words):
                return
            command = self.deferred.take()
            self.run_command(command.words, command.now)
            if command.stopped:
                self.stop_running()

    def wait_for_job(self) -> None:
        """Wait for the end of a perft or a bench."""
        if self.job is not None:
            self.job.join()
            self.job = None

    def perft(self, words: list[str]) -> None:
        depth = _read_int("perft", words[0] if words else "", 1)
        stop = JobStop()
        self.send_in_background("perft", stop, self.perft_lines(self.history, depth, self.style, stop))

    def perft_lines(self, history: History, depth: int, style: str, stop: JobStop) -> Iterator[str]:
        total = 0
        for move, nodes in perft_divide(history, depth, stop):
            yield f"{self.game.move_text_in_style(history.position, move, style)}: {nodes}"
            total += nodes
        yield from ("", f"Nodes searched: {total}", "")

    def bench(self, words: list[str], now: float) -> None:
        self.finish_search()
        stop = JobStop()
        self.send_in_background("bench", stop, bench_lines(self.game, stop))

    def show(self, words: list[str], now: float) -> None:
        self.send(*board_lines(self.history))

    def evaluate(self, words: list[str], now: float) -> None:
        self.send(*evaluation_lines(self.history, self.options["Evaluator"]))

    # --- reports and answers ------------------------------------------------------------------------
    @property
    def style(self) -> str:
        """The style in which moves are written, by the options."""
        return next((style for name, style in self.game.styles.items() if self.options[name]), "")

    def handle_report(self, task: SearchTask, report: Progress | None) -> None:
        if task.answered:
            return
        if report is None:
            self.best_move(task)
        elif report.miss is not None:
            sign = "lowerbound" if report.miss.above else "upperbound"
            self.send(self.info_line(task, report, report.miss.number, report.miss.line, sign))
        elif report.current is None:
            self.send(*self.info_lines(task, report))
        elif report.seconds >= CURRMOVE_FROM:
            self.send(
                f"info depth {report.depth} currmove {report.current} currmovenumber {report.place}"
                f" time {_milliseconds(report.seconds)} nodes {report.nodes} nps {_nps(report)}"
            )

    def info_lines(self, task: SearchTask, report: Progress) -> Iterator[str]:
        most = max(self.player.settings.lines, 1)
        for place, line in enumerate(report.lines[:most], 1):
            sign = ""
            if line.kind is Kind.BOUND and line.score == 0:  # no line and no score, but an answer
                yield f"info depth {report.depth} nodes {report.nodes} time {_milliseconds(report.seconds)}"
                asked = " by these moves" if task.request.moves else ""
                yield f"info string no mate in {(report.depth + 1) // 2}{asked}"
                return
            if line.kind is Kind.BOUND:  # a win or loss that may be nearer than was seen
                sign = "lowerbound" if line.score > 0 else "upperbound"
            elif line.kind is Kind.ESTIMATE and is_decisive(line.score):  # not every move was looked at
                sign = "lowerbound"
            yield self.info_line(task, report, place, line, sign)

    def info_line(self, task: SearchTask, report: Progress, place: int, line: Line, bound: str) -> str:
        """One line of play as the search sees it."""
        unit, position = self.game.evaluation(task.settings.evaluator).unit, task.request.history.position
        moves = move_texts(self.game, position, line.numbers, self.style)
        mate = moves_to_win(line.score, task.request.history, line.numbers)
        deepest = max(report.deepest, report.depth, len(moves))
        return (
            f"info depth {report.depth} seldepth {deepest} multipv {place}"
            f" score {self.score_text(line.score, mate, unit, bound)} nodes {report.nodes} nps {_nps(report)}"
            f" hashfull {report.full} time {_milliseconds(report.seconds)} pv {' '.join(moves)}"
        )

    def score_text(self, score: int, mate: int | None, unit: int, bound: str) -> str:
        text = f"cp {centipawns(score, unit)}" if mate is None else f"mate {mate}"
        if bound:
            text += f" {bound}"
        if self.options["UCI_ShowWDL"]:
            text += " wdl {} {} {}".format(*win_draw_loss(score, unit))
        return text

    def best_move(self, task: SearchTask) -> None:
        task.answered = True
        if task.error:
            self.send(f"info string error: {' '.join(task.error.split())}")
        line, position = task.line, task.request.history.position
        if line is None:
            lost = self.game.verdict(position) == -1
            self.send(f"info depth 0 score {'mate 0' if lost else 'cp 0'}", "bestmove (none)")
            return
        moves = move_texts(self.game, position, line.numbers[:2], self.style)
        self.send(f"bestmove {moves[0]}" + (f" ponder {moves[1]}" if len(moves) > 1 else ""))


def _option_text(option: Option) -> str:
    text = f"option name {option.name} type {option.type}"
    if option.type == "check":
        return f"{text} default {str(option.default).lower()}"
    if option.type == "spin":
        return f"{text} default {option.default} min {option.minimum} max {option.maximum}"
    if option.type == "combo":
        return f"{text} default {option.default} " + " ".join(f"var {one}" for one in option.choices)
    return f"{text} default {option.default or '<empty>'}" if option.type == "string" else text


def _read_go(history: History, words: list[str]) -> SearchRequest:
    """The request of a `go`. Unknown words are ignored; `go` alone searches until `stop`."""
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
            while i < len(words) and words[i] not in GO_WORDS:
                moves.append(words[i])
                i += 1
        elif word in GO_NUMBERS and i < len(words):
            found[word] = words[i]
            i += 1
    side = "wb"[history.turn]
    clock = None
    if f"{side}time" in found:
        to_go = _read_int("movestogo", found["movestogo"], 0) if "movestogo" in found else 0
        clock = Clock(
            max(_read_int("time", found[f"{side}time"]), 0) / 1000,
            max(_read_int("increment", found.get(f"{side}inc", "0")), 0) / 1000,
            to_go or None,
        )
    limits = {
        word: max(_read_int(word, found[word]), 1) for word in ("depth", "nodes", "mate") if word in found
    }
    seconds = max(_read_int("movetime", found["movetime"]), 1) / 1000 if "movetime" in found else None
    legal = _legal_moves(history, list(dict.fromkeys(moves)))
    if moves and not legal:
        raise PlywiseError(f"searchmoves: none of these is legal: {' '.join(moves)[:200]}")
    limited = bool(limits) or clock is not None or seconds is not None
    return SearchRequest(
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


def _legal_moves(history: History, moves: list[str]) -> list[str]:
    """Those of the moves that are legal; each that is written in another way is read apart, which is slow."""
    known = set(history.moves) if moves else set()
    odd = [move for move in moves if move not in known][:MAX_ODD_MOVES]
    found = known.union(move for move in odd if _is_legal(history, move))
    return [move for move in moves if move in found]


def _is_legal(history: History, move: str) -> bool:
    try:
        history.game.read_move(history.position, move)
    except PlywiseError:
        return False
    return True


def _read_int(name: str, text: str, least: int | None = None) -> int:
    try:
        value = int(text)
    except ValueError:
        raise PlywiseError(f"{name} is a whole number, not {text[:40]!r}") from None
    if least is not None and value < least:
        raise PlywiseError(f"{name} is a whole number from {least} up, not {value}")
    return min(value, 1 << 60)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _nps(report: Progress) -> int:
    return round(report.nodes / max(report.seconds, 0.001))
