"""Every test that the table of what players expect names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_tests_of_the_table_exist() -> None:
    table = (ROOT / "docs" / "what-players-expect.md").read_text(encoding="utf-8")
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    for name in re.findall(r"`(test_\w+)`", table):
        assert f"def {name}(" in sources, name
    for path in re.findall(r"`(\w+/test_\w+\.py)`", table):
        assert (ROOT / "tests" / path).exists(), path
