"""However many lines come, threads and memory stay as they are."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise.core import untrusted
from plywise.play import engine_pool
from plywise.play.background import BackgroundPlayer
from plywise.play.request import SearchRequest
from plywise.protocols import debug_commands, deferred, options, uci, xboard
from plywise.protocols.channel import MAX_WAITING, Channel
from plywise.protocols.debug_commands import JobStop, Stopped, bench_lines
from plywise.protocols.uci import Uci
from plywise.protocols.xboard import XBoard
from plywise.search.engine import Engine
from tests.protocols.talk import PATIENCE, Talk

GAME = plywise.load("connect_four")


class Made:
    """Engines that are being compiled: they come when the event is set."""

    def __init__(self) -> None:
        self.come, self.begun = threading.Event(), 0
        self.first_has_begun = threading.Event()

    def __call__(self, *words: Any, compiled: bool = True, **options: Any) -> Engine:
        if compiled:
            self.begun += 1
            self.first_has_begun.set()
            assert self.come.wait(PATIENCE)
        return Engine(*words, compiled=False, **options)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    made = Made()
    monkeypatch.setattr(engine_pool, "Engine", made)
    monkeypatch.setattr(debug_commands, "Engine", made)
    yield made
    made.come.set()


def test_one_engine_is_compiled_at_a_time_and_then_the_last_one_wanted(made: Made) -> None:
    player, pools = BackgroundPlayer(GAME, lambda task, report: None), []
    before = threading.active_count()
    for size in range(1, 101):
        player.settings.hash = size
        pools.append(player.prepare())
        assert made.first_has_begun.wait(PATIENCE)
    assert threading.active_count() <= before + 2, "one builds, one tells how far it is"
    made.come.set()
    assert pools[0].ready.wait(PATIENCE) and pools[-1].ready.wait(PATIENCE)
    assert made.begun == 2 and not any(pool.ready.is_set() for pool in pools[1:-1])
    assert player.wait_until_ready()


def test_whoever_waits_for_an_engine_gets_the_one_that_took_its_place(made: Made) -> None:
    """XBoard's ping waits for the engine; `memory` gives another one its place, and it is answered."""
    with Talk(XBoard, "connect_four") as talk:
        talk.send("protover 2", "memory 2", "ping 1", "memory 3", "protover 2", "ping 2")
        for _ in range(2):
            talk.until("feature done=1")
        made.come.set()
        assert talk.until("pong 2") == ["pong 1", "pong 2"]


def test_a_search_keeps_its_engine_until_it_ends(made: Made) -> None:
    player = BackgroundPlayer(GAME, lambda task, report: None)
    asked = player.think(SearchRequest(GAME.history(), depth=3))
    pool = player.prepare()
    player.settings.hash = 2
    assert player.prepare() is pool, "the search waits for it"
    made.come.set()
    assert asked.finished.wait(PATIENCE) and asked.result is not None and asked.result.depth == 3
    assert player.prepare() is not pool
    assert player.wait_until_ready()


class StopAtThirdLook(JobStop):
    """A stop that comes when the job has begun."""

    looks = 0

    def __init__(self) -> None:
        pass

    @property
    def is_set(self) -> bool:  # type: ignore[override]
        self.looks += 1
        return self.looks > 2


def test_a_bench_that_is_stopped_and_asked_for_again_loads_one_engine(made: Made) -> None:
    before = threading.active_count()
    for _ in range(20):
        with pytest.raises(Stopped):
            list(bench_lines(GAME, StopAtThirdLook()))
    assert threading.active_count() <= before + 2, "one builds, one tells how far it is"
    made.come.set()
    debug_commands._being_made.pop(("bench", GAME)).get(timeout=PATIENCE)
    assert made.begun == 1


def test_a_stop_ends_the_counts_that_wait_too() -> None:
    """Thirty plies are not counted in a lifetime."""
    with Talk(Uci, "connect_four") as talk:
        talk.send(
            "go perft 30", "go perft 29", "bench", "go infinite", "go perft 28", "stop", "d", "go perft 1"
        )
        lines = talk.until("Nodes searched")
        ends = [line for line in lines if " was stopped" in line or line.startswith("bestmove")]
        assert [line.removeprefix("info string ").split()[0] for line in ends] == [
            "perft",
            "perft",
            "bench",
            "bestmove",
            "perft",
        ]
        assert lines[-1] == "Nodes searched: 7"


def test_commands_that_wait_for_a_count_are_so_many_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deferred, "MAX_DEFERRED", 3)
    with Talk(Uci, "connect_four") as talk:
        talk.send("go perft 30", "d", "d", "d", "eval", "isready")
        lines = talk.until("readyok")
        assert "info string error: too many commands wait already, so this one is ignored: eval" in lines
        talk.send("position startpos moves " + "4 " * 100_000)
        assert talk.until("info string error")[-1].endswith("ignored: position")
        talk.send("stop", "isready")
        talk.until("info string perft was stopped")


def test_lines_that_nobody_handles_are_not_read() -> None:
    """A client that sends without an end waits until the engine has handled what is there."""
    taken: list[int] = []
    ahead = threading.Event()

    def lines() -> Iterator[bytes]:
        for number in range(3 * MAX_WAITING):
            taken.append(number)
            yield b"x"

    class Handler:
        running, handled, most = True, 0, 0

        def handle_line(self, line: str, now: float) -> None:
            self.handled += 1
            while len(taken) < min(self.handled + MAX_WAITING, 3 * MAX_WAITING):
                ahead.wait(0.001)  # the reader goes on as far as it can
            self.most = max(self.most, len(taken) - self.handled)

        def handle_report(self, task: Any, report: Any) -> None: ...

        def handle_end(self) -> None:
            self.running = False

    handler = Handler()
    Channel(lines(), None).dispatch(handler)  # type: ignore[arg-type]
    assert handler.handled == 3 * MAX_WAITING
    assert handler.most <= MAX_WAITING + 1


