"""Runs: the whole course in small, resuming, what is refused, and the page about it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise.arena.executors import InProcess
from plywise.cli import main
from plywise.core.net_file import installed_path
from plywise.learn.batches import Threads
from plywise.learn.installed import install
from plywise.learn.proof import proof_test
from plywise.learn.run import Run
from plywise.learn.run_report import page
from plywise.learn.run_state import BadRun, Settings
from plywise.learn.shapes import CannotLearn, shape_of
from tests.conftest import interpreted
from tests.core.test_learned import saved_net


def small_run(folder: Path, minutes: float = 0.01) -> Run:
    settings = Settings("connect_four", minutes=minutes, hidden=16, nodes=20, batch_games=4)
    return Run.create(folder, settings, compiled=False)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "data").glob("*.npy")}


def test_a_run_plays_fits_screens_and_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.learn.run.MIN_GAMES", 2)
    run = small_run(tmp_path / "run")
    said: list[str] = []
    with interpreted():
        run.run(Threads(1), InProcess, say=said.append)
    (only,) = run.generations
    assert only.played and only.net == "g1.json" and only.screen is not None
    assert run.accepted is not None
    answer = run.data()
    assert list(answer) == [
        "game",
        "accepted",
        "elo",
        "error",
        "games",
        "positions",
        "generations",
        "seconds",
        "file",
    ]
    assert answer["positions"] == only.positions > 0
    assert installed_path(run.game).is_file() == run.accepted
    again = Run.resume(tmp_path / "run", compiled=False)
    assert again.generations == run.generations
    assert again.accepted == run.accepted
    assert "<svg" in page(run) and "Connect Four" in page(run)
    assert "http" not in page(run).replace("http-equiv", "")


def test_a_stopped_run_goes_on_with_the_same_data(tmp_path: Path) -> None:
    whole, parts = small_run(tmp_path / "whole"), small_run(tmp_path / "parts")
    for run, stops in ((whole, (6,)), (parts, (1, 2, 3, 6))):
        for count in stops:
            run = Run.resume(run.folder, compiled=False)
            run.settings.minutes = 60  # only `stopped` ends it
            run.run(
                Threads(1),
                InProcess,
                stopped=lambda folder=run.folder, most=count: len(files(folder)) >= most,
            )
    first, second = files(whole.folder), files(parts.folder)
    assert len(first) >= 6
    common = first.keys() & second.keys()
    assert len(common) >= 6
    assert all(first[name] == second[name] for name in common)


def test_two_threads_make_the_same_data_as_one(tmp_path: Path) -> None:
    made = []
    for count in (1, 2):
        run = small_run(tmp_path / str(count))
        run.settings.minutes = 60
        run.run(Threads(count), InProcess, stopped=lambda folder=run.folder: len(files(folder)) >= 4)
        made.append(files(run.folder))
    common = made[0].keys() & made[1].keys()
    assert len(common) >= 3
    assert all(made[0][name] == made[1][name] for name in common)


@pytest.mark.thorough("kills and resumes compiled runs")
def test_a_killed_run_loses_no_more_than_the_batch_in_flight(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "plywise", "learn"]
    words = ["connect_four", "--minutes", "60", "--nodes", "200", "--out", str(tmp_path / "run")]
    for delay in (0.3, 1.0, 0.1):
        before = files(tmp_path / "run")
        process = subprocess.Popen([*command, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        words = ["--resume", str(tmp_path / "run")]
        deadline = time.monotonic() + 120
        while len(files(tmp_path / "run")) <= len(before) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(delay)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        after = files(tmp_path / "run")
        assert len(after) > len(before)
        assert all(after[name] == content for name, content in before.items())
        for path in (tmp_path / "run" / "data").glob("*.npy"):
            assert len(np.load(path))
        Run.resume(tmp_path / "run")


# --- what is refused ------------------------------------------------------------------------------
def test_plain_games_and_worlds_are_refused_with_the_reason() -> None:
    for name, reason in (("tic_tac_toe", "28 hours"), ("skirmish", "dice")):
        with pytest.raises(CannotLearn, match=reason):
            Run(Path("nowhere"), Settings(name))


def test_a_folder_with_a_run_is_not_overwritten(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    with pytest.raises(BadRun, match="--resume"):
        small_run(tmp_path / "run")


@pytest.mark.parametrize("text", ["", "{}", '{"settings": {"game": "connect_four", "colour": 1}}'])
def test_a_damaged_run_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(BadRun, match="damaged"):
        Run.resume(tmp_path)


def test_boards_of_another_number_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        """
from typing import Any, NamedTuple
from plywise import game

@game("mine")
class Mine(NamedTuple):
    left: int = 5
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        if self.left > 0:
            buffer[n] = 1
            n += 1
        return n

    def play(self, move: int) -> "Mine":
        return Mine(self.left - 1, 1 - self.turn)

    def boards(self):
        return (self.left,) * (1 + self.turn)
"""
    )
    with pytest.raises(CannotLearn, match="always give the same number"):
        shape_of(plywise.load(str(file)))


def test_words_that_are_no_boards_are_left_out() -> None:
    """Chess without `boards` has a key, a counter of plies and the turn among its words."""
    from plywise.core.rules import Rules

    game = plywise.load("chess")
    own = game.position.boards
    try:
        game.position.boards = Rules.boards  # type: ignore[attr-defined]
        shape = shape_of(game, hidden=16)
    finally:
        game.position.boards = own  # type: ignore[attr-defined]
    fields = game.position._fields  # type: ignore[attr-defined]
    seen = {name for i, name in enumerate(fields) if shape.seen >> i & 1}
    assert {"pawns", "kings"} <= seen
    assert not {"turn", "hash"} & seen


# --- the command ----------------------------------------------------------------------------------
def test_nets_are_listed_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = plywise.load("connect_four")
    assert main(["learn", "--list"]) == 0
    assert "nothing has been learned" in capsys.readouterr().out
    assert main(["learn", "connect_four", "--remove"]) == 2
    assert "no installed net" in capsys.readouterr().err
    place = install(game, Path(saved_net(game, tmp_path)))
    assert game.usual_evaluator == "learned"
    assert "learned" in game.evaluators
    assert main(["evaluate", "connect_four", "44", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["evaluator"] == "learned"
    assert main(["learn", "--list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nets"][0]["game"] == "connect_four"
    assert main(["learn", "connect_four", "--remove"]) == 0
    assert not place.exists()
    assert game.usual_evaluator == "default"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "wants GAME"),
        (["connect_four", "--minutes", "soon"], "--minutes"),
        (["connect_four", "--hidden", "20"], "multiple of 16"),
        (["connect_four", "--form", "poem"], "form"),
        (["connect_four", "--from", "nowhere.json"], "nowhere.json"),
        (["chess", "--resume", "nowhere"], "leave GAME out"),
        (["--resume", "nowhere"], "no run can be read"),
        (["tic_tac_toe"], "compiled form"),
    ],
)
def test_bad_options_are_one_sentence(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", *words]) == 2
    error = capsys.readouterr().err
    assert reason in " ".join(error.split())
    assert "Traceback" not in error


def test_short_runs_are_proven_by_shorter_tests() -> None:
    """Fewer games decide, and an equal net is accepted no more often."""
    tests = [proof_test(minutes) for minutes in (1, 30, 600)]
    assert [test.elo1 for test in tests] == [50, 20, 10]
    assert {(test.elo0, test.alpha) for test in tests} == {(0, 0.05)}
