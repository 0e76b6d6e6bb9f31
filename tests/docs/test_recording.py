"""The recording of the README's first command: of the command that stands there, and whole."""

import importlib.util
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    pytest.importorskip("pty", reason="a recording is made on POSIX")
    spec = importlib.util.spec_from_file_location("record_terminal", DOCS / "record_terminal.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def words(picture: str) -> str:
    return " ".join(" ".join(ET.fromstring(picture).itertext()).split())


def test_the_recording_is_of_the_command_in_the_readme(script: ModuleType) -> None:
    picture = script.OUT.read_text(encoding="utf-8")
    assert script.first_command() in words(picture)
    assert "Plywise is at http://127.0.0.1:" in words(picture)


def test_only_lines_of_pip_are_left_out(script: ModuleType) -> None:
    lines = [
        (1.0, "Looking in places"),
        (1.0, "Processing ~/plywise"),
        (2.0, "Collecting a"),
        (3.0, "Collecting b"),
        (4.0, "Successfully installed a b"),
        (5.0, "Plywise is at http://127.0.0.1:8000/"),
        (5.0, ""),
        (6.0, "<goodbye> & more"),
    ]
    short = script.shorten(lines)
    assert [text for _, text in short] == [
        *("...", "Processing ~/plywise", "...", "Successfully installed a b"),
        *("Plywise is at http://127.0.0.1:8000/", "", "<goodbye> & more"),
    ]
    drawn = words(script.draw("first && second", short))
    assert "$ first && second 0 s" in drawn
    assert "<goodbye> & more 6 s" in drawn
