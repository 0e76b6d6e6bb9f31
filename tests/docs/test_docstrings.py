"""The examples in docstrings of the package do what they show."""

import doctest
import importlib
from pathlib import Path

import pytest

import plywise
from tests.conftest import interpreted

PACKAGE = Path(plywise.__file__).parent
SHOWING = [path for path in sorted(PACKAGE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", SHOWING, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_examples_of_a_module_are_true(path: Path) -> None:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    with interpreted():
        for test in doctest.DocTestFinder(exclude_empty=True).find(module):
            runner.run(test, out=said.append)
    assert runner.tries and not runner.failures, "".join(said)
