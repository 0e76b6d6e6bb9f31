"""Runs: the whole course in small, resuming, what is refused, and the page about it."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise.arena.executors import InProcess
from plywise.arena.sprt import Verdict
from plywise.cli import main
from plywise.cli.learn import time_left, verdict
from plywise.core.net_file import installed_path, read_net
from plywise.learn.batches import Threads
from plywise.learn.data import BadData, save_batch
from plywise.learn.epochs import Epoch
from plywise.learn.installed import install
from plywise.learn.proof import MatchResult, proof_test
from plywise.learn.run import Run
from plywise.learn.run_report import loss_graph, page
from plywise.learn.run_state import BadRun, Generation, RunProgress, Settings
from plywise.learn.shapes import CannotLearn, shape_of, usual_form
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
    assert "http" not in page(run).replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert "Two games of the" in page(run) and "The net is x: " in page(run) and "The net is o: " in page(run)


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


def test_a_test_without_a_verdict_goes_on_with_more_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywise.learn.run.MIN_GAMES", 2)
    run = small_run(tmp_path / "run")
    with interpreted():
        run.run(Threads(1), InProcess)
        if run.proof is None:  # it lost its screen, by chance
            run.best = "g1.json"
            run.prove(InProcess(), lambda progress: None, lambda line: None, lambda: False)
    assert run.proof is not None and run.proof["verdict"] == Verdict.OPEN and run.accepted is False
    before = run.proof["games"]
    again = Run.resume(run.folder, compiled=False)
    monkeypatch.setattr("plywise.learn.run.MIN_GAMES", before + 2)
    again.extend(10)  # as many as make three generations, in a new run
    again.settings.minutes = 0.01
    with interpreted():
        again.run(Threads(1), InProcess)
    assert again.proof is not None and again.proof["games"] > before
    assert len(again.generations) == 1 and again.accepted is False
    assert Run.resume(run.folder, compiled=False).proof == again.proof


def test_more_minutes_are_from_now_on_and_make_no_new_net_during_the_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = small_run(tmp_path / "run", minutes=1)
    monkeypatch.setattr(Run, "seconds", property(lambda run: 600.0))
    run.extend(5)
    assert run.budget - run.seconds == pytest.approx(300)
    assert run.planned_generations == 3
    run.generations = [Generation(1, played=True, net="g1.json")]
    (run.folder / "proof.match").write_text("")
    assert run.planned_generations == 1


@pytest.mark.parametrize(
    "proof", [None, {"verdict": str(Verdict.STRONGER)}, {"verdict": str(Verdict.NOT_STRONGER)}]
)
def test_a_decided_run_takes_no_more_time(tmp_path: Path, proof: dict[str, str] | None) -> None:
    run = small_run(tmp_path / "run")
    run.accepted, run.proof = False, proof
    with pytest.raises(BadRun, match="decided"):
        run.extend(5)


def test_a_damaged_batch_is_played_again(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    run.settings.minutes = 60
    run.run(Threads(1), InProcess, stopped=lambda: len(files(run.folder)) >= 2)
    made = files(run.folder)
    (run.folder / "data" / "g1-000000.npy").write_bytes(b"cut off")
    again = Run.resume(run.folder, compiled=False)
    again.settings.minutes = 60
    again.run(Threads(1), InProcess, stopped=lambda: files(run.folder)["g1-000000.npy"] != b"cut off")
    assert all(files(run.folder)[name] == content for name, content in made.items())


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
        while len(files(tmp_path / "run")) <= len(before):
            assert process.poll() is None
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


@pytest.mark.parametrize("name", ["examples/breakthrough.py", "connect_four"])
def test_only_scores_that_are_learned_from_must_agree_with_results(name: str, tmp_path: Path) -> None:
    """Without an evaluation, the scores of the first games are noise, which may agree with nothing."""
    settings = Settings(name, minutes=0.001, nodes=5, hidden=16, batch_games=2)
    run, now = Run.create(tmp_path / "run", settings, compiled=False), Generation(1)
    run.generations.append(now)
    run.play(now, Threads(1), lambda progress: None, lambda: False)
    path = run.folder / "data" / "g1-000000.npy"
    rows = np.tile(np.load(path), 20)
    rows["game"] = np.arange(len(rows)) % 40
    rows["result"] = np.where(rows["ply"] % 3 == 0, 1, -1)
    rows["score"] = -50 * rows["result"]
    save_batch(path, rows)
    if name == "connect_four":
        with pytest.raises(BadData, match="the wrong sign"):
            run.fit(now, lambda progress: None, lambda: False)
    else:
        run.fit(now, lambda progress: None, lambda: True)


@pytest.mark.parametrize(
    ("name", "player", "shares"),
    [
        ("examples/breakthrough.py", None, (0.0, 0.2)),  # noise, then mobility
        ("examples/breakthrough.py", "g1.json", (0.0, 0.2)),
        ("connect_four", None, (0.5, 0.5)),
        ("connect_four", "g1.json", (0.5, 0.7)),
    ],
)
def test_scores_count_by_who_made_them(
    name: str, player: str | None, shares: tuple[float, float], tmp_path: Path
) -> None:
    run = Run(tmp_path, Settings(name))
    run.generations = [Generation(1), Generation(2, player=player)]
    assert (run.score_share(1), run.score_share(2)) == shares


# --- what is refused ------------------------------------------------------------------------------
def test_plain_games_and_worlds_are_refused_with_the_reason() -> None:
    for name, reason in (("tic_tac_toe", r"would take about \d+ (hours|minutes)"), ("skirmish", "dice")):
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


def test_boards_that_are_no_mirror_image_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "lopsided.py"
    text = Path("examples/breakthrough.py").read_text(encoding="utf-8")
    file.write_text(text.replace("return self.white, self.black\n", "return self.white, self.black & 1\n"))
    with pytest.raises(CannotLearn, match="no mirror image"):
        Run(tmp_path, Settings(str(file)))


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
    net = Path(saved_net(game, tmp_path))
    place = install(game, net, "+34 =0 -2, +492 Elo against mobility (1 s): stronger")
    assert read_net(game, place)[1]["values"] == read_net(game, net)[1]["values"]
    assert game.usual_evaluator == "learned"
    assert "learned" in game.evaluators
    assert main(["evaluate", "connect_four", "44", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["evaluator"] == "learned"
    assert main(["learn", "--list", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["nets"]
    assert listed["game"] == "connect_four"
    assert "against mobility" in listed["origin"]["proof"]
    assert main(["learn", "--list"]) == 0
    assert "; +34 =0 -2, +492 Elo against mobility" in " ".join(capsys.readouterr().out.split())
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
        (["--resume", "nowhere", "--minutes", "5"], "no run can be read"),
        (["--resume", "nowhere", "--minutes", "soon"], "--minutes"),
        (["--resume", "nowhere", "--hidden", "32"], "leave --hidden out"),
        (["tic_tac_toe"], "compiled form"),
        (["connect_four", "--cluster", "nowhere"], "no scheduler answers there"),
    ],
)
def test_bad_options_are_one_sentence(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", *words]) == 2
    error = capsys.readouterr().err
    assert reason in " ".join(error.split())
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("name", "form"), [("polis", "correction"), ("examples/breakthrough.py", "replacing")]
)
def test_an_evaluation_is_corrected_and_a_missing_one_is_made(name: str, form: str) -> None:
    assert usual_form(plywise.load(name)) == form


def test_a_run_that_cannot_begin_leaves_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["learn", "connect_four", "--out", str(tmp_path / "run"), "--teacher", "uci:no-such-program"]
    for _ in range(2):  # nothing is in the way of the second attempt
        assert main(words) == 2
        assert "no-such-program does not start" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_an_error_says_how_the_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = small_run(tmp_path / "run")
    run.generations.append(Generation(1, games=4, positions=100, played=True))
    run.save()
    (run.folder / "data" / "g1-000000.npy").write_bytes(b"cut off")
    assert main(["learn", "--resume", str(run.folder)]) == 2
    assert f"plywise learn --resume {run.folder}" in capsys.readouterr().err


def test_a_disk_that_is_full_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(path: Path, *rest: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    run = small_run(tmp_path / "run")
    run.settings.minutes = 60
    run.run(Threads(1), InProcess, stopped=lambda: len(files(run.folder)) >= 2)
    run.generations[0].played = True
    run.save()
    monkeypatch.setattr("plywise.learn.run.write_net", write)
    assert main(["learn", "--resume", str(run.folder)]) == 2
    error = capsys.readouterr().err
    assert f"{run.folder}: No space left on device; what is finished is kept" in error
    assert not installed_path(run.game).exists()


def test_short_runs_are_proven_by_shorter_tests() -> None:
    """Fewer games decide, and an equal net is accepted no more often."""
    tests = [proof_test(minutes) for minutes in (1, 30, 600)]
    assert [test.elo1 for test in tests] == [50, 20, 10]
    assert {(test.elo0, test.alpha) for test in tests} == {(0, 0.05)}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(600.0, "20 min left"), (1750.0, "50 s left"), (1800.0, "soon done")],
)
def test_the_time_left_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, words: str
) -> None:
    monkeypatch.setattr(Run, "seconds", property(lambda run: seconds))
    assert time_left(small_run(tmp_path / "run", minutes=30)) == words


def test_a_match_that_goes_on_after_its_time_has_some_left(tmp_path: Path) -> None:
    """The screen of a run without time needs its games all the same."""
    run = small_run(tmp_path / "run", minutes=0.0001)
    left: list[float] = []

    def watch(progress: RunProgress) -> None:
        if progress.text.startswith("screen-g1: +"):
            left.append(run.seconds_left)
            assert progress.share < 1
            assert "against its own evaluation" in progress.text

    with interpreted():
        run.run(Threads(1), InProcess, watch, stopped=lambda: len(left) >= 2)
    assert left[0] > left[1] > 0


def test_compiling_takes_nothing_from_the_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A generation that begins late is shorter."""
    run = small_run(tmp_path / "run", minutes=30)
    slices = []
    for number, seconds in ((1, 0.0), (1, 240.0), (2, 480.0), (2, 960.0), (3, 960.0), (3, 5000.0)):
        monkeypatch.setattr(Run, "seconds", property(lambda run, seconds=seconds: seconds))
        slices.append(round(run.slice_of(Generation(number))))
    assert slices == [600, 500, 600, 300, 600, 180]


