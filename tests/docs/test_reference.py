"""The reference of authors is made from the code: nothing is missing, and nothing is out of date."""

import importlib.util
import inspect
import re
from typing import Any

import pytest

from plywise.core.define import evaluation, game
from plywise.core.presentation import HOOKS
from plywise.core.rules import RULES
from plywise.core.wide_bits import Cells128, Cells256
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def writer() -> Any:
    spec = importlib.util.spec_from_file_location("write_reference", ROOT / "docs" / "write_reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_rule_hook_and_option_has_its_place(writer: Any) -> None:
    page = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    headings = set(re.findall(r"^### @?([\w.]+)", page, re.MULTILINE))
    methods = set(writer.list_methods(Cells256))
    assert {"of", "has", "rest"} <= methods == set(writer.list_methods(Cells128))
    sets = {f"Cells256.{name}" for name in methods}
    handed = {"Table", "compiled", "Board", "Piece", "stones", "Preset", "Layout", "Weights"}
    assert {*RULES, *HOOKS, *writer.BITS, *sets, *handed} <= headings
    options = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    for function in (game, evaluation):
        assert set(inspect.signature(function).parameters) <= options


def test_the_page_is_what_the_code_says(writer: Any) -> None:
    page = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert page == writer.write_page(), "run python docs/write_reference.py"
