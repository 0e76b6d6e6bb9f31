"""Real programs on the other end: python-chess, and xboard with fairymax as the opponent."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest

import plywise

BOOTED = 240.0  # seconds: the first start may compile
XBOARD_WAIT = 2.0  # python-chess waits so long for the first line; Python starts later on a busy machine
COMMAND = [sys.executable, "-m", "plywise"]


def engine(protocol: str, *words: str) -> Any:
    kind = chess.engine.SimpleEngine
    open = kind.popen_uci if protocol == "uci" else kind.popen_xboard
    later = asyncio.BaseEventLoop.call_later

    def patiently(loop: Any, delay: float, *rest: Any, **more: Any) -> Any:
        return later(loop, BOOTED if delay == XBOARD_WAIT else delay, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.BaseEventLoop, "call_later", patiently)
        return open([*COMMAND, protocol, *words], timeout=BOOTED)


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
@pytest.mark.parametrize("number", [None, 33])
@pytest.mark.thorough("whole games on a clock")
def test_python_chess_plays_a_whole_game(protocol: str, number: int | None, tmp_path: Path) -> None:
    """Both sides, on a clock that runs; python-chess checks each move. No flag may fall."""
    log = tmp_path / "log.txt"
    with engine(protocol, "--log", str(log)) as player:
        player.ping()
        board = chess.Board() if number is None else chess.Board.from_chess960_pos(number)
        clocks = {chess.WHITE: 3.0, chess.BLACK: 3.0}
        while not board.is_game_over(claim_draw=True) and board.ply() < 120:
            limit = chess.engine.Limit(
                white_clock=clocks[True], black_clock=clocks[False], white_inc=0.02, black_inc=0.02
            )
            if protocol == "xboard":
                limit.time = None
                limit.remaining_moves = 0
            result = player.play(board, limit, info=chess.engine.INFO_ALL)
            if result.resigned or result.draw_offered:
                break
            assert result.move in board.legal_moves
            clocks[board.turn] += 0.02 - result.info.get("time", 0.0)
            assert clocks[board.turn] > 0
            board.push(result.move)
        assert board.ply() > 20
    assert "Error" not in log.read_text()
    assert "error" not in log.read_text()


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_python_chess_analyses(protocol: str) -> None:
    with engine(protocol) as player:
        board = chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
        info = player.analyse(board, chess.engine.Limit(depth=3))  # then it is proven, and no more is told
        assert info["score"].white() == chess.engine.Mate(2)
        with player.analysis(chess.Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 5:
                    break
        assert player.play(board, chess.engine.Limit(time=0.2)).move in board.legal_moves
        assert player.play(board, chess.engine.Limit(depth=3)).move in board.legal_moves


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_a_cold_cache_is_no_reason_to_wait(protocol: str, tmp_path: Path) -> None:
    """Greeting and first moves come while the compiler is at work: the moves are found uncompiled."""
    process = subprocess.Popen(
        [*COMMAND, protocol],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PLYWISE_CACHE": str(tmp_path)},
        text=True,
        bufsize=1,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        if protocol == "uci":
            print("uci\nposition startpos\ngo wtime 3000 btime 3000\n", file=process.stdin, flush=True)
            wanted = "bestmove "
        else:
            print("xboard\nprotover 2\nnew\nst 0.3\nusermove e2e4\n", file=process.stdin, flush=True)
            wanted = "move "
        for line in process.stdout:
            if line.startswith(wanted):
                break
        assert line.startswith(wanted)
        assert not list(tmp_path.glob("*.native")), "the compiler was faster than a move: nothing is shown"
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("protocol", "lines", "answer"),
    [
        ("uci", "position startpos\ngo depth 4\n", "bestmove "),
        ("xboard", "new\nsd 4\nusermove e2e4\n", "move "),
    ],
)
def test_a_conversation_may_simply_end(protocol: str, lines: str, answer: str) -> None:
    """Lines from a pipe: what is asked is answered before the process ends."""
    done = subprocess.run(
        [*COMMAND, protocol],
        input=lines,
        capture_output=True,
        text=True,
        timeout=BOOTED,
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith(answer)
    assert done.stderr == ""


def test_a_log_that_cannot_be_written_is_one_sentence() -> None:
    done = subprocess.run(
        [*COMMAND, "uci", "--log", "/no/such/place"], capture_output=True, text=True, input=""
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "/no/such/place" in done.stderr


def missing() -> str:
    names = {"xboard": "xboard", "fairymax": "fairymax", "Xvfb": "xvfb"}
    folders = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
    absent = [package for name, package in names.items() if shutil.which(name, path=folders) is None]
    return ", ".join(absent)


@pytest.mark.skipif(bool(missing()), reason=f"Debian packages are not installed: {missing()}")
@pytest.mark.thorough("another program on a virtual screen")
def test_xboard_plays_a_match_against_fairymax(tmp_path: Path) -> None:
    """Two games under Xvfb to their ends, by mate, draw or resignation; nobody forfeits."""
    plywise.Engine(plywise.load("chess"), hash=1)  # compiled: in a match the clock runs from the start
    games, log = tmp_path / "games.pgn", tmp_path / "log.txt"
    environment = {**os.environ, "HOME": str(tmp_path), "PATH": f"{os.environ['PATH']}:/usr/games"}
    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as numbers:
            environment["DISPLAY"] = f":{numbers.readline().strip()}"
        # Fairy-Max 5.0b crashes now and then; with fixed addresses it has not.
        own = f"{' '.join(COMMAND)} xboard --log {log}"
        command = ["xboard", "-fcp", own, "-scp", "setarch -R fairymax"]
        command += ["-mg", "2", "-sgf", str(games), "-xponder", "-noGUI"]
        # The depth ends each thought long before the clock: nobody is out of time on a busy machine.
        command += ["-tc", "5", "-inc", "0", "-depth", "4"]
        output = (tmp_path / "output.txt").open("w")
        xboard = subprocess.Popen(
            command,
            env=environment,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            # Some builds of xboard show the final score in a window and wait for a click.
            until = time.monotonic() + 600
            while xboard.poll() is None and "final score" not in (tmp_path / "output.txt").read_text():
                assert time.monotonic() < until, "the match does not end"
                time.sleep(0.2)
        finally:
            xboard.kill()
            xboard.wait()
            output.close()
    finally:
        screen.kill()
        screen.communicate()
    assert games.exists(), (tmp_path / "output.txt").read_text()
    played = games.read_text().split("[Event ")[1:]
    assert len(played) == 2, played
    for text in played:
        result = re.search(r'\[Result "(.*)"\]', text)
        assert result and result[1] != "*", text
        ours = "White" if '[White "Plywise' in text else "Black"
        if result[1] == ("0-1" if ours == "White" else "1-0"):  # lost, but on the board
            end = text[text.rindex("{") :].lower()
            assert not re.search("time|forfeit|illegal|exited|abandon", end), text
    assert "Error" not in log.read_text()