def test_a_result_names_the_opponent(tmp_path: Path) -> None:
    run = Run(tmp_path, Settings("examples/breakthrough.py"))
    assert run.opponent_words(None) == "mobility"
    assert run.opponent_words(tmp_path / "g2.json") == "generation 2"
    assert run.opponent_words(tmp_path.parent / "mine.json") == "the net of --from"
    assert small_run(tmp_path / "run").opponent_words(None) == "its own evaluation"
    result = MatchResult("open", 4, 2, 1, 1, 87.4, 300.0, "1000 nodes a move", "mobility")
    assert str(result) == "+2 =1 -1, +87 +-300 Elo against mobility (1000 nodes a move): open"


def test_an_accepted_net_is_taken_back_by_the_words_that_are_printed(tmp_path: Path) -> None:
    """A game in a file is known by the name of its file alone."""
    file = tmp_path / "my connect four.py"
    rules = Path(plywise.load("connect_four").source)
    file.write_text(rules.read_text().replace('"connect_four"', '"my_connect_four"'))
    run = Run(tmp_path / "run", Settings(str(file)))
    run.accepted = True
    words = " ".join(" ".join(verdict(run, stopped=False)).split())
    assert f"`plywise learn '{file}' --remove` takes it back" in words


@pytest.mark.parametrize(
    ("verdict_of_proof", "words"),
    [(None, "the net lost"), ("not stronger", "shows that"), ("open", "did not show in its time")],
)
def test_what_is_not_accepted_is_kept_as_a_candidate(
    tmp_path: Path, verdict_of_proof: str | None, words: str
) -> None:
    run = small_run(tmp_path / "run")
    run.accepted = False
    run.generations.append(Generation(1, net="g1.json"))
    if verdict_of_proof is not None:
        run.best = "g1.json"
        run.proof = {"verdict": verdict_of_proof, "elo": -10.0, "error": 50.0}
    said = "".join("".join(verdict(run, stopped=False)).split())  # a long path may be broken into lines
    assert words.replace(" ", "") in said
    assert f"theoldevaluationstays,thecandidateis{run.folder / 'g1.json'}" in said
    assert run.data()["file"] == str(run.folder / "g1.json")
    longer = f"`plywise learn --resume {run.folder} --minutes 30` goes on with the test"
    assert (longer.replace(" ", "") in said) == (verdict_of_proof == "open")


def test_a_net_that_lost_to_the_net_of_from_is_told_so(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    run.settings, run.accepted = replace(run.settings, from_net="mine.json"), False
    assert "not accepted: the net lost to the net of --from" in " ".join(verdict(run, stopped=False))


def test_a_match_in_which_all_games_were_won_has_no_elo() -> None:
    result = MatchResult("stronger", 4, 4, 0, 0, float("inf"), float("inf"), "1000 nodes a move")
    assert str(result) == "+4 =0 -0, all won (1000 nodes a move): stronger"
    result = MatchResult("open", 4, 2, 1, 1, 87.4, 300.0, "1000 nodes a move")
    assert str(result) == "+2 =1 -1, +87 +-300 Elo (1000 nodes a move): open"


def test_the_lines_of_a_second_fit_are_apart_from_those_of_the_first() -> None:
    first = [Epoch(1, 0.7, 0.71), Epoch(2, 0.6, 0.72)]
    assert loss_graph(Generation(1, epochs=first)).count("<polyline") == 2
    both = loss_graph(Generation(1, epochs=[*first, Epoch(3, 0.69, 0.7, fit=2)]))
    assert both.count("<polyline") == 4 and "a shorter fit" in both
