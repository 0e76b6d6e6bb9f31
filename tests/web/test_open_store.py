"""The page opens where the home folder cannot be written to, and says where games are kept meanwhile."""

from pathlib import Path

import pytest

from plywise.web import open_store as module
from plywise.web.open_store import open_store
from plywise.web.store import NotSaved


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which nothing can be made: root may write to any folder, so a file stands in its place."""
    (tmp_path / "home").write_text("in the way", encoding="utf-8")
    (tmp_path / "temporary").mkdir()
    monkeypatch.delenv("PLYWISE_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return tmp_path


def test_games_are_kept_in_a_temporary_folder_and_that_is_said(home: Path) -> None:
    store = open_store()
    assert store.path.parent.parent == home / "temporary"
    (note,) = store.notes
    assert str(home / "home") in note and str(store.path.parent) in note and "$PLYWISE_DATA" in note
    store.close()


def test_a_folder_that_was_named_must_work(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_DATA", str(home / "home"))
    with pytest.raises(NotSaved, match="cannot be kept in"):
        open_store()


def test_no_room_anywhere_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(home / "home"))
    with pytest.raises(NotSaved, match="cannot be kept in"):
        open_store()


def test_a_folder_that_can_be_written_to_is_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A locked file, for example, is no reason to show none of the user's games."""
    monkeypatch.delenv("PLYWISE_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def refuse(*arguments: object) -> None:
        raise NotSaved("the games cannot be kept: database is locked")

    monkeypatch.setattr(module, "Store", refuse)
    with pytest.raises(NotSaved, match="database is locked"):
        open_store()
