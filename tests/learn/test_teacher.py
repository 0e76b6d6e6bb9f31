"""Labels by another program: its scores are used, and a teacher that fails is named in one sentence."""

import sys
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise.learn.batches import BatchTask
from plywise.learn.run import Run
from plywise.learn.run_state import Settings
from plywise.learn.selfplay import SelfPlay
from plywise.learn.shapes import shape_of
from plywise.learn.teacher import BadTeacher, Teacher

ENGINE = """
import sys

for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "uci":
        print("uciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        ANSWER
    elif word == "quit":
        break
"""
GOOD = 'print("info depth 1 score cp 37\\nbestmove 4", flush=True)'


def teacher(folder: Path, answer: str) -> Teacher:
    file = folder / "engine.py"
    file.write_text(ENGINE.replace("ANSWER", answer))
    game = plywise.load("connect_four")
    return Teacher(game, f"uci:{sys.executable} {file}", shape_of(game, hidden=16))


def position(columns: str) -> Any:
    return plywise.load("connect_four").history(columns).position


def test_scores_are_the_teachers_for_side_0(tmp_path: Path) -> None:
    game = plywise.load("connect_four")
    taught = teacher(tmp_path, GOOD)
    try:
        rows = SelfPlay(game, taught.shape, compiled=False, whole=True).play(1, range(1), 10)
        open_rows = [row for row in rows if 3 in game.moves(game.position(*map(int, row["boards"])))]
        labelled = taught.label(open_rows)
    finally:
        taught.close()
    assert len(labelled) == len(open_rows) > 0
    for row, own in zip(labelled, open_rows, strict=True):
        assert row["score"] == (37 if row["turn"] == 0 else -37)
        words = [int(word) for word in own["boards"]]
        assert [int(board) for board in row["boards"]] == (words[:2] if words[2] == 0 else words[1::-1])
        assert row["result"] == own["result"]


def test_wins_and_losses_are_left_out(tmp_path: Path) -> None:
    taught = teacher(tmp_path, 'print("info score mate 3\\nbestmove 4", flush=True)')
    try:
        assert taught.score(position("44")) is None
    finally:
        taught.close()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("sys.exit(3)", "engine.py"),
        ('print("info score cp 1\\nbestmove 9", flush=True)', "answers '9'"),
        ('print("bestmove 4", flush=True)', "no score"),
    ],
)
def test_a_teacher_that_dies_or_lies_is_refused(tmp_path: Path, answer: str, reason: str) -> None:
    taught = teacher(tmp_path, answer)
    with pytest.raises(BadTeacher, match="--teacher uci:") as error:
        taught.score(position("44"))
    taught.close()
    assert reason in str(error.value)


def test_a_teacher_is_another_program() -> None:
    with pytest.raises(BadTeacher, match="another program"):
        Run(Path("nowhere"), Settings("connect_four", teacher="plywise:level=3"))


def test_a_batch_is_labelled_by_its_teacher(tmp_path: Path) -> None:
    from plywise.arena.setup import Setup

    taught = teacher(tmp_path, GOOD)
    setup = Setup("connect_four", ()).pack()
    task = BatchTask(setup, None, taught.shape, 1, 1, 0, 10, False, False, taught.text)
    assert len(task.play(0)) == 0