def test_a_table_larger_than_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "memory", lambda: 1000)
    with Talk(Uci, "connect_four") as talk:
        talk.send("setoption name Hash value 1001")
        assert talk.until("info string error")[-1].endswith(
            "Hash cannot be 1001: this computer has 1000 megabytes of memory"
        )
        assert talk.protocol.player.settings.hash < 1000


def test_features_that_a_client_refuses_are_not_piled_up() -> None:
    with Talk(XBoard, "connect_four") as talk:
        before = {
            name: len(value) for name, value in vars(talk.protocol).items() if hasattr(value, "__len__")
        }
        talk.send("d", *(f"rejected x{number}" for number in range(50)), "rejected debug", "d", "xyzzy")
        comments = [line for line in talk.until("Error") if line.startswith("# ")]
        assert comments.count("# start") == 1, "one board, and none after the refusal"
        assert before == {name: len(getattr(talk.protocol, name)) for name in before}


def test_a_game_without_end_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that goes on for ever would grow, and each look for repetitions with it."""
    monkeypatch.setattr(untrusted, "MAX_GAME_PLIES", 6)
    with Talk(XBoard, "chess") as talk:
        talk.send("force", *["usermove g1f3", "usermove g8f6", "usermove f3g1", "usermove f6g8"] * 2)
        talk.send("go", "undo", "usermove g8h6", "xyzzy")
        assert talk.until("Error (unknown") == [
            "Illegal move (a game may have 6 moves, not 7): f3g1",
            "Illegal move (a game may have 6 moves, not 7): f6g8",
            "Error (a game may have 6 moves, not 7): go",
            "Error (unknown command): xyzzy",
        ]


def test_pings_that_wait_are_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xboard, "MAX_PINGS", 3)
    with Talk(XBoard, "connect_four") as talk:
        talk.send("ping 0")
        talk.until("pong 0")
        talk.send(
            "st 1000", "go", "pause", "resume", "ping 1", "ping 2", "ping 3", "ping 4", "ping " + "5" * 101
        )
        for _ in range(2):
            assert talk.until("Error")[-1].startswith("Error (3 pings may wait, and one has 100 characters")
        talk.send("?")
        assert talk.until("pong 3")[-3:] == ["pong 1", "pong 2", "pong 3"]


@pytest.mark.parametrize("protocol", [Uci, XBoard])
def test_what_is_quoted_is_no_command_to_a_terminal(protocol: Any) -> None:
    code = "\x1b]0;title\x07\x9b2J\u202e"
    with Talk(protocol, "tic_tac_toe") as talk:
        talk.send("debug on", code, f"position fen {code}", f"setboard {code}", f"usermove {code}1")
        talk.send(f"setoption name {code}", f"option {code}", f"go searchmoves {code}", f"ping {code}")
        talk.send("isready", "ping 7")
        talk.until("readyok" if protocol is Uci else "pong 7")
        said = "".join(talk.heard)
    assert "title" in said
    assert not set("\x1b\x07\x9b\u202e") & set(said)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX")
@pytest.mark.parametrize("option", ["Book value {}", "Seat value weights={}"])
def test_a_pipe_or_a_device_is_neither_book_nor_weights(option: str, tmp_path: Path) -> None:
    """To open a pipe, or to read a device to its end, would take for ever, and nothing would be answered."""
    os.mkfifo(tmp_path / "pipe")
    with Talk(Uci, "chess") as talk:
        for path in (tmp_path / "pipe", Path("/dev/zero")):
            talk.send(f"setoption name {option.format(path)}")
            assert talk.until("info string error")[-1].endswith(f"{path}: this is no file with contents")


def test_a_long_game_is_read_while_questions_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    moves, go_on, begun = "g1f3 g8f6 f3g1 f6g8 " * 60, threading.Event(), threading.Event()
    read = Uci.follow_moves

    def read_when_told(self: Uci, *given: Any) -> None:
        begun.set()
        assert go_on.wait(PATIENCE)
        read(self, *given)

    monkeypatch.setattr(Uci, "follow_moves", read_when_told)
    with Talk(Uci, "chess") as talk:
        talk.send(f"position startpos moves {moves}", "d")
        assert begun.wait(PATIENCE)
        talk.send("isready")
        assert talk.until("readyok") == ["readyok"], "the board waits, the answer does not"
        go_on.set()
        talk.until("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 240 121")
        talk.send(f"position startpos moves {moves} e2e4 {moves}", "d")
        assert "illegal move 'g1f3'" in talk.until("info string error")[-1]
        talk.until("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 240 121")


def test_few_moves_to_search_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that is not written as the game writes it is looked for among all moves."""
    read: list[str] = []

    def count(history: Any, move: str) -> bool:
        read.append(move)
        return is_legal(history, move)

    is_legal = uci._is_legal
    monkeypatch.setattr(uci, "_is_legal", count)
    words = [f"Nb{number}" for number in range(1000)]
    request = uci._read_go(plywise.load("chess").history(), ["searchmoves", "Nf3", "e2e4", *words, "a2a3"])
    assert request.moves == ("Nf3", "e2e4", "a2a3")
    assert len(read) == uci.MAX_ODD_MOVES
