"""Watching a learning run: what its folder says by now is shown, and what is wrong with it is said."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from plywise.core.file_lock import FileLock
from plywise.learn.epochs import Epoch
from plywise.learn.run import Run
from plywise.learn.run_state import BadRun, Generation, Settings
from plywise.learn.run_view import read_run

MATCH = {
    "verdict": "stronger",
    "games": 40,
    "wins": 25,
    "draws": 5,
    "losses": 10,
    "elo": 137.0,
    "error": 90.0,
}


def written(folder: Path, **changes: Any) -> Path:
    """A run in its folder, as `Run` writes it."""
    folder.mkdir(exist_ok=True)
    page = {
        "settings": asdict(Settings("connect_four", minutes=8)),
        "generations": [],
        "proof": None,
        "accepted": None,
        "best": None,
        "spent": 30.0,
    }
    (folder / "run.json").write_text(json.dumps({**page, **changes}))
    return folder


def test_a_new_run_is_shown_as_it_was_saved(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", Settings("connect_four", minutes=3, nodes=50), compiled=False)
    seen = read_run(run.folder)
    assert (seen["game"], seen["minutes"], seen["nodes"]) == ("connect_four", 3.0, 50)
    assert seen["generations"] == []
    assert seen["state"] == "stopped"
    assert seen["doing"] == "Stopped: getting ready. `plywise learn --resume` goes on."


def test_a_run_works_while_its_lock_is_held(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", generations=[asdict(Generation(1))])
    lock = FileLock(folder / "run.json")
    assert lock.acquire(0)
    assert read_run(folder)["state"] == "running"
    assert read_run(folder)["doing"] == "Generation 1, it plays against itself."
    lock.release()
    assert read_run(folder)["state"] == "stopped"


def test_a_generation_has_its_losses_and_its_screen(tmp_path: Path) -> None:
    one = Generation(
        1, 128, 5000, 10.0, True, 0.01, [Epoch(1, 0.7, 0.71), Epoch(2, 0.6, 0.62, fit=2)], "g1.json"
    )
    one.screen = {**MATCH, "control": "50 nodes a move"}
    folder = written(tmp_path / "run", generations=[asdict(one)])
    (folder / "screen-g1.match").write_bytes(b"")
    seen = read_run(folder)
    (generation,) = seen["generations"]
    assert generation["losses"] == [[1, 0.7, 0.71, 1], [2, 0.6, 0.62, 2]]
    assert (generation["positions"], generation["speed"]) == (5000, 500)
    assert generation["screen"].startswith("+25 =5 -10, +137 +-90 Elo")
    assert seen["matches"] == ["screen-g1.match"]
    assert "the proof is played" in seen["doing"]


@pytest.mark.parametrize(("accepted", "words"), [(True, "was accepted"), (False, "was not accepted")])
def test_a_finished_run_says_what_came_out(tmp_path: Path, accepted: bool, words: str) -> None:
    folder = written(tmp_path / "run", accepted=accepted, proof={**MATCH, "control": "0.05 s"})
    seen = read_run(folder)
    assert (seen["state"], words in seen["doing"]) == ("finished", True)
    assert "+137" in seen["proof"]


def test_a_run_of_another_version_of_plywise_is_shown(tmp_path: Path) -> None:
    settings = {**asdict(Settings("connect_four")), "version": "9.9"}
    assert read_run(written(tmp_path / "run", settings=settings))["version"] == "9.9"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "damaged, or cut off"),
        ('{"settings": {"game": "che', "damaged, or cut off"),
        ("[1]", "of another version, or damaged"),
        ('{"settings": {}, "generations": []}', "of another version, or damaged"),
        ('{"settings": {"game": "x"}, "generations": [{"number": 1}]}', "of another version, or damaged"),
    ],
)
def test_what_is_no_run_is_refused_in_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(BadRun, match=sentence):
        read_run(tmp_path)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRun, match="no run can be read there"):
        read_run(tmp_path)
