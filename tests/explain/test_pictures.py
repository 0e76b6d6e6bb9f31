"""The pictures of the documents are what their script draws today."""

import importlib.util
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw_pictures", DOCS / "draw_pictures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.thorough("compiles, and draws the pictures of the documents")
def test_the_pictures_are_up_to_date(script: ModuleType) -> None:
    drawn = script.pictures()
    assert set(drawn) == {path.name for path in (DOCS / "pictures").glob("*.svg")}
    for name, text in drawn.items():
        ET.fromstring(text)
        there = (DOCS / "pictures" / name).read_text(encoding="utf-8")
        assert there == text, f"docs/pictures/{name} is old: run python docs/draw_pictures.py"


def test_the_page_shows_every_picture() -> None:
    page = (DOCS / "see-why.md").read_text(encoding="utf-8")
    for path in (DOCS / "pictures").glob("*.svg"):
        assert f"pictures/{path.name}" in page
