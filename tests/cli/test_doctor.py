"""`plywise doctor`: what works here, and what to do about what does not."""

import errno
import json
import os
import webbrowser
from pathlib import Path

import pytest

from plywise.cli import doctor
from plywise.core import cache_folder
from plywise.core.user_folders import NoHomeFolder
from tests.cli.terminal import plywise

NAMES = ["Python", "Numba", "cache", "data", "browser", "terminal", "cores", "memory"]


@pytest.fixture
def numba_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(doctor.CHECKS, "Numba", lambda: "works")


def finding(name: str) -> doctor.CheckResult:
    return doctor._run(name, doctor.CHECKS[name])


@pytest.mark.usefixtures("numba_works")
def test_every_check_is_one_line_and_the_last_line_sums_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "500")  # a longer path of the cache would be broken into lines
    monkeypatch.setattr(webbrowser, "get", lambda: object())
    monkeypatch.setattr(doctor, "free_memory", lambda: 8 << 30)
    assert doctor.doctor(json=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [["ok", name] for name in NAMES]
    assert lines[-1] == "everything works"


@pytest.mark.usefixtures("numba_works")
def test_json_has_every_check_and_says_whether_all_is_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "free_memory", lambda: 1 << 20)
    assert doctor.doctor(json=True) == 0  # less memory is no reason not to play
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] is True
    assert [check["name"] for check in answer["checks"]] == NAMES
    memory = answer["checks"][-1]
    assert (memory["ok"], memory["found"]) == (False, "1.0 MB free")
    assert "--hash" in memory["advice"]


def test_the_exit_status_says_that_something_needed_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(doctor.CHECKS, "Numba", lambda: "works")
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path / "file" / "below"))
    assert doctor.doctor(json=True) == 1
    assert json.loads(capsys.readouterr().out)["ok"] is False


def test_the_command_itself_compiles_a_function() -> None:
    done = plywise("doctor", "--json")
    numba = next(check for check in done.json["checks"] if check["name"] == "Numba")
    assert numba["ok"], numba
    assert "compiles for" in numba["found"]


def test_a_folder_that_cannot_be_made_is_named_with_the_variable_that_moves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    for variable, name in (("PLYWISE_CACHE", "cache"), ("PLYWISE_DATA", "data")):
        monkeypatch.setenv(variable, str(tmp_path / "file" / "below"))
        found = finding(name)
        assert not found.ok
        assert "cannot be written to" in found.found
        assert f"${variable}" in found.advice


def test_the_trial_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE", str(tmp_path))
    assert finding("cache").ok
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_and_a_disk_without_locks_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_CACHE", str(tmp_path))
    monkeypatch.setattr(doctor.FileLock, "acquire", lambda self, timeout: False)
    assert "no file locks" in finding("cache").found
    monkeypatch.setattr(doctor, "ENOUGH_DISK", 1 << 62)
    assert "left on the disk" in finding("cache").found


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC, errno.EACCES])
def test_a_disk_that_refuses_is_one_sentence_with_its_reason(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, content: bytes) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(cache_folder, "write_whole", refuse)
    for variable, name in (("PLYWISE_CACHE", "cache"), ("PLYWISE_DATA", "data")):
        monkeypatch.setenv(variable, str(tmp_path))
        found = finding(name)
        assert not found.ok
        assert found.found == f"{tmp_path} cannot be written to: {os.strerror(number)}"
        assert found.advice.endswith(f"name a folder you may write to in ${variable}")


def test_a_user_without_a_home_folder_is_told_where_things_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_CACHE", "")
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    with pytest.warns(NoHomeFolder):
        found = finding("cache")
    assert not found.ok
    assert found.found.startswith(f"no home folder; {tmp_path}")
    assert found.advice == "Name a folder that lasts in $PLYWISE_CACHE"


@pytest.mark.usefixtures("numba_works")
def test_a_narrow_terminal_gets_whole_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setitem(doctor.CHECKS, "cache", lambda: "a word of twenty-four letters")
    doctor.doctor(json=False)
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 30 for line in lines)
    assert "ok  cache    a word of" in lines
    assert "    twenty-four letters" in lines


def test_a_numba_that_fails_is_reported_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    from plywise.native import try_out

    def fail() -> str:
        raise OSError("libLLVM.so: cannot open shared object file")

    monkeypatch.setattr(try_out, "try_compiling", fail)
    found = finding("Numba")
    assert not found.ok
    assert "libLLVM.so" in found.found
    assert "numba" in found.advice


def test_without_a_browser_the_address_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "get", none)
    assert "plywise serve" in finding("browser").advice


def test_free_memory_is_read_where_the_system_says_it(tmp_path: Path) -> None:
    file = tmp_path / "meminfo"
    assert doctor.free_memory(file) is None
    file.write_text("MemTotal:  100 kB\nMemAvailable:   64 kB\n")
    assert doctor.free_memory(file) == 64 * 1024


def test_it_counts_the_files_of_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE", str(tmp_path))
    cache_folder.write_whole(tmp_path / f"a{cache_folder.SUFFIX}", b"x" * 2000)
    assert finding("cache").found.endswith("1 file, 2.0 kB")
