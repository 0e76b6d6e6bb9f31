"""The folders of a user, and of a user without a home folder."""

import os
from pathlib import Path

import pytest

from plywise.core import user_folders
from plywise.core.cache_folder import cache_folder, find_problem
from plywise.core.endgame_index import data_folder
from plywise.core.user_folders import NoHomeFolder, user_folder


def test_the_variable_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_TRIAL", str(tmp_path))
    assert user_folder("PLYWISE_TRIAL", lambda: Path("/elsewhere"), "it") == tmp_path


@pytest.mark.parametrize("variable", ["PLYWISE_CACHE", "PLYWISE_DATA"])
def test_without_a_home_folder_a_private_one_takes_its_place_and_is_said_once(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setenv(variable, "")
    for other in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as where no user has this number
    find = cache_folder if variable == "PLYWISE_CACHE" else data_folder
    place = find()
    assert place.parent == tmp_path and place.is_dir()
    assert user_folders.is_without_home(place)
    assert find() == place, "it stays the same"
    assert os.environ[variable] == str(place), "also for processes that are started from here"
    assert [warning.category for warning in recwarn] == [NoHomeFolder]
    assert f"${variable}" in str(recwarn[0].message)
    if os.name == "posix":
        assert place.stat().st_mode & 0o077 == 0, "nobody else can put code there"


def test_a_folder_that_cannot_be_written_to_is_named_with_the_reason(tmp_path: Path) -> None:
    assert find_problem(tmp_path) is None
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    problem = find_problem(tmp_path / "file")
    assert problem is not None and str(tmp_path / "file") in problem
