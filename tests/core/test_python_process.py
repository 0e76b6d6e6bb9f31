"""Processes of our own run this Plywise, and nothing that lies in the current folder."""

import contextlib
import subprocess
from pathlib import Path

import pytest

import plywise
from plywise.check.child import check_in_child
from plywise.core.python_process import print_warning, python_command, python_environment
from plywise.play.engine_pool import compile_in_process
from plywise.play.readiness import Readiness

GAME = """
from plywise import game

@game("count", symmetries=1)
class Count:
    def __init__(self, left=3, turn=0):
        self.left, self.turn = left, turn
    def __eq__(self, other):
        return (self.left, self.turn) == (other.left, other.turn)
    def __hash__(self):
        return hash((self.left, self.turn))
    def __repr__(self):
        return f"Count({self.left}, {self.turn})"
    def moves(self):
        return range(1, min(2, self.left) + 1)
    def play(self, move):
        return Count(self.left - move, 1 - self.turn)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file that has the name of a standard module, and says so when it is run."""
    (tmp_path / "random.py").write_text("open('was-run', 'w').close()\nraise RuntimeError('not meant')\n")
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "count.py").write_text(GAME, encoding="utf-8")
    return tmp_path


def test_a_file_with_the_name_of_a_standard_module_is_not_run_by_check(folder: Path) -> None:
    with contextlib.chdir(folder):
        findings = list(check_in_child("game/count.py"))
    assert not [finding for finding in findings if not finding.advice], findings
    assert not (folder / "was-run").exists()


def test_nor_by_a_process_that_compiles(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    heard: list[Readiness] = []
    with contextlib.chdir(folder):
        compile_in_process("tic_tac_toe", "default", listener=heard.append)
    assert not (folder / "was-run").exists()
    assert capfd.readouterr().err == ""


def test_the_same_plywise_is_found_from_any_folder(tmp_path: Path) -> None:
    command = python_command("-c", "import plywise; print(plywise.__file__)")
    found = subprocess.check_output(command, cwd=tmp_path, env=python_environment(), text=True)
    assert found.strip() == plywise.__file__


def test_a_warning_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_warning(UserWarning("two\nlines"), UserWarning, "file.py", 3)
    assert capsys.readouterr().err == "plywise: warning: two lines\n"


def test_a_process_that_compiles_repeats_no_warning(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The one that wants the code gives it, in its own way."""
    game = "import warnings\nwarnings.warn('said here already')\n" + GAME
    (tmp_path / "count.py").write_text(game, encoding="utf-8")
    compile_in_process(str(tmp_path / "count.py"), "default")
    assert "said here already" not in capfd.readouterr().err
